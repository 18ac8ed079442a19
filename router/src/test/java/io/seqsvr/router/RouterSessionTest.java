package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A router's own session at StoreSvr: its controller has one, its front door waits for none. */
@Timeout(30)
class RouterSessionTest {
    private static final LeaseTerms LEASE = new LeaseTerms(500_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc = new FakeAllocSvr(1_001);

    @AfterEach
    void close() {
        alloc.close();
        store.close();
    }

    @Test
    void itBearsTheRoutersNameAndAddress() {
        try (var router = new TestRouter(store.address(), Optional.of("router-1"))) {
            long session = store.awaitRouter("router-1");
            var member = store.view().session(session).orElseThrow();
            assertEquals(SessionKind.ROUTER, member.kind());
            assertEquals(router.address().toString(), member.address());
            router.stop();
            assertTrue(store.view().session(session).isEmpty(), "a clean stop left it to its timer");
        }
    }

    @Test
    void oneWhoseOpeningIsAnsweredWhileTheRouterStopsIsClosedToo() {
        store.answerLate(50);
        try (var router = new TestRouter(store.address(), Optional.of("router-1"))) {
            long session = store.awaitRouter("router-1");
            router.stop();
            assertTrue(store.view().session(session).isEmpty(), "the stop left it to its timer");
        }
    }

    @Test
    void aRouterWithoutANameIsCalledByItsAddress() {
        try (var router = new TestRouter(store.address())) {
            store.awaitRouter(router.address().toString());
        }
    }

    @Test
    void oneThatEndedIsFollowedByAnother() {
        try (var router = new TestRouter(store.address(), Optional.of("router-1"))) {
            long first = store.awaitRouter("router-1");
            store.end(first);
            assertTrue(store.awaitRouter("router-1") > first);
            router.stop();
        }
    }

    @Test
    void withoutOneItIsReadyAndAnswersAndPlans() {
        // Somebody else has the name, as a predecessor that was killed.
        store.command(new StoreCommand.OpenSession(SessionKind.ROUTER, 1, "router-1", "elsewhere:1"));
        store.open("alloc-1", alloc.address());
        try (var router = new TestRouter(store.address(), Optional.of("router-1"))) {
            assertInstanceOf(StoreReply.RoutesPublished.class, store.awaitPlan());
            router.awaitHealth(ServingStatus.SERVING);
            assertEquals(1_001, Outcome.replyOf(router.next("messages", 7)).getFirst());
        }
    }

    @Test
    void withoutAStoreThatAnswersCommandsItIsReadyAndAnswers() {
        long session = store.open("alloc-1", alloc.address());
        store.command(new StoreCommand.PublishRoutes(
                store.view().publishVersion(), List.of(new StoreCommand.Move(1, 0, 9, session))));
        store.leaderless(true);
        try (var router = new TestRouter(store.address(), Optional.of("router-1"))) {
            router.awaitHealth(ServingStatus.SERVING);
            assertEquals(1_001, Outcome.replyOf(router.next("messages", 7)).getFirst());
            assertEquals(1, store.view().sessions().size());
        }
    }
}
