package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A router is healthy exactly while a request for any user would be answered. */
@Timeout(30)
class RouterHealthTest {
    private static final LeaseTerms LEASE = new LeaseTerms(500_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc1 = new FakeAllocSvr(1);
    private final FakeAllocSvr alloc2 = new FakeAllocSvr(2);

    @AfterEach
    void close() {
        alloc1.close();
        alloc2.close();
        store.close();
    }

    @Test
    void itServesOnceEverySegmentHasAnOwner() {
        store.silence(true, false);
        store.open("alloc-1", alloc1.address());
        try (var router = new TestRouter(store.address())) {
            store.awaitIgnoredPlan();
            assertEquals(ServingStatus.NOT_SERVING, router.health());
            store.silence(false, false);
            router.awaitHealth(ServingStatus.SERVING);
        }
    }

    @Test
    void itServesOnlyWhileEveryOwnerServes() {
        store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            alloc2.serves(false);
            assertEquals(ServingStatus.NOT_SERVING, router.health());
            alloc2.serves(true);
            router.awaitHealth(ServingStatus.SERVING);
            alloc1.close();
            assertEquals(ServingStatus.NOT_SERVING, router.health());
        }
    }

    /** Its log may have such a session from before StoreSvr refused them. */
    @Test
    void anOwnerThatSaysNoAddressDoesNotServe() {
        var open = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "alloc-1", "former-life");
        long session = assertInstanceOf(StoreReply.SessionOpened.class, store.command(open))
                .session();
        store.command(new StoreCommand.Renew(session));
        try (var router = new TestRouter(store.address())) {
            TestRouter.awaitRefusal(() -> router.hastyNext("messages", 7), ErrorReason.OWNER_UNREACHABLE);
            assertFalse(router.healthyByItself(), "it has seen who owns what, and knows nobody there");
            store.end(session);
            store.open("alloc-1", alloc1.address());
            router.awaitHealth(ServingStatus.SERVING);
        }
    }

    @Test
    void allocatorWithoutASegmentIsOfNoConcern() {
        store.open("alloc-1", alloc1.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            alloc2.serves(false);
            store.open("alloc-2", alloc2.address());
            router.awaitHealth(ServingStatus.SERVING);
        }
    }

    /** Else whoever connects first waits until it has found its owners. */
    @Test
    void beforeItListensItHasAskedEveryOwner() {
        store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        try (var first = new TestRouter(store.address())) {
            first.awaitHealth(ServingStatus.SERVING);
            assertEquals(List.of(), List.copyOf(alloc1.asked()), "nobody owned anything when it began");
            try (var second = new TestRouter(store.address(), Optional.of("second"))) {
                assertAskedForReadingsOnly(alloc1);
                assertAskedForReadingsOnly(alloc2);
                assertEquals(ServingStatus.SERVING, second.health());
            }
        }
    }

    private static void assertAskedForReadingsOnly(FakeAllocSvr owner) {
        assertEquals(
                Set.of(FrameVerb.CURRENT),
                owner.asked().stream().map(FakeAllocSvr.Asked::verb).collect(Collectors.toSet()));
    }

    @Test
    void withoutAViewItDoesNotServe() {
        store.silence(true, true);
        try (var router = new TestRouter(store.address())) {
            assertEquals(ServingStatus.NOT_SERVING, router.health());
        }
    }
}
