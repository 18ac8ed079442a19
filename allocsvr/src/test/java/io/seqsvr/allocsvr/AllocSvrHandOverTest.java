package io.seqsvr.allocsvr;

import static io.seqsvr.storeclient.fixture.FrameCaller.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.internal.v1.CounterPage;
import io.seqsvr.proto.internal.v1.CounterTable;
import io.seqsvr.proto.internal.v1.DrainRequest;
import io.seqsvr.proto.internal.v1.HandOverOrder;
import io.seqsvr.proto.internal.v1.PeerMessage;
import io.seqsvr.proto.internal.v1.SegmentRange;
import io.seqsvr.proto.internal.v1.TellReply;
import io.seqsvr.proto.internal.v1.TellRequest;
import io.seqsvr.proto.rpc.AllocatorsRpc;
import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two AllocSvrs over real sockets: segments go from one to the other, and no user's sequence has a gap. */
@Timeout(60)
class AllocSvrHandOverTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 1_000, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final TestAllocSvr old = new TestAllocSvr("alloc-1", store.address());
    private final TestAllocSvr heir = new TestAllocSvr("alloc-2", store.address());
    private long oldSession;
    private long heirSession;

    @BeforeEach
    void serve() {
        oldSession = store.awaitSession("alloc-1").id();
        // Nothing is handed to who has not heard of its session; and both see each other before they see who owns what.
        heirSession = store.awaitRenewed("alloc-2").id();
        store.assignAll("alloc-1");
        old.awaitHealth(ServingStatus.SERVING);
        old.awaitRoutes();
        heir.awaitRoutes();
    }

    @AfterEach
    void close() {
        old.close();
        heir.close();
        store.close();
    }

    /**
     * The next sequence from the heir, which gets the user's segment about now; what it does not take in time, as the
     * machine stands still, is given back with its counters.
     */
    private long takeOnceServed(long uid) {
        long start = System.nanoTime();
        while (true) {
            store.assignReleased("alloc-2");
            var reply = heir.next("messages", uid, 1);
            try {
                return reply.await().getFirst();
            } catch (Throwable refused) { // await() throws checked causes undeclared
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20), "refused for 20 s: " + refused);
            }
        }
    }

    private HandOverOrder.Builder order(int first, int last) {
        return HandOverOrder.newBuilder()
                .setClusterId(FakeStoreSvr.CLUSTER)
                .setSession(oldSession)
                .setTo(heirSession)
                .addSegments(SegmentRange.newBuilder()
                        .setNamespaceId(1)
                        .setFirst(first)
                        .setLast(last));
    }

    @Test
    void segmentsGoWhereTheyAreOrdered() {
        assertEquals(7, old.take("messages", 3, 7));
        assertEquals(2, old.take("messages", 103, 2));
        var begun = old.call(AllocatorsRpc.HAND_OVER, order(0, 0).build()).await();
        assertEquals(1, begun.getSegments());
        assertEquals(8, takeOnceServed(3));
        var exactly = "seqsvr_segments_loaded_total{began=\"counters\",tier=\"allocsvr\"} 1.0";
        assertTrue(heir.scrape().contains(exactly), heir::scrape);
        assertEquals(3, old.take("messages", 103, 1), "the other segments stay");
        // What it does not own is passed over, once it knows: the heir may be told first.
        long start = System.nanoTime();
        while (old.call(AllocatorsRpc.HAND_OVER, order(0, 0).build()).await().getSegments() > 0) {
            assertTrue(Outcome.isInTime(start), "it never hears that it is gone");
        }
    }

    /** Whoever ordered it would wait for what never begins. */
    @Test
    void whereTheReceiverIsGivenNothingNoSegmentIsSaidToGo() {
        assertEquals(7, old.take("messages", 3, 7));
        var nobody = order(0, 9).setTo(heirSession + 1_000).build();
        assertEquals(0, old.call(AllocatorsRpc.HAND_OVER, nobody).await().getSegments());
        assertEquals(8, old.take("messages", 3, 1));
    }

    /** It seals before StoreSvr has confirmed anything: until its watch shows the heir, it has nobody to show. */
    @Test
    void theFormerOwnerShowsTheHeirAsSoonAsItHasSeenIt() {
        long before = old.awaitRoutes().getVersion();
        try (var caller = new FrameCaller(old.address())) {
            long last = 0;
            long known = before;
            AllocateReply reply;
            long start = System.nanoTime();
            do {
                reply = caller.ask(calls(1, 3).routesVersion(before));
                assertTrue(Outcome.isInTime(start), "the heir is never shown, but: " + reply);
                if (reply.getRefusalsCount() == 0) {
                    last = reply.getSeqs(0);
                    assertFalse(reply.hasRoutes());
                    // Again, as it keeps what the heir does not take within two seconds.
                    old.call(AllocatorsRpc.HAND_OVER, order(0, 0).build()).await();
                } else if (reply.hasRoutes()) {
                    assertTrue(reply.getRoutes().getVersion() > known, "a version is shown once");
                    known = reply.getRoutes().getVersion();
                }
            } while (reply.getRoutes().getRangesList().stream()
                    .noneMatch(range -> range.getFirstSegment() == 0 && range.getOwner() == heirSession));
            assertEquals(last + 1, takeOnceServed(3));
        }
    }

    @Test
    void whatAnAllocatorThatStopsOwnedGoesOnWithoutAGap() {
        assertEquals(7, old.take("messages", 3, 7));
        assertEquals(2, old.take("messages", 903, 2));
        old.stop();
        assertEquals(8, takeOnceServed(3));
        assertEquals(3, takeOnceServed(903));
        assertEquals(1, takeOnceServed(500));
    }

    @Test
    void aDrainedAllocatorOwnsNothingAndKeepsItsSession() {
        assertEquals(7, old.take("messages", 3, 7));
        var request = DrainRequest.newBuilder()
                .setClusterId(FakeStoreSvr.CLUSTER)
                .setSession(oldSession)
                .build();
        assertEquals(10, old.call(AllocatorsRpc.DRAIN, request).await().getSegments());
        assertEquals(8, takeOnceServed(3));
        old.awaitHealth(ServingStatus.NOT_SERVING);
        assertEquals(0, old.call(AllocatorsRpc.DRAIN, request).await().getSegments());
        assertTrue(store.session("alloc-1").orElseThrow().leaving());
        old.stop();
        assertTrue(store.session("alloc-1").isEmpty());
    }

    @Test
    void whoMeansAnotherProcessOrClusterIsRefused() {
        var wrongSession = Outcome.errorOf(
                old.call(AllocatorsRpc.HAND_OVER, order(0, 0).setSession(99).build()));
        assertEquals(GrpcStatus.FAILED_PRECONDITION, wrongSession.status());
        assertEquals(
                "this is session " + oldSession + " of cluster " + FakeStoreSvr.CLUSTER
                        + ", the call is for session 99 of cluster " + FakeStoreSvr.CLUSTER,
                wrongSession.message());
        var wrongCluster = Outcome.errorOf(old.call(
                AllocatorsRpc.HAND_OVER, order(0, 0).setClusterId("other").build()));
        assertEquals(GrpcStatus.FAILED_PRECONDITION, wrongCluster.status());
        assertEquals(1, old.take("messages", 3, 1));
    }

    @Test
    void ordersThatMakeNoSenseAreRefusedByName() {
        assertEquals(
                "segments 5 to 4 are no range",
                Outcome.errorOf(old.call(AllocatorsRpc.HAND_OVER, order(5, 4).build()))
                        .message());
        assertEquals(
                "one order may name 2000 segments; this one names more",
                Outcome.errorOf(old.call(
                                AllocatorsRpc.HAND_OVER,
                                order(0, Integer.MAX_VALUE).build()))
                        .message());
        assertEquals(
                "segments 2147483647 to 2147483647 do not exist; the last one of a namespace is 249999 at most",
                Outcome.errorOf(old.call(
                                AllocatorsRpc.HAND_OVER,
                                order(Integer.MAX_VALUE, Integer.MAX_VALUE).build()))
                        .message());
        assertEquals(
                0,
                old.call(AllocatorsRpc.HAND_OVER, order(249_999, 249_999).build())
                        .await()
                        .getSegments());
        assertEquals(
                "session " + oldSession + " owns these segments itself",
                Outcome.errorOf(old.call(
                                AllocatorsRpc.HAND_OVER,
                                order(0, 0).setTo(oldSession).build()))
                        .message());
    }

    @Test
    void messagesThatMakeNoSenseHarmNobody() {
        assertEquals(7, old.take("messages", 3, 7));
        var nobody = PeerMessage.newBuilder().setNamespaceId(9).setSegment(77).setEpoch(5);
        var kindless = Outcome.errorOf(told(nobody));
        assertEquals(ErrorReason.MALFORMED_REQUEST, kindless.reason());
        var outside = CounterTable.newBuilder()
                .setEpoch(1)
                .setHigh(7)
                .setServed(1)
                .addPages(CounterPage.newBuilder()
                        .setIndex(1_000_000)
                        .addPlaces(3)
                        .addBelowHigh(0));
        told(PeerMessage.newBuilder().setNamespaceId(1).setEpoch(1).setTableSealed(outside))
                .await();
        var negative =
                CounterTable.newBuilder().addPages(CounterPage.newBuilder().setIndex(-1));
        assertEquals(
                ErrorReason.MALFORMED_REQUEST,
                Outcome.errorOf(told(nobody.setTableSealed(negative))).reason());
        old.call(AllocatorsRpc.HAND_OVER, order(0, 0).build()).await();
        assertEquals(8, takeOnceServed(3));
    }

    private Future<TellReply> told(PeerMessage.Builder message) {
        return heir.call(
                AllocatorsRpc.TELL,
                TellRequest.newBuilder()
                        .setClusterId(FakeStoreSvr.CLUSTER)
                        .setFrom(oldSession)
                        .setTo(heirSession)
                        .addMessages(message)
                        .build());
    }
}
