package io.seqsvr.cli.bench.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.grpc.Given;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A load that comes to its end while it asks. */
@Timeout(60)
final class SteadyLoadTest {
    /** Who is asked something, and goes on when somebody waits for that, or has closed it without waiting. */
    private static final class SlowCaller implements Caller {
        /** Null before anybody closes the load. */
        private volatile @Nullable Thread closing;

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CompletableFuture<Boolean> closedMeanwhile = new CompletableFuture<>();
        private volatile boolean closed;

        @Override
        public CompletionStage<Given> next(long uid, int count) {
            asked.countDown();
            var closer = closing;
            while (!closed && (closer == null || closer.getState() != Thread.State.TIMED_WAITING)) {
                Thread.onSpinWait();
                closer = closing;
            }
            closedMeanwhile.complete(closed);
            return new CompletableFuture<>();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void noCallerIsClosedWhileItIsAsked() throws Exception {
        var caller = new SlowCaller();
        var load = new SteadyLoad(List.of(caller), 1, 1_000, 10);
        load.start();
        assertTrue(caller.asked.await(20, TimeUnit.SECONDS));
        var closing = new Thread(load::close);
        caller.closing = closing;
        closing.start();
        closing.join(20_000);
        assertEquals(false, caller.closedMeanwhile.get(20, TimeUnit.SECONDS));
        assertTrue(caller.closed);
    }

    /** Who answers at once. */
    private static final class QuickCaller implements Caller {
        private final CountDownLatch asked = new CountDownLatch(1);
        private long last;

        @Override
        public CompletionStage<Given> next(long uid, int count) {
            last += count;
            asked.countDown();
            return CompletableFuture.completedFuture(new Given(uid, last - count + 1, last, 1));
        }

        @Override
        public void close() {}
    }

    @Test
    void itIsUnderWayAsLongAsItHasNotSeenThatItIsToRest() throws Exception {
        var caller = new QuickCaller();
        try (var load = new SteadyLoad(List.of(caller), 1, 1, 10)) {
            load.start();
            assertTrue(caller.asked.await(20, TimeUnit.SECONDS));
            load.rests();
            assertTrue(load.isUnderWay(), "the next call is due, and nobody has told it in between");
            long since = System.nanoTime();
            while (load.isUnderWay()) {
                assertTrue(System.nanoTime() - since < TimeUnit.SECONDS.toNanos(20), "it never rests");
                Thread.onSpinWait();
            }
            load.goOn();
        }
    }
}
