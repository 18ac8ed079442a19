package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.failover.AssignmentPlan;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.rpc.HostPort;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The router as controller: it gives segments without a living owner to the allocators that it sees. */
@Timeout(30)
class RouterAssignmentTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final HostPort SOMEWHERE = new HostPort("127.0.0.1", 1);
    private static final HostPort ELSEWHERE = new HostPort("127.0.0.1", 2);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);

    @AfterEach
    void close() {
        store.close();
    }

    private long segmentsOf(long session) {
        return store.view().routes().ranges().stream()
                .filter(range -> range.owner() == session)
                .mapToLong(range -> range.size())
                .sum();
    }

    private void assertPublished() {
        assertInstanceOf(StoreReply.RoutesPublished.class, store.awaitPlan());
    }

    @Test
    void firstAssignmentGoesToTheSessionsThatItFinds() {
        long first = store.open("alloc-1", SOMEWHERE);
        long second = store.open("alloc-2", ELSEWHERE);
        try (var router = new TestRouter(store.address())) {
            assertPublished();
            assertEquals(5, segmentsOf(first));
            assertEquals(5, segmentsOf(second));
            assertTrue(AssignmentPlan.complete(store.view()));
            router.stop();
        }
    }

    @Test
    void routersAndExpelledAllocatorsGetNothing() {
        store.command(new StoreCommand.OpenSession(SessionKind.ROUTER, 1, "router-1", "r:1"));
        long expelled = store.open("alloc-1", SOMEWHERE);
        store.command(new StoreCommand.Expel(expelled));
        long allocator = store.open("alloc-2", ELSEWHERE);
        try (var router = new TestRouter(store.address())) {
            assertPublished();
            assertEquals(10, segmentsOf(allocator));
            assertTrue(router.scrape().contains("seqsvr_allocators{tier=\"router\"} 2.0"), router::scrape);
        }
    }

    @Test
    void whatALivingOwnerGaveBackGetsAnOwnerAgainAfterAHandOverToo() {
        long first = store.open("alloc-1", SOMEWHERE);
        long second = store.open("alloc-2", ELSEWHERE);
        try (var router = new TestRouter(store.address())) {
            assertPublished();
            var given = new SegmentId(MESSAGES.id(), 0);
            long giver =
                    store.view().routes().find(MESSAGES.id(), 0).orElseThrow().owner();
            long receiver = giver == first ? second : first;
            // Moves the table's version, but not the one that a plan names.
            store.command(new StoreCommand.HandOver(giver, List.of(new StoreCommand.Sealed(given, 1, 5)), receiver));
            store.command(new StoreCommand.Release(receiver, List.of(new StoreCommand.Sealed(given, 2, 5))));
            assertPublished();
            assertEquals(
                    3,
                    store.view().routes().find(MESSAGES.id(), 0).orElseThrow().epoch());
            assertTrue(store.view().released().ranges().isEmpty());
            router.stop();
        }
    }

    @Test
    void withoutAnAllocatorItWaitsForTheFirstOne() {
        try (var router = new TestRouter(store.address())) {
            assertEquals(ServingStatus.NOT_SERVING, router.health());
            assertTrue(store.noPlanCame());
            long session = store.open("alloc-1", SOMEWHERE);
            assertPublished();
            assertEquals(10, segmentsOf(session));
        }
    }

    @Test
    void segmentsOfASessionThatEndsGoToTheSurvivorInANewEpoch() {
        long first = store.open("alloc-1", SOMEWHERE);
        long second = store.open("alloc-2", ELSEWHERE);
        try (var router = new TestRouter(store.address())) {
            assertPublished();
            store.end(first);
            assertPublished();
            assertEquals(0, segmentsOf(first));
            assertEquals(10, segmentsOf(second));
            var epochs = IntStream.range(0, 10)
                    .mapToObj(segment -> store.view().routes().find(MESSAGES.id(), segment))
                    .mapToLong(range -> range.orElseThrow().epoch())
                    .sorted()
                    .toArray();
            assertEquals(1, epochs[4]);
            assertEquals(2, epochs[5]);
            router.stop();
        }
    }

    @Test
    void segmentsOfTheLastSessionWaitForTheNextOne() {
        long only = store.open("alloc-1", SOMEWHERE);
        try (var router = new TestRouter(store.address())) {
            assertPublished();
            store.end(only);
            long next = store.open("alloc-1", SOMEWHERE);
            assertPublished();
            assertEquals(10, segmentsOf(next));
            router.stop();
        }
    }

    @Test
    void planWithoutAnAnswerIsMadeAgain() {
        store.silence(true, false);
        long session = store.open("alloc-1", SOMEWHERE);
        try (var router = new TestRouter(store.address())) {
            store.awaitIgnoredPlan();
            store.awaitIgnoredPlan();
            store.silence(false, false);
            assertPublished();
            assertEquals(10, segmentsOf(session));
            router.stop();
        }
    }

    @Test
    void twoRoutersGiveEachSegmentOnce() {
        try (var one = new TestRouter(store.address());
                var other = new TestRouter(store.address())) {
            long first = store.open("alloc-1", SOMEWHERE);
            store.awaitPlan();
            long second = store.open("alloc-2", ELSEWHERE);
            store.end(first);
            while (segmentsOf(second) < 10) {
                store.awaitPlan();
            }
            assertTrue(
                    store.view().routes().ranges().stream().allMatch(range -> range.epoch() == 2),
                    () -> store.view().toString());
            one.stop();
            other.stop();
        }
    }

    @Test
    void routerThatWasStoppedPlansNoMore() {
        try (var router = new TestRouter(store.address())) {
            router.stop();
            store.open("alloc-1", SOMEWHERE);
            try (var successor = new TestRouter(store.address())) {
                assertPublished();
                assertTrue(store.noPlanCame());
                successor.stop();
            }
        }
    }
}
