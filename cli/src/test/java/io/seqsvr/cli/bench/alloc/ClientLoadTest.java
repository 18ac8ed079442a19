package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.client.SequenceRange;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that ends before its thread asks to be told counts once, as others do; never do two threads write at once. */
@Timeout(60)
final class ClientLoadTest {
    private static final int CALLS = 300_000;
    private static final int CONCURRENCY = 200;
    private static final long BETWEEN_LOOKS_NANOS = 1_000_000;

    private final CountingClient client = new CountingClient();
    private final Schedule schedule = schedule(CALLS);
    private final ClientLoad load = load(client, schedule);

    /** All calls are of one user: so the two threads would write the same. */
    private static ClientLoad load(ClientLoad.Caller client, Schedule schedule) {
        var users = new Users(new int[] {5}, Skew.UNIFORM, 1, new SplittableRandom(1));
        return new ClientLoad(client, () -> 0, users, schedule, CONCURRENCY);
    }

    /** Counts up at once. The answers of a part of its calls come later, on a thread of its own. */
    private static final class CountingClient implements ClientLoad.Caller {
        private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
        private final Thread thread = new Thread(this::answer, "client");
        private final SplittableRandom random = new SplittableRandom(7);
        private double atOnce;
        private double refused;
        private long last;
        private volatile boolean closed;

        /** Does not wait to be woken: the two threads meet the more often. */
        private void answer() {
            while (!closed) {
                var next = later.poll();
                if (next == null) {
                    Thread.onSpinWait();
                } else {
                    next.run();
                }
            }
        }

        @Override
        public CompletionStage<SequenceRange> next(long uid) {
            if (random.nextDouble() < refused) {
                return CompletableFuture.failedFuture(new IllegalArgumentException("no"));
            }
            last++;
            var range = new SequenceRange(uid, last, last, 1);
            if (random.nextDouble() < atOnce) {
                return CompletableFuture.completedFuture(range);
            }
            var answer = new CompletableFuture<SequenceRange>();
            later.add(() -> answer.complete(range));
            return answer;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** As many calls, all of them due by now. */
    private static Schedule schedule(int calls) {
        long start = System.nanoTime() - calls;
        var schedule = Schedule.every(1, start);
        schedule.endAt(start + calls);
        return schedule;
    }

    private void run(double atOnce, double refused) {
        client.atOnce = atOnce;
        client.refused = refused;
        client.thread.start();
        load.tally().measure();
        load.start();
        while (schedule.left() > 0 || load.underWay() > 0) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        load.stop();
    }

    private void assertCounted(long answered, Map<String, Long> errors) {
        assertEquals(answered, load.tally().requests());
        assertEquals(answered, load.tally().takeMicros().getTotalCount());
        assertEquals(errors, load.tally().errors());
        assertEquals(0, load.duplicates(), "duplicates");
        assertEquals(0, load.backward(), "backward");
    }

    @AfterEach
    void close() {
        load.close();
    }

    @Test
    void callsThatEndAtOnceAndCallsThatEndLaterAreAllCounted() {
        run(0.5, 0);
        assertCounted(CALLS, Map.of());
    }

    @Test
    void whereAllCallsEndAtOnceTheirOwnThreadTakesThem() {
        run(1, 0);
        assertCounted(CALLS, Map.of());
    }

    @Test
    void whatIsRefusedAtOnceIsAnErrorAndNotUnderWay() {
        run(0.3, 0.3);
        assertCounted(client.last, Map.of("java.lang.IllegalArgumentException: no", CALLS - client.last));
    }

    /** A client whose first call is under way, while its second ends before anybody can ask to be told. */
    private static final class TwoCalls implements ClientLoad.Caller {
        private final CompletableFuture<SequenceRange> first = new CompletableFuture<>();
        private final CountDownLatch secondWasTold = new CountDownLatch(1);
        private boolean called;

        @Override
        public CompletionStage<SequenceRange> next(long uid) {
            if (!called) {
                called = true;
                return first;
            }
            var second = new CompletableFuture<SequenceRange>() {
                @Override
                public CompletableFuture<SequenceRange> whenComplete(
                        BiConsumer<? super SequenceRange, ? super Throwable> told) {
                    var ended = super.whenComplete(told);
                    secondWasTold.countDown();
                    return ended;
                }
            };
            second.complete(new SequenceRange(uid, 2, 2, 1));
            return second;
        }

        @Override
        public void close() {}
    }

    @Test
    void whatEndsAtOnceIsLeftToTheClientsThreadWhileThatMayWrite() throws InterruptedException {
        var two = new TwoCalls();
        var both = schedule(2);
        var calling = load(two, both);
        calling.start();
        two.secondWasTold.await();
        assertEquals(0, calling.tally().requests(), "another thread may be counting now");
        assertEquals(2, calling.underWay());
        two.first.complete(new SequenceRange(5, 1, 1, 1));
        assertEquals(2, calling.tally().requests());
        assertEquals(0, calling.underWay());
        calling.stop();
        assertEquals(0, calling.duplicates() + calling.backward());
    }
}
