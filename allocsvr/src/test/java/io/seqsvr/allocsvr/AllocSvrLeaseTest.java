package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Command.KindCase;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An AllocSvr that loses StoreSvr: it serves on as long as its lease holds, then refuses, and comes back by itself. */
@Timeout(30)
class AllocSvrLeaseTest {
    private static final LeaseTerms SHORT_LEASE = new LeaseTerms(1_500_000_000L, 100);
    /** Renewed every second: a lost renewal leaves three seconds for the slowest machine. */
    private static final LeaseTerms LONG_LEASE = new LeaseTerms(4_000_000_000L, 100);

    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 1_000, Long.MAX_VALUE);

    private interface Story {
        void happens(FakeStoreSvr store, TestAllocSvr alloc);
    }

    /** A story that begins with an AllocSvr that serves. */
    private static void tell(LeaseTerms lease, int maxWaiting, Story story) {
        try (var store = new FakeStoreSvr(lease, MESSAGES);
                var alloc = new TestAllocSvr(new AllocSvrSettings(
                        "alloc-1",
                        new HostPort("127.0.0.1", 0),
                        Optional.empty(),
                        List.of(store.address()),
                        TestAllocSvr.STORE_TIMEOUT,
                        maxWaiting,
                        Long.MAX_VALUE))) {
            store.assignAll("alloc-1");
            alloc.awaitHealth(ServingStatus.SERVING);
            story.happens(store, alloc);
        }
    }

    @Test
    void storeSvrGoneForLongerThanTheLeaseStopsTheNumbersAndThenTheyGoOn() {
        tell(SHORT_LEASE, 10, (store, alloc) -> {
            long before = alloc.take("messages", 7, 3);
            store.fallSilent();
            alloc.awaitHealth(ServingStatus.NOT_SERVING);
            var refused = Outcome.errorOf(alloc.next("messages", 7, 1));
            assertEquals(GrpcStatus.UNAVAILABLE, refused.status());
            assertEquals(ErrorReason.LEASE_EXPIRED, refused.reason());
            assertEquals(50, refused.retryAfterMillis());
            assertEquals(
                    ErrorReason.LEASE_EXPIRED,
                    Outcome.errorOf(alloc.current("messages", 7)).reason());

            store.speak();
            alloc.awaitHealth(ServingStatus.SERVING);
            assertEquals(before + 1, alloc.take("messages", 7, 1));
        });
    }

    @Test
    void storeSvrGoneForLessThanTheLeaseCostsNoCall() {
        tell(LONG_LEASE, 10, (store, alloc) -> {
            long before = alloc.take("messages", 7, 1);
            store.fallSilent();
            assertEquals(before + 1, alloc.take("messages", 7, 1));
            store.awaitIgnored(KindCase.RENEW);
            assertEquals(before + 2, alloc.take("messages", 7, 1));
            store.speak();
            assertEquals(before + 3, alloc.take("messages", 7, 1));
        });
    }

    @Test
    void sessionThatExpiredMeanwhileIsFollowedByAnotherAboveEverythingBefore() {
        tell(SHORT_LEASE, 10, (store, alloc) -> {
            long before = alloc.take("messages", 7, 3);
            var first = store.awaitSession("alloc-1");
            store.fallSilent();
            alloc.awaitHealth(ServingStatus.NOT_SERVING);
            store.expire(first);
            store.speak();
            assertNotEquals(first.id(), store.awaitSession("alloc-1").id());
            store.assignAll("alloc-1");
            alloc.awaitHealth(ServingStatus.SERVING);
            var reply = Outcome.replyOf(alloc.next("messages", 7, 1));
            assertEquals(2, reply.getEpoch());
            assertTrue(reply.getFirst() > before, reply::toString);
        });
    }

    @Test
    void segmentsOfAnotherOwnerAreServedNoMore() {
        tell(SHORT_LEASE, 10, (store, alloc) -> {
            alloc.take("messages", 7, 3);
            store.expire(store.awaitSession("alloc-1"));
            store.command(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "alloc-2", "127.0.0.1:1"));
            store.assignAll("alloc-2");
            alloc.awaitHealth(ServingStatus.NOT_SERVING);
            var refused = Outcome.errorOf(alloc.next("messages", 7, 1));
            assertTrue(
                    List.of(ErrorReason.NOT_OWNER, ErrorReason.NOT_READY).contains(refused.reason()), refused::message);
        });
    }

    @Test
    void callThatWaitsForARaiseEndsWithTheLease() {
        tell(SHORT_LEASE, 10, (store, alloc) -> {
            store.fallSilent();
            var refused = Outcome.errorOf(alloc.next("messages", 7, 1_000));
            assertEquals(ErrorReason.LEASE_EXPIRED, refused.reason());
            assertTrue(refused.message().endsWith("while the request waited for StoreSvr"), refused::message);
            // A call looks at the clock itself; health follows at the next tick.
            alloc.awaitHealth(ServingStatus.NOT_SERVING);

            store.speak();
            alloc.awaitHealth(ServingStatus.SERVING);
            assertTrue(alloc.take("messages", 7, 1) > 0);
        });
    }

    @Test
    void callThatWaitsForARaiseIsAnsweredWhenStoreSvrIsBack() {
        tell(LONG_LEASE, 10, (store, alloc) -> {
            store.fallSilent();
            var waiting = alloc.next("messages", 7, 1_000);
            store.awaitIgnored(KindCase.RAISE);
            assertFalse(waiting.isComplete());
            assertEquals(1, alloc.take("messages", 8, 1), "a user with room waits for nobody");
            store.speak();
            assertEquals(1_000, Outcome.replyOf(waiting).getLast());
            assertTrue(store.maxSeq(MESSAGES, 0) >= 1_000);
        });
    }

    @Test
    void callerThatGoesAwayWhileItWaitsHoldsNobodyElseUp() {
        tell(LONG_LEASE, 10, (store, alloc) -> {
            store.fallSilent();
            try (var hasty = alloc.anotherCaller()) {
                hasty.next("messages", 7, 1_000);
                store.awaitIgnored(KindCase.RAISE);
            }
            var patient = alloc.next("messages", 7, 1);
            store.speak();
            assertEquals(1_001, Outcome.replyOf(patient).getLast());
        });
    }

    @Test
    void noMoreCallsWaitThanAreAllowedTo() {
        tell(LONG_LEASE, 2, (store, alloc) -> {
            store.fallSilent();
            var first = alloc.next("messages", 7, 1_000);
            var second = alloc.next("messages", 107, 1_000);
            var refused = Outcome.errorOf(alloc.next("messages", 207, 1_000));
            assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, refused.status());
            assertEquals(ErrorReason.TOO_MANY_WAITING, refused.reason());
            assertEquals("2 requests wait for a raise or a confirmation; no more may", refused.message());
            assertEquals(50, refused.retryAfterMillis());
            store.speak();
            Outcome.replyOf(first);
            Outcome.replyOf(second);
            assertEquals(1_000, alloc.take("messages", 207, 1_000), "a refused call took numbers");
        });
    }
}
