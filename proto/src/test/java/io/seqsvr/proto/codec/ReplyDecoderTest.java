package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Claimed;
import io.seqsvr.proto.internal.v1.ClaimedSegment;
import io.seqsvr.proto.internal.v1.ClusterAltered;
import io.seqsvr.proto.internal.v1.ClusterCreated;
import io.seqsvr.proto.internal.v1.ClusterRefused;
import io.seqsvr.proto.internal.v1.ExpiryVoid;
import io.seqsvr.proto.internal.v1.FetchedTable;
import io.seqsvr.proto.internal.v1.FloorRaised;
import io.seqsvr.proto.internal.v1.FloorRefused;
import io.seqsvr.proto.internal.v1.NamespaceAltered;
import io.seqsvr.proto.internal.v1.NamespaceCreated;
import io.seqsvr.proto.internal.v1.NamespaceDefaults;
import io.seqsvr.proto.internal.v1.NamespaceRefused;
import io.seqsvr.proto.internal.v1.Raised;
import io.seqsvr.proto.internal.v1.RaisedItem;
import io.seqsvr.proto.internal.v1.ReceiverRefused;
import io.seqsvr.proto.internal.v1.Rejected;
import io.seqsvr.proto.internal.v1.Released;
import io.seqsvr.proto.internal.v1.ReleasedItem;
import io.seqsvr.proto.internal.v1.RenewalUnheard;
import io.seqsvr.proto.internal.v1.Renewed;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.RouteTable;
import io.seqsvr.proto.internal.v1.RoutesPublished;
import io.seqsvr.proto.internal.v1.RoutesRefused;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.SessionEnded;
import io.seqsvr.proto.internal.v1.SessionExpelled;
import io.seqsvr.proto.internal.v1.SessionGone;
import io.seqsvr.proto.internal.v1.SessionHeld;
import io.seqsvr.proto.internal.v1.SessionKind;
import io.seqsvr.proto.internal.v1.SessionLeaving;
import io.seqsvr.proto.internal.v1.SessionOpened;
import io.seqsvr.proto.internal.v1.TablesFetched;
import io.seqsvr.proto.internal.v1.TablesStored;
import io.seqsvr.proto.internal.v1.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every reply of the wire, each with a different number in each field, so that none is taken for another. */
class ReplyDecoderTest {
    private static final LeaseTerms TERMS = new LeaseTerms(3_000_000_000L, 50);
    private static final Namespace MESSAGES =
            new Namespace(2, "messages", 1_000, 10, Keying.HASHED, Order.QUORUM, 100, 20, 500, 1L << 53);

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
                    .setKeying(io.seqsvr.proto.internal.v1.Namespace.Keying.HASHED)
                    .setOrder(io.seqsvr.proto.internal.v1.Namespace.Order.QUORUM)
                    .setMaxJump(500)
                    .setStep(100)
                    .setMaxCount(20)
                    .setMaxSequence(1L << 53);

    private static final CounterTable TABLE = new CounterTable(3, 4, 5, 6, 7, List.of());

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
                                .setWatchVersion(2)
                                .addConfirmed(true)
                                .addConfirmed(false)),
                        new StoreReply.Renewed(1, 2, List.of(true, false))),
                Map.entry(
                        reply().setSessionGone(SessionGone.newBuilder().setSession(1)), new StoreReply.SessionGone(1)),
                Map.entry(
                        reply().setSessionEnded(SessionEnded.newBuilder().setSession(1)),
                        new StoreReply.SessionEnded(1)),
                Map.entry(
                        reply().setSessionLeaving(SessionLeaving.newBuilder().setSession(1)),
                        new StoreReply.SessionLeaving(1)),
                Map.entry(
                        reply().setTablesStored(TablesStored.newBuilder()
                                .addStored(true)
                                .addStored(false)),
                        new StoreReply.TablesStored(List.of(true, false))),
                Map.entry(
                        reply().setTablesFetched(TablesFetched.newBuilder()
                                .addTables(FetchedTable.newBuilder().setTable(TableCodec.encode(TABLE)))
                                .addTables(FetchedTable.getDefaultInstance())),
                        new StoreReply.TablesFetched(List.of(Optional.of(TABLE), Optional.empty()))),
                Map.entry(
                        reply().setRenewalUnheard(RenewalUnheard.newBuilder().setSession(1)),
                        new StoreReply.RenewalUnheard(1)),
                Map.entry(
                        reply().setSessionExpelled(SessionExpelled.newBuilder().setSession(1)),
                        new StoreReply.SessionExpelled(1)),
                Map.entry(
                        reply().setReleased(Released.newBuilder()
                                .addItems(ReleasedItem.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setEpoch(3)
                                        .setAccepted(true))),
                        new StoreReply.Released(List.of(new StoreReply.ReleasedItem(new SegmentId(1, 2), 3, true)))),
                Map.entry(
                        reply().setReceiverRefused(ReceiverRefused.newBuilder().setReason("why")),
                        new StoreReply.ReceiverRefused("why")),
                Map.entry(reply().setFloorRaised(FloorRaised.newBuilder().setMaxSeq(1)), new StoreReply.FloorRaised(1)),
                Map.entry(
                        reply().setFloorRefused(FloorRefused.newBuilder().setOwner(1)), new StoreReply.FloorRefused(1)),
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
                                        .setFromHigh(true)
                                        .setMaxSeq(5)
                                        .setTableStored(true))
                                .setThrough(6)
                                .setMore(true)
                                .setVersion(7)
                                .addNamespaces(WIRE_MESSAGES)),
                        new StoreReply.Claimed(
                                List.of(new StoreReply.ClaimedSegment(new SegmentId(1, 2), 3, 4, true, 5, true)),
                                6,
                                true,
                                7,
                                List.of(MESSAGES))),
                Map.entry(
                        reply().setNamespaceCreated(NamespaceCreated.newBuilder()
                                .setNamespace(WIRE_MESSAGES)
                                .setCreated(true)),
                        new StoreReply.NamespaceCreated(MESSAGES, true)),
                Map.entry(
                        reply().setNamespaceAltered(
                                        NamespaceAltered.newBuilder().setNamespace(WIRE_MESSAGES)),
                        new StoreReply.NamespaceAltered(MESSAGES)),
                Map.entry(
                        reply().setNamespaceRefused(
                                        NamespaceRefused.newBuilder().setReason("why")),
                        new StoreReply.NamespaceRefused("why")),
                Map.entry(
                        reply().setClusterAltered(ClusterAltered.newBuilder()
                                .setLease(WIRE_TERMS)
                                .setDefaults(NamespaceDefaults.newBuilder()
                                        .setSegmentSize(5)
                                        .setStep(6))),
                        new StoreReply.ClusterAltered(TERMS, new io.seqsvr.core.namespace.NamespaceDefaults(5, 6))),
                Map.entry(
                        reply().setClusterRefused(ClusterRefused.newBuilder().setReason("why")),
                        new StoreReply.ClusterRefused("why")));
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

    private static RouteTable table(int version, int firstNumber) {
        return RouteTable.newBuilder()
                .setVersion(version)
                .addRanges(io.seqsvr.proto.internal.v1.RouteRange.newBuilder()
                        .setNamespaceId(firstNumber)
                        .setFirstSegment(firstNumber + 1)
                        .setLastSegment(firstNumber + 2)
                        .setSession(firstNumber + 3)
                        .setEpoch(firstNumber + 4))
                .build();
    }

    private static Session.Builder session(SessionKind kind) {
        return Session.newBuilder()
                .setSession(1)
                .setKind(kind)
                .setName("one")
                .setAddress("a:1")
                .setAssignmentVersion(2);
    }

    @Test
    void aViewIsReadAsItWasMeant() {
        var view = ReplyDecoder.decode(
                9,
                View.newBuilder()
                        .setLease(WIRE_TERMS)
                        .addNamespaces(WIRE_MESSAGES)
                        .addSessions(session(SessionKind.ALLOCATOR).setExpelled(true))
                        .addSessions(
                                session(SessionKind.ROUTER).setLeaving(true).setNeverRenewed(true))
                        .setPublishVersion(6)
                        .setRoutes(table(8, 3))
                        .setReleased(table(7, 13))
                        .build());
        assertEquals(9, view.version());
        assertEquals(TERMS, view.lease());
        assertEquals(List.of(MESSAGES), view.namespaces());
        assertEquals(
                List.of(
                        new StoreView.Member(
                                1, io.seqsvr.core.store.SessionKind.ALLOCATOR, "one", "a:1", 2, true, false, true),
                        new StoreView.Member(
                                1, io.seqsvr.core.store.SessionKind.ROUTER, "one", "a:1", 2, false, true, false)),
                view.sessions());
        assertEquals(6, view.publishVersion());
        assertEquals(8, view.routes().version());
        assertEquals(List.of(new RouteRange(3, 4, 5, 6, 7)), view.routes().ranges());
        assertEquals(7, view.released().version());
        assertEquals(
                List.of(new RouteRange(13, 14, 15, 16, 17)), view.released().ranges());
    }

    private static void assertRefused(String message, View.Builder view) {
        var refused = assertThrows(IllegalArgumentException.class, () -> ReplyDecoder.decode(9, view.build()));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void aKindAnOrderOrAKeyingThatNobodyKnowsIsRefusedByItsNumber() {
        var view = View.newBuilder().setLease(WIRE_TERMS);
        assertRefused(
                "the kind of a session is 0; it must be 1 (allocator) or 2 (router)",
                view.clone().addSessions(session(SessionKind.SESSION_KIND_UNSPECIFIED)));
        assertRefused(
                "the kind of a session is 9; it must be 1 (allocator) or 2 (router)",
                view.clone().addSessions(session(SessionKind.ROUTER).setKindValue(9)));
        assertRefused(
                "the keying of namespace 'messages' is 0; it must be 1 (direct) or 2 (hashed)",
                view.clone().addNamespaces(WIRE_MESSAGES.clone().clearKeying()));
        assertRefused(
                "the keying of namespace 'messages' is 9; it must be 1 (direct) or 2 (hashed)",
                view.clone().addNamespaces(WIRE_MESSAGES.clone().setKeyingValue(9)));
        assertRefused(
                "the order of namespace 'messages' is 0; it must be 1 (lease) or 2 (quorum)",
                view.clone().addNamespaces(WIRE_MESSAGES.clone().clearOrder()));
        assertRefused(
                "the order of namespace 'messages' is 9; it must be 1 (lease) or 2 (quorum)",
                view.clone().addNamespaces(WIRE_MESSAGES.clone().setOrderValue(9)));
    }
}
