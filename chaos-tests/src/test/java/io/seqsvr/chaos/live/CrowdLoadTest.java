package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.grpc.ManyCaller;
import io.seqsvr.chaos.grpc.Told;
import io.seqsvr.chaos.process.Endpoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The crowd lies between those who ask one by one, and is nobody of them. */
final class CrowdLoadTest {
    @Test
    void theCrowdLiesBetweenTheOthers() {
        var crowd = CrowdLoad.between(List.of(0L, 10_000L, 20_000L), 10_000);
        assertEquals(crowd.length, Arrays.stream(crowd).distinct().count());
        assertTrue(Arrays.stream(crowd).noneMatch(uid -> uid % 10_000 == 0));
        assertTrue(crowd.length > 9_500 && crowd.length <= 12_000, () -> crowd.length + " users");
        assertTrue(Arrays.stream(crowd).allMatch(uid -> uid > 0 && uid < 30_000));
    }

    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final int REFUSED_SEGMENT = 5;
    private static final long SEGMENT_SIZE = 100;
    private static final long[] CROWD = LongStream.range(0, 4_000).toArray();

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong asked = new AtomicLong();
    private volatile LongPredicate refuses = uid -> false;
    private volatile boolean answersReadingsOnly;
    private final LiveRecord record =
            new LiveRecord(new FaultLog(System::nanoTime), System::nanoTime, Set.of(), uid -> true);

    /** A router that refuses some. */
    private final class Refusing implements ManyCaller {
        @Override
        public CompletionStage<List<Optional<Given>>> nextMany(String namespace, long[] uids) {
            asked.incrementAndGet();
            if (answersReadingsOnly) {
                return CompletableFuture.failedFuture(new IllegalStateException("no answer came"));
            }
            return CompletableFuture.completedFuture(
                    Arrays.stream(uids).mapToObj(this::given).toList());
        }

        private Optional<Given> given(long uid) {
            long seq = numbers.incrementAndGet();
            return Optional.of(new Given(uid, seq, seq, 7)).filter(given -> !refuses.test(uid));
        }

        @Override
        public CompletionStage<List<Optional<Told>>> currentMany(String namespace, long[] uids) {
            return CompletableFuture.completedFuture(Arrays.stream(uids)
                    .mapToObj(uid -> Optional.of(new Told(uid, numbers.get(), 7)))
                    .toList());
        }

        @Override
        public void close() {}
    }

    private CrowdLoad crowd() {
        var target = new Target(
                "default",
                CROWD.length,
                uid -> (int) (uid / SEGMENT_SIZE),
                true,
                List.of(new Endpoint("127.0.0.1", 1)),
                Map.of(),
                List.of());
        return CrowdLoad.start(target, CROWD, record, Duration.ofMillis(1), (router, frames) -> new Refusing());
    }

    private static void await(BooleanSupplier isSo) {
        long start = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < WITHIN.toNanos(), "not within " + WITHIN);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Long enough for everybody's turn to come several times, on each loop. */
    private void awaitCalls() {
        long before = asked.get();
        await(() -> asked.get() - before > 100);
    }

    @Test
    void aSegmentThatNobodyServesIsMissedThoughOthersAreAnsweredInFull() {
        refuses = uid -> uid / SEGMENT_SIZE == REFUSED_SEGMENT;
        try (var crowd = crowd()) {
            long since = System.nanoTime();
            awaitCalls();
            assertFalse(crowd.isServedSince(since));
            refuses = uid -> false;
            long served = System.nanoTime();
            await(() -> crowd.isServedSince(served));
            assertFalse(crowd.isServedSince(served + TimeUnit.HOURS.toNanos(1)), "no call has begun since");
        }
        assertEquals(0, record.broken());
    }

    @Test
    void whoIsToldLastNumbersOnlyIsNotServed() {
        answersReadingsOnly = true;
        try (var crowd = crowd()) {
            long since = System.nanoTime();
            awaitCalls();
            await(() -> record.crowd().answers() > 0);
            assertFalse(crowd.isServedSince(since));
            answersReadingsOnly = false;
            await(() -> crowd.isServedSince(since));
        }
        assertEquals(0, record.broken());
    }

    @Test
    void whereLittleLiesBetweenThemItIsTheCrowd() {
        assertEquals(
                LongStream.of(1, 2, 4, 5).boxed().toList(),
                Arrays.stream(CrowdLoad.between(List.of(0L, 3L), 3)).boxed().toList());
    }
}
