package io.seqsvr.router;

import static io.seqsvr.storeclient.fixture.FrameCaller.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a router tries for the calls of a frame: as long as its caller says that it waits. */
@Timeout(60)
class RouterFrameTimesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final long ANSWER = 1_001;
    private static final long GENEROUS_MILLIS = 20_000;

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc = new FakeAllocSvr(ANSWER);

    @AfterEach
    void close() {
        alloc.close();
        store.close();
    }

    private interface Story {
        void happens(FrameCaller caller);
    }

    private interface StoryOfTwo {
        void happens(FrameCaller caller, FrameCaller other, TestRouter router);
    }

    /** With a router that has a stream to the owner: the first frame may take it a while. */
    private void tell(Story story) {
        tell((caller, other, router) -> story.happens(caller));
    }

    private void tell(StoryOfTwo story) {
        store.open("alloc-1", alloc.address());
        try (var router = new TestRouter(store.address());
                var caller = new FrameCaller(router.address());
                var other = new FrameCaller(router.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            caller.ask(calls(0, 1).timeoutMillis(GENEROUS_MILLIS));
            alloc.frames().clear();
            story.happens(caller, other, router);
        }
    }

    /** As an owner does whose lease has ended, until it is renewed or another one is there. */
    private void refusesFor(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        alloc.onFrame(calls -> System.nanoTime() - until < 0
                ? FakeAllocSvr.refusal(ErrorReason.LEASE_EXPIRED, "not now")
                : FakeAllocSvr.reply(calls, ANSWER, FakeAllocSvr.EPOCH));
    }

    @Test
    void aFrameWhoseCallerWaitsOutlivesWhatPasses() {
        tell(caller -> {
            refusesFor(1_500);
            var reply = caller.ask(calls(1, 7, 8, 950).timeoutMillis(GENEROUS_MILLIS));
            assertEquals(List.of(), reply.getRefusalsList());
            assertEquals(List.of(ANSWER, ANSWER, ANSWER), reply.getSeqsList());
        });
    }

    @Test
    void callsOfAnOwnerThatSaysNothingAreAskedForAgainWhileTheirCallerWaits() {
        var silent = new AtomicInteger(1);
        tell(caller -> {
            alloc.onFrame(calls ->
                    silent.getAndDecrement() > 0 ? null : FakeAllocSvr.reply(calls, ANSWER, FakeAllocSvr.EPOCH));
            var reply = caller.ask(calls(1, 7, 950).timeoutMillis(GENEROUS_MILLIS));
            assertEquals(List.of(ANSWER, ANSWER), reply.getSeqsList());
        });
    }

    @Test
    void whoDoesNotSayIsRefusedSoon() {
        tell(caller -> {
            refusesFor(GENEROUS_MILLIS);
            long startedAt = System.nanoTime();
            var refusal = caller.ask(calls(1, 7, 8)).getRefusals(0);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
            assertTrue(millis < GENEROUS_MILLIS / 4, millis + " ms");
            // The latter if a call is under way when the time is over.
            var reasons = EnumSet.of(ErrorReason.LEASE_EXPIRED, ErrorReason.OWNER_UNREACHABLE);
            assertTrue(reasons.contains(refusal.getReason()), refusal::toString);
        });
    }

    /** The status of a stream says nothing of the calls in its frames. */
    @Test
    void callsThatAreRefusedAreCounted() {
        tell((caller, other, router) -> {
            var refusal = caller.ask(calls(1, 7, 1_000, 1_001)).getRefusals(0);
            assertEquals(ErrorReason.UID_OUT_OF_RANGE, refusal.getReason());
            var counted = "seqsvr_calls_refused_total{reason=\"UID_OUT_OF_RANGE\",tier=\"router\"} 2.0";
            assertTrue(router.scrape().contains(counted), router::scrape);
        });
    }

    @Test
    void whoHasWaitedForStoreSvrUntilItsTimeIsOverHearsSo() {
        tell(caller -> {
            alloc.onFrame(calls -> FakeAllocSvr.refusal(ErrorReason.DEADLINE_PASSED, "no raise"));
            var refusal = caller.ask(calls(1, 7, 8).timeoutMillis(200)).getRefusals(0);
            assertEquals(ErrorReason.DEADLINE_PASSED, refusal.getReason());
            assertEquals(List.of(0, 1), refusal.getPlacesList());
        });
    }

    /** A delay of 0 would say that waiting does not help. */
    @Test
    void whoHeardNothingOfItsOwnerMayAskAgainSoon() {
        tell(caller -> {
            alloc.onFrame(calls -> null);
            var refusal = caller.ask(calls(1, 7, 8).timeoutMillis(300)).getRefusals(0);
            assertEquals(ErrorReason.OWNER_UNREACHABLE, refusal.getReason());
            assertEquals(50, refusal.getRetryDelayMs());
        });
    }

    @Test
    void whoWaitsForLessIsAnsweredEarlierThanWhoCameBefore() {
        tell(caller -> {
            alloc.onFrame(calls -> null);
            caller.send(calls(1, 7).timeoutMillis(1_000));
            caller.send(calls(2, 8).timeoutMillis(300));
            assertEquals(2, caller.take().getCorrelation());
            assertEquals(1, caller.take().getCorrelation());
        });
    }

    @Test
    void ownersAreToldHowLongTheyAreWaitedFor() {
        tell(caller -> {
            caller.ask(calls(1, 7).timeoutMillis(5_000));
            assertTold(7, 1_000);
            caller.ask(calls(2, 8).timeoutMillis(500));
            assertTold(8, 450);
        });
    }

    /** The other one's calls come to nothing later than those, and are asked for again. */
    @Test
    void callsOfAFrameWhoseStreamIsOverAreNotAskedForAgain() {
        tell((caller, other, router) -> {
            alloc.onFrame(calls -> null);
            caller.send(calls(1, 7).timeoutMillis(GENEROUS_MILLIS));
            awaitAsked(7);
            caller.reset();
            other.send(calls(2, 8).timeoutMillis(GENEROUS_MILLIS));
            awaitAsked(8);
            alloc.onFrame(calls -> FakeAllocSvr.reply(calls, ANSWER, FakeAllocSvr.EPOCH));
            assertEquals(List.of(ANSWER), other.take().getSeqsList());
            assertEquals(1, timesAsked(7));
            assertEquals(2, timesAsked(8));
        });
    }

    private long timesAsked(long uid) {
        return alloc.asked().stream().filter(asked -> asked.uid() == uid).count();
    }

    private void awaitAsked(long uid) {
        while (timesAsked(uid) == 0) {
            Thread.onSpinWait();
        }
    }

    private void assertTold(long uid, long mostMillis) {
        long told = alloc.frames().stream()
                .filter(frame -> frame.uids().get(0) == uid)
                .findFirst()
                .orElseThrow()
                .timeoutMillis();
        assertTrue(told > 0 && told <= mostMillis, told + " ms");
    }
}
