package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Allocators as processes that are drained, stopped and started again under load, one after the other: nobody is told
 * no, and nobody's sequence has a gap.
 */
@Timeout(300)
final class RollingRestartIT {
    private static final int ALLOCATORS = 3;
    private static final int SEGMENTS = 12;
    private static final int USERS_IN_SEGMENT = 1_000;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(15);
    private static final Duration CALL = Duration.ofSeconds(10);
    /** Answers between two disturbances. */
    private static final long ANSWERS = 300;

    @TempDir
    private Path directory;

    private StorePeers store;
    private final List<TierProcess> allocators = new ArrayList<>();
    private final List<Endpoint> places = new ArrayList<>();
    private TierProcess router;
    private Endpoint door;
    private final List<Integer> ports = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        store = new StorePeers(
                1,
                directory,
                "3s",
                "{name: default, capacity: " + SEGMENTS * USERS_IN_SEGMENT + ", segment_size: " + USERS_IN_SEGMENT
                        + "}");
        for (int i = 0; i < ALLOCATORS; i++) {
            places.add(nextEndpoint());
            allocators.add(launch("allocsvr", "a" + i, places.get(i)));
        }
        door = nextEndpoint();
        router = launch("router", "r0", door);
        router.awaitHealth(TierProcess.HEALTHY, SOON);
        for (var allocator : allocators) {
            allocator.awaitHealth(TierProcess.HEALTHY, SOON);
        }
    }

    private Endpoint nextEndpoint() {
        ports.add(FreePorts.other(ports));
        return new Endpoint("127.0.0.1", ports.get(ports.size() - 1));
    }

    private TierProcess launch(String tier, String name, Endpoint endpoint) throws IOException {
        var config = directory.resolve(name + ".yaml");
        Files.writeString(
                config,
                "name: " + name + "\nlisten: " + endpoint + "\nstore:\n  - "
                        + store.endpoints().get(0) + "\n");
        return TierProcess.start(tier, config, endpoint, directory.resolve(name + ".log"));
    }

    @AfterEach
    void stop() {
        router.close();
        allocators.forEach(TierProcess::close);
        store.close();
    }

    /** One caller that asks for one user after the other, and holds each answer against the last one. */
    private final class Caller implements AutoCloseable {
        private final SequenceClient client = SequenceClient.builder()
                .endpoint(door.toString())
                .namespace("default")
                .timeout(CALL)
                .build();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final long[] last = new long[SEGMENTS];
        private final List<String> refused = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        private final Thread thread = new Thread(this::run, "caller");
        private final AtomicLong answers = new AtomicLong();
        private volatile long longestNanos;

        void begin() {
            thread.start();
        }

        private void run() {
            for (int turn = 0; !stopped.get(); turn = (turn + 1) % SEGMENTS) {
                long uid = (long) turn * USERS_IN_SEGMENT + 7;
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
                Thread.onSpinWait();
            }
        }

        /** Asks no more, and waits for the last answer. */
        void rests() throws InterruptedException {
            stopped.set(true);
            thread.join(2 * CALL.toMillis());
        }

        @Override
        public void close() {
            stopped.set(true);
            // Whoever still waits for an answer gets one from here.
            client.close();
        }
    }

    @Test
    void nobodyIsToldNoAndNobodyHasAGap() throws IOException, InterruptedException {
        try (var caller = new Caller()) {
            caller.begin();
            caller.goesOn();
            for (int i = 0; i < ALLOCATORS; i++) {
                var allocator = allocators.get(i);
                int exit = allocator.terminate(STOPS_WITHIN);
                assertTrue(Set.of(0, 128 + 15).contains(exit), "exit code " + exit);
                caller.goesOn();
                allocators.set(i, launch("allocsvr", "a" + i, places.get(i)));
                // Healthy is who owns something: the router has the others hand over to it.
                allocators.get(i).awaitHealth(TierProcess.HEALTHY, SOON);
                caller.goesOn();
            }
            var drained = Cli.find()
                    .run("drain", "a1", "--store", store.endpoints().get(0).toString(), "-o", "json");
            assertEquals(0, drained.exitCode(), drained::toString);
            allocators.get(1).awaitHealth(TierProcess.UNHEALTHY, SOON);
            caller.goesOn();
            var back = Cli.find()
                    .run(
                            "move",
                            "--segments",
                            "0",
                            "--to",
                            "a1",
                            "--store",
                            store.endpoints().get(0).toString());
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
