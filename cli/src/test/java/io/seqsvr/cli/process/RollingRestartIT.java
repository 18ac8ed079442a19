package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Allocators as processes whose segments are moved, and which are drained, stopped and started again under load, one
 * after the other: nobody is told no within a second, and nobody's sequence has a gap.
 */
@Timeout(300)
final class RollingRestartIT {
    private static final int ALLOCATORS = 3;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(15);
    private static final Duration CALL = Duration.ofSeconds(1);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Answers between two disturbances. */
    private static final long ANSWERS = 300;

    @TempDir
    private Path directory;

    /** One caller that asks for one user after the other, and holds each answer against the last one. */
    private static final class Caller implements AutoCloseable {
        private final SequenceClient client;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final long[] last = new long[SmallCluster.SEGMENTS];
        private final List<String> refused = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        private final Thread thread = new Thread(this::run, "caller");
        private final AtomicLong answers = new AtomicLong();
        private volatile long longestNanos;

        Caller(Endpoint door) {
            client = SequenceClient.builder()
                    .endpoint(door.toString())
                    .namespace(SmallCluster.NAMESPACE)
                    .timeout(CALL)
                    .build();
        }

        void begin() {
            thread.setUncaughtExceptionHandler((dead, defect) -> refused.add("its caller died of " + defect));
            thread.start();
        }

        private void run() {
            for (int turn = 0; !stopped.get(); turn = (turn + 1) % SmallCluster.SEGMENTS) {
                long uid = SmallCluster.user(turn);
                long begun = System.nanoTime();
                try {
                    long first = client.blocking().next(uid).first();
                    if (first != last[turn] + 1) {
                        gaps.add("user " + uid + " got " + first + " after " + last[turn]);
                    }
                    last[turn] = first;
                    answers.incrementAndGet();
                } catch (SequenceException no) {
                    refused.add("user " + uid + ": " + no.getMessage());
                }
                longestNanos = Math.max(longestNanos, System.nanoTime() - begun);
            }
        }

        /** Waits until some more were answered. */
        void goesOn() {
            long until = answers.get() + ANSWERS;
            long start = System.nanoTime();
            while (answers.get() < until) {
                assertTrue(System.nanoTime() - start < SOON.toNanos(), () -> "no answers: " + refused);
                LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            }
        }

        /** Asks no more, and waits for the last answer. */
        void rests() throws InterruptedException {
            stopped.set(true);
            thread.join(2 * CALL.toMillis());
            assertFalse(thread.isAlive(), "a call has not ended long after its time");
        }

        @Override
        public void close() {
            stopped.set(true);
            // Whoever still waits for an answer gets one from here.
            client.close();
        }
    }

    private static String store(SmallCluster cluster) {
        return cluster.storeEndpoint().toString();
    }

    @Test
    void nobodyIsToldNoAndNobodyHasAGap() throws IOException, InterruptedException {
        try (var cluster = new SmallCluster(directory, ALLOCATORS, 1);
                var caller = new Caller(cluster.router(0).endpoint())) {
            caller.begin();
            caller.goesOn();
            // By hand and against the balance: a router may have them go back at once.
            for (var to : List.of("a2", "a0", "a1")) {
                var moved = Cli.find().run("move", "--segments", "0-3,7", "--to", to, "--store", store(cluster));
                assertEquals(0, moved.exitCode(), moved::toString);
                caller.goesOn();
            }
            for (int i = 0; i < ALLOCATORS; i++) {
                int exit = cluster.allocator(i).process().terminate(STOPS_WITHIN);
                assertTrue(Set.of(0, 128 + 15).contains(exit), "exit code " + exit);
                caller.goesOn();
                // The router has the others hand over to it.
                cluster.allocator(i).startAgain();
                caller.goesOn();
            }
            var store = store(cluster);
            var drained = Cli.find().run("drain", "a1", "--store", store, "-o", "json");
            assertEquals(0, drained.exitCode(), drained::toString);
            cluster.allocator(1).process().awaitHealth(TierProcess.UNHEALTHY, SOON);
            caller.goesOn();
            var back = Cli.find().run("move", "--segments", "0", "--to", "a1", "--store", store);
            assertEquals(1, back.exitCode(), back::toString);
            assertTrue(back.stderr().contains("a1 is given nothing more"), back::toString);
            caller.goesOn();
            caller.rests();
            assertEquals(List.of(), caller.refused);
            assertEquals(List.of(), caller.gaps);
            System.out.println(
                    caller.answers.get() + " answers, the longest took " + caller.longestNanos / 1_000_000 + " ms");
        }
    }
}
