package io.seqsvr.cli.demo;

import io.seqsvr.chaos.lab.Lab;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Faults, round after round, in a cluster of its own that nobody watches but its users. */
public final class ChaosRun {
    private static final Duration COMPARED_WITHIN = Duration.ofMinutes(1);
    private static final Duration LEADS_WITHIN = Duration.ofMinutes(3);

    private final ChaosPlan plan;
    private final JavaProgram program;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile long begunNanos;
    private volatile @Nullable WatchedCluster watched;

    /**
     * A run that has started nothing yet.
     *
     * @param plan whose cluster has no problems, and whose faults this machine lets us make
     * @param program what runs a node
     * @param progress gets a line now and then
     */
    public ChaosRun(ChaosPlan plan, JavaProgram program, Consumer<String> progress) {
        this.plan = plan;
        this.program = program;
        this.progress = progress;
        this.random = new SplittableRandom(plan.seed());
    }

    /** How much of it is over, from 0 to 1; safe for any thread. */
    public double progress() {
        if (watched == null) {
            return 0;
        }
        double done = plan.cells().isEmpty()
                ? (System.nanoTime() - begunNanos) / (plan.minutes() * TimeUnit.MINUTES.toNanos(1))
                : (double) rounds.get() / plan.cells().size();
        return Math.min(1, done);
    }

    /** How far it is, in words; safe for any thread. */
    public String soFar() {
        var cluster = watched;
        if (cluster == null) {
            return "starting";
        }
        var seen = cluster.load().record().soFar();
        return String.format(
                Locale.ROOT,
                "%,d operations  %,d changes of owner  %,d straddling pairs  %,d rounds  longest wait %,d ms",
                seen.operations(),
                seen.power().changes(),
                seen.power().straddles(),
                rounds.get(),
                TimeUnit.NANOSECONDS.toMillis(seen.longestNanos()));
    }

    /**
     * Runs until it is over and the last fault undone; blocks. If a fault cannot be made or a node does not come back,
     * it is broken off, which the result says.
     *
     * @throws NodeFailure if the cluster does not come up
     */
    public ChaosResult run() throws IOException, StartupException {
        var names = plan.cluster().names();
        try (var nodes = LocalNodes.in(
                        plan.parent(),
                        "seqsvr-chaos-",
                        directory -> Lab.open(
                                directory, plan.needs(), names, plan.cluster().storeNames(), plan.seed()),
                        program);
                var cluster = new WatchedCluster(nodes, plan.cluster(), plan.users(), System.nanoTime(), progress);
                var stores = new StorePeersSeen(cluster.nodes())) {
            var lab = (Lab) nodes.site();
            var player = new RoundPlayer(plan, cluster, new FaultMaker(cluster, lab), random);
            var drawn = new Rounds(plan, cluster.nodes(), () -> awaitLeader(stores), random);
            begunNanos = System.nanoTime();
            watched = cluster;
            var brokenOff = play(cluster, player, drawn);
            boolean compared = brokenOff.isEmpty() && compare(stores, cluster);
            cluster.load().record().freeze();
            return result(cluster, player, brokenOff, compared, lab.network());
        }
    }

    private ChaosResult result(
            WatchedCluster cluster, RoundPlayer player, Optional<String> brokenOff, boolean compared, Network network) {
        var seen = cluster.report();
        return new ChaosResult(
                plan,
                player.played().stream().map(round -> round.seenIn(seen.seen())).toList(),
                player.pairsNeeded(),
                brokenOff,
                compared,
                network,
                seen);
    }

    /** Why it ended before its time, if it did. */
    private Optional<String> play(WatchedCluster cluster, RoundPlayer player, Rounds drawn) {
        Iterator<List<Rounds.Strike>> all = plan.cells().isEmpty()
                ? Stream.generate(drawn::next).iterator()
                : plan.cells().stream().map(drawn::only).iterator();
        try {
            do {
                player.play(all.next());
                rounds.incrementAndGet();
                // A broken promise is what it was looking for.
            } while (cluster.load().record().broken() == 0
                    && (plan.cells().isEmpty() ? progress() < 1 : all.hasNext()));
            return Optional.empty();
        } catch (NodeFailure | IllegalStateException | UncheckedIOException failure) {
            // A node that does not come back, or a machine that does not do what a fault needs of it.
            player.brokenOff(String.valueOf(failure.getMessage()));
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    /** Whether the states of all replicas were seen at one place of the log; they must be equal. */
    private static boolean compare(StorePeersSeen stores, WatchedCluster cluster) {
        var digests = Waiting.toSee(stores::digests, COMPARED_WITHIN);
        digests.filter(all -> all.values().stream().distinct().count() > 1)
                .ifPresent(all -> cluster.load().record().violated("REPLICAS_EQUAL", "their states differ: " + all));
        return digests.isPresent();
    }

    private static LocalNode awaitLeader(StorePeersSeen stores) {
        return Waiting.toSee(stores::leader, LEADS_WITHIN)
                .orElseThrow(() -> new NodeFailure("no StoreSvr peer led within " + LEADS_WITHIN.toSeconds() + " s"));
    }
}
