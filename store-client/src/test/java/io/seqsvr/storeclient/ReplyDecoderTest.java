package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Claimed;
import io.seqsvr.proto.internal.v1.ClaimedSegment;
import io.seqsvr.proto.internal.v1.ClusterCreated;
import io.seqsvr.proto.internal.v1.ExpiryVoid;
import io.seqsvr.proto.internal.v1.Raised;
import io.seqsvr.proto.internal.v1.RaisedItem;
import io.seqsvr.proto.internal.v1.Rejected;
import io.seqsvr.proto.internal.v1.Renewed;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.RouteTable;
import io.seqsvr.proto.internal.v1.RoutesPublished;
import io.seqsvr.proto.internal.v1.RoutesRefused;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.SessionEnded;
import io.seqsvr.proto.internal.v1.SessionGone;
import io.seqsvr.proto.internal.v1.SessionHeld;
import io.seqsvr.proto.internal.v1.SessionOpened;
import io.seqsvr.proto.internal.v1.View;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every reply of the wire, each with a different number in each field, so that none is taken for another. */
class ReplyDecoderTest {
    private static final LeaseTerms TERMS = new LeaseTerms(3_000_000_000L, 50);
    private static final Namespace MESSAGES = new Namespace(2, "messages", 1_000, 10, 100, 20, 1L << 53);

    private static final io.seqsvr.proto.internal.v1.LeaseTerms.Builder WIRE_TERMS =
            io.seqsvr.proto.internal.v1.LeaseTerms.newBuilder()
                    .setTtlNanos(3_000_000_000L)
                    .setDriftPermille(50);
    private static final io.seqsvr.proto.internal.v1.Namespace.Builder WIRE_MESSAGES =
            io.seqsvr.proto.internal.v1.Namespace.newBuilder()
                    .setId(2)
                    .setName("messages")
                    .setCapacity(1_000)
                    .setSegmentSize(10)
                    .setStep(100)
                    .setMaxCount(20)
                    .setMaxSequence(1L << 53);

    private static Reply.Builder reply() {
        return Reply.newBuilder();
    }

    @Test
    void everyReplyIsReadAsItWasMeant() {
        var replies = Map.ofEntries(
                Map.entry(
                        reply().setClusterCreated(ClusterCreated.newBuilder().setCreated(true)),
                        new StoreReply.ClusterCreated(true)),
                Map.entry(
                        reply().setSessionOpened(
                                        SessionOpened.newBuilder().setSession(1).setLease(WIRE_TERMS)),
                        new StoreReply.SessionOpened(1, TERMS)),
                Map.entry(
                        reply().setSessionHeld(SessionHeld.newBuilder()
                                .setHolder(1)
                                .setName("alloc-1")
                                .setAddress("a:1")
                                .setRemainingNanos(2)),
                        new StoreReply.SessionHeld(1, "alloc-1", "a:1", 2)),
                Map.entry(
                        reply().setRenewed(Renewed.newBuilder()
                                .setAssignmentVersion(1)
                                .setWatchVersion(2)),
                        new StoreReply.Renewed(1, 2)),
                Map.entry(
                        reply().setSessionGone(SessionGone.newBuilder().setSession(1)), new StoreReply.SessionGone(1)),
                Map.entry(
                        reply().setSessionEnded(SessionEnded.newBuilder().setSession(1)),
                        new StoreReply.SessionEnded(1)),
                Map.entry(reply().setExpiryVoid(ExpiryVoid.newBuilder().setRenewal(1)), new StoreReply.ExpiryVoid(1)),
                Map.entry(
                        reply().setRoutesPublished(RoutesPublished.newBuilder().setVersion(1)),
                        new StoreReply.RoutesPublished(1)),
                Map.entry(
                        reply().setRoutesRefused(
                                        RoutesRefused.newBuilder().setVersion(1).setReason("why")),
                        new StoreReply.RoutesRefused(1, "why")),
                Map.entry(
                        reply().setRaised(Raised.newBuilder()
                                .addItems(RaisedItem.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setEpoch(3)
                                        .setAccepted(true)
                                        .setMaxSeq(4))),
                        new StoreReply.Raised(List.of(new StoreReply.RaisedItem(new SegmentId(1, 2), 3, true, 4)))),
                Map.entry(reply().setRejected(Rejected.newBuilder().setReason("why")), new StoreReply.Rejected("why")),
                Map.entry(
                        reply().setClaimed(Claimed.newBuilder()
                                .addSegments(ClaimedSegment.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setEpoch(3)
                                        .setBase(4)
                                        .setMaxSeq(5))
                                .setThrough(6)
                                .setMore(true)
                                .addNamespaces(WIRE_MESSAGES)),
                        new StoreReply.Claimed(
                                List.of(new StoreReply.ClaimedSegment(new SegmentId(1, 2), 3, 4, 5)),
                                6,
                                true,
                                List.of(MESSAGES))));
        replies.forEach((wire, meant) -> assertEquals(meant, ReplyDecoder.decode(wire.build())));
        assertEquals(
                StoreReply.class.getPermittedSubclasses().length,
                replies.size(),
                "a reply of the rules has no line in this test");
    }

    @Test
    void aReplyOfNoKnownKindIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> ReplyDecoder.decode(Reply.getDefaultInstance()));
    }

    @Test
    void aViewIsReadAsItWasMeant() {
        var view = ReplyDecoder.decode(
                9,
                View.newBuilder()
                        .setLease(WIRE_TERMS)
                        .addNamespaces(WIRE_MESSAGES)
                        .addSessions(Session.newBuilder()
                                .setSession(1)
                                .setName("alloc-1")
                                .setAddress("a:1")
                                .setAssignmentVersion(2))
                        .setRoutes(RouteTable.newBuilder()
                                .setVersion(8)
                                .addRanges(io.seqsvr.proto.internal.v1.RouteRange.newBuilder()
                                        .setNamespaceId(3)
                                        .setFirstSegment(4)
                                        .setLastSegment(5)
                                        .setSession(6)
                                        .setEpoch(7)))
                        .build());
        assertEquals(9, view.version());
        assertEquals(TERMS, view.lease());
        assertEquals(List.of(MESSAGES), view.namespaces());
        assertEquals(List.of(new StoreView.Member(1, "alloc-1", "a:1", 2)), view.sessions());
        assertEquals(8, view.routes().version());
        assertEquals(List.of(new RouteRange(3, 4, 5, 6, 7)), view.routes().ranges());
    }
}
