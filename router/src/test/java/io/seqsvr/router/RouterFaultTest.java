package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The front door while something behind it is missing: a typed error for whom it concerns, numbers for the others. */
@Timeout(30)
class RouterFaultTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final HostPort NOBODY = new HostPort("127.0.0.1", 1);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc1 = new FakeAllocSvr(1_001);
    private final FakeAllocSvr alloc2 = new FakeAllocSvr(2_002);

    @AfterEach
    void close() {
        alloc1.close();
        alloc2.close();
        store.close();
    }

    @Test
    void beforeTheFirstViewCallsWaitForIt() {
        store.silence(false, true);
        try (var router = new TestRouter(store.address())) {
            var error = TestRouter.errorOfHasty(() -> router.hastyNext("messages", 7));
            assertEquals(GrpcStatus.UNAVAILABLE, error.status());
            assertEquals(ErrorReason.NOT_READY, error.reason());
            assertTrue(error.message().contains("no picture of the cluster"), error::message);
            assertEquals(50, error.retryAfterMillis());
            var waiting = router.next("messages", 7);
            store.silence(false, false);
            store.open("alloc-1", alloc1.address());
            assertEquals(1_001, Outcome.replyOf(waiting).getFirst());
        }
    }

    @Test
    void segmentWithoutALivingOwnerIsNotReady() {
        long session = store.open("alloc-1", alloc1.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            store.end(session);
            router.awaitHealth(ServingStatus.NOT_SERVING);
            var error = TestRouter.errorOfHasty(() -> router.hastyNext("messages", 307));
            assertEquals(GrpcStatus.UNAVAILABLE, error.status());
            assertEquals(ErrorReason.NOT_READY, error.reason());
            assertEquals("segment 3 of namespace 'messages' has no living owner now", error.message());
            assertTrue(alloc1.asked().isEmpty());
        }
    }

    @Test
    void ownerThatCannotBeReachedIsAnUnknownOutcome() {
        store.open("alloc-1", NOBODY);
        try (var router = new TestRouter(store.address())) {
            store.awaitPlan();
            RpcException error;
            do {
                error = TestRouter.errorOfHasty(() -> router.hastyNext("messages", 7));
                // Until the router has seen its own table.
            } while (error.reason() == ErrorReason.NOT_READY);
            assertEquals(GrpcStatus.UNAVAILABLE, error.status());
            assertEquals(ErrorReason.OWNER_UNREACHABLE, error.reason());
            assertTrue(error.message().contains("127.0.0.1:1"), error::message);
        }
    }

    @Test
    void ownerThatHangsHoldsUpItsOwnUsersOnly() {
        store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        alloc1.onFrame(calls -> null);
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            // All at once, so that the deadline may be long enough for a busy machine.
            var answers = new ArrayList<Future<Long>>();
            for (long uid = 0; uid < 1_000; uid += 100) {
                answers.add(router.call(
                                SequencesRpc.NEXT,
                                NextRequest.newBuilder()
                                        .setNamespace("messages")
                                        .setUid(uid)
                                        .build(),
                                4_000)
                        .map(NextReply::getFirst)
                        .otherwise(0L));
            }
            int own = 0;
            for (var answer : answers) {
                own += Outcome.replyOf(answer) == 2_002 ? 1 : 0;
            }
            assertEquals(5, own);
        }
    }

    @Test
    void survivorAnswersForTheUsersOfAnOwnerThatIsGone() {
        long first = store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            alloc1.close();
            store.end(first);
            router.awaitHealth(ServingStatus.SERVING);
            for (long uid = 0; uid < 1_000; uid += 100) {
                assertEquals(
                        2_002, Outcome.replyOf(router.next("messages", uid)).getFirst());
            }
        }
    }

    @Test
    void aRouterWhoseWatchShowsNothingNewAsksForThePictureAgainWhenOwnersRefuse() {
        long first = store.open("alloc-1", alloc1.address());
        giveAll(first);
        // So that no command tells the router that there are news.
        store.leaderless(true);
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            store.loseWatch();
            alloc1.onFrame(calls -> FakeAllocSvr.refusal(ErrorReason.NOT_OWNER, "given away"));
            store.end(first);
            giveAll(store.open("alloc-2", alloc2.address()));
            assertEquals(2_002, Outcome.replyOf(router.next("messages", 7)).getFirst());
        }
    }

    private void giveAll(long session) {
        var all = List.of(new StoreCommand.Move(MESSAGES.id(), 0, 9, session));
        assertInstanceOf(
                StoreReply.RoutesPublished.class,
                store.command(new StoreCommand.PublishRoutes(store.view().publishVersion(), all)));
    }

    @Test
    void requestsPassWithoutStoreSvrToo() {
        store.open("alloc-1", alloc1.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            store.silence(true, true);
            assertEquals(1_001, Outcome.replyOf(router.next("messages", 7)).getFirst());
            router.awaitHealth(ServingStatus.SERVING);
        }
    }
}
