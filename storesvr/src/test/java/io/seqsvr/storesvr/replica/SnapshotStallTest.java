package io.seqsvr.storesvr.replica;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long entries wait while checkpoints are taken and digests computed, on a state of 42,950 segments; a measurement,
 * run by hand: {@code mvn -pl storesvr test -Dtest=SnapshotStallTest -Dseqsvr.measure=true}.
 */
@EnabledIfSystemProperty(named = "seqsvr.measure", matches = "true")
class SnapshotStallTest {
    private static final int SEGMENTS = 42_950;
    private static final int ROUNDS = 20;
    private static final int RAISES = 64;

    @TempDir
    private Path root = Path.of("");

    private final Replica replica = new Replica();
    private final SplittableRandom random = new SplittableRandom(1);
    private long index;

    private void apply(StoreCommand command) throws IOException {
        replica.apply(new Applied(1, ++index), List.of(command));
    }

    private void raise(long maxSeq) throws IOException {
        var items = IntStream.range(0, RAISES)
                .mapToObj(any -> new StoreCommand.RaiseItem(new SegmentId(1, random.nextInt(SEGMENTS)), 1, maxSeq))
                .toList();
        apply(new StoreCommand.Raise(Stamp.of(0, 2, 0), items));
    }

    /** Entries one after the other for as long as the task takes, each in microseconds. */
    private List<Long> entriesDuring(CompletableFuture<?> task) throws IOException {
        var micros = new ArrayList<Long>();
        while (!task.isDone()) {
            long start = System.nanoTime();
            raise(index * 10);
            micros.add((System.nanoTime() - start) / 1_000);
        }
        task.join();
        return micros;
    }

    @Test
    void measure() throws IOException {
        NativeLibrary.load();
        replica.open(root.resolve("db"));
        apply(new StoreCommand.CreateCluster(
                "cluster-1", new LeaseTerms(3_000_000_000L, 100), List.of(Namespace.ofDefaults(1, "messages"))));
        apply(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "a", "a:1"));
        for (int first = 0; first < SEGMENTS; first += 2_000) {
            var move = new StoreCommand.Move(1, first, Math.min(first + 1_999, SEGMENTS - 1), Stamp.of(0, 2, 0));
            apply(new StoreCommand.PublishRoutes(replica.view().orElseThrow().publishVersion(), List.of(move)));
        }
        for (int warm = 0; warm < 20_000; warm++) {
            raise(index * 10);
        }
        var digests = new Digests(replica);
        report("nothing else", entriesDuring(CompletableFuture.runAsync(() -> sleepAbout(5_000))));
        var checkpoints = new ArrayList<Long>();
        var during = new ArrayList<Long>();
        for (int round = 0; round < ROUNDS; round++) {
            var copy = root.resolve("copy-" + round);
            long start = System.nanoTime();
            during.addAll(entriesDuring(CompletableFuture.runAsync(() -> checkpoint(copy))));
            checkpoints.add((System.nanoTime() - start) / 1_000);
        }
        report("entries during checkpoints", during);
        report("checkpoints", checkpoints);
        during.clear();
        var times = new ArrayList<Long>();
        for (int round = 0; round < ROUNDS; round++) {
            during.addAll(entriesDuring(CompletableFuture.runAsync(() -> {
                long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                digests.now();
                times.add((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1_000);
            })));
        }
        report("entries during digests", during);
        report("processor time of digests", times);
        replica.close();
        assertTrue(replica.segments() == SEGMENTS);
    }

    private static void sleepAbout(long millis) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < millis * 1_000_000) {
            Thread.onSpinWait();
        }
    }

    private void checkpoint(Path copy) {
        try {
            replica.checkpoint(copy);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void report(String what, List<Long> micros) {
        var sorted = micros.stream().mapToLong(one -> one).sorted().toArray();
        System.out.println(what + ": " + sorted.length + ", median " + sorted[sorted.length / 2] + " us, 99 % "
                + sorted[sorted.length * 99 / 100] + " us, longest "
                + Arrays.stream(sorted).max().orElse(0) + " us");
    }
}
