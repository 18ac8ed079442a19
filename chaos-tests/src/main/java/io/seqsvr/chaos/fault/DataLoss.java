package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A StoreSvr node loses data while it is down, and must refuse to start with what is left; stopping the fault has a new
 * peer take its place.
 */
public final class DataLoss extends OfNode {
    private static final int BITS = 8;
    private static final String NO_DATA = " is empty; format it with ";
    private static final String DAMAGED = "a peer never starts from damaged data";

    private final LocalCluster cluster;
    private final Loss loss;
    /** What it has to say when it refuses to start. */
    private final String refusal;

    private final Predicate<LocalNode> goesOn;

    /** What becomes of the data of a node that does not run. */
    @FunctionalInterface
    private interface Loss {
        void befalls(LocalNode node) throws IOException;
    }

    private DataLoss(
            String verb, LocalNode node, LocalCluster cluster, Loss loss, String refusal, Predicate<LocalNode> goesOn) {
        super(verb, node);
        this.refusal = refusal;
        this.cluster = cluster;
        this.loss = loss;
        this.goesOn = goesOn;
    }

    /** All of it. It must not begin anew, whether it gets as far as to answer or not. */
    public static Fault ofAll(String verb, LocalNode node, LocalCluster cluster) {
        return new DataLoss(
                verb,
                node,
                cluster,
                LocalNode::loseData,
                NO_DATA,
                wiped -> Files.exists(wiped.data()) || wiped.answers());
    }

    /** One bit of what must not change: of its log, or of a table of a snapshot. */
    public static Fault ofBit(String verb, LocalNode node, LocalCluster cluster, SplittableRandom random) {
        return new DataLoss(verb, node, cluster, struck -> flip(struck.data(), random), DAMAGED, LocalNode::isReady);
    }

    private static void flip(Path data, SplittableRandom random) throws IOException {
        var files = checked(data);
        if (files.isEmpty()) {
            throw new IOException("there is no log and no table in " + data);
        }
        var file = files.get(random.nextInt(files.size()));
        var bytes = Files.readAllBytes(file);
        // A log goes on with zeros for what is to come.
        int written = bytes.length;
        while (written > 1 && bytes[written - 1] == 0) {
            written--;
        }
        bytes[random.nextInt(written)] ^= (byte) (1 << random.nextInt(BITS));
        Files.write(file, bytes);
    }

    /** Those in which every bit is under a checksum that is looked at before a start: of snapshots the newest only. */
    private static List<Path> checked(Path data) throws IOException {
        try (var all = Files.walk(data.resolve("raft"))) {
            var files = all.filter(
                            path -> Files.isRegularFile(path) && path.toFile().length() > 0)
                    .sorted()
                    .toList();
            var newest = files.stream()
                    .filter(DataLoss::isTable)
                    .map(Path::getParent)
                    // One that was being written is thrown away, whatever is in it.
                    .filter(snapshot -> snapshot.getFileName().toString().matches("\\d+_\\d+"))
                    .max(Comparator.comparing(snapshot -> snapshot.toFile().lastModified()));
            return files.stream()
                    .filter(file -> isTable(file)
                            ? newest.filter(snapshot -> snapshot.equals(file.getParent()))
                                    .isPresent()
                            : file.getFileName().toString().startsWith("log_"))
                    .toList();
        }
    }

    private static boolean isTable(Path file) {
        return file.getFileName().toString().endsWith(".sst");
    }

    @Override
    public void start() {
        node().kill9();
        try {
            loss.befalls(node());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        node().start();
    }

    /** It has refused to start, for this reason and no other. */
    @Override
    public boolean isInEffect() {
        return OwnEnd.of(node(), refusal);
    }

    @Override
    public Optional<String> breach() {
        return goesOn.test(node())
                ? Optional.of(node().name() + " goes on, though its data is gone or wrong")
                : Optional.empty();
    }

    @Override
    public void stop() {
        node().killIfAlive();
        try {
            cluster.replace(node());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
