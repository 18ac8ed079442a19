package io.seqsvr.router;

import static io.seqsvr.storeclient.fixture.FrameCaller.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
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

    private void tell(Story story) {
        store.open("alloc-1", alloc.address());
        try (var router = new TestRouter(store.address());
                var caller = new FrameCaller(router.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            story.happens(caller);
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
    void whoDoesNotSayIsRefusedSoonWithWhatWasHeard() {
        tell(caller -> {
            refusesFor(GENEROUS_MILLIS);
            long startedAt = System.nanoTime();
            var reply = caller.ask(calls(1, 7, 8));
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
            assertTrue(millis < GENEROUS_MILLIS / 4, millis + " ms");
            assertEquals(ErrorReason.LEASE_EXPIRED, reply.getRefusals(0).getReason());
            assertEquals(List.of(0, 1), reply.getRefusals(0).getPlacesList());
        });
    }

    @Test
    void ownersAreToldHowMuchOfTheTimeIsLeft() {
        tell(caller -> {
            caller.ask(calls(1, 7).timeoutMillis(5_000));
            long told = alloc.frames().remove().timeoutMillis();
            assertTrue(told > 0 && told <= 4_900, told + " ms");
            caller.ask(calls(2, 7));
            long unsaid = alloc.frames().remove().timeoutMillis();
            assertTrue(unsaid > 0 && unsaid <= 700, unsaid + " ms");
        });
    }
}
