package io.seqsvr.proto.codec;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Claimed;
import io.seqsvr.proto.internal.v1.Raised;
import io.seqsvr.proto.internal.v1.Released;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.TablesFetched;
import io.seqsvr.proto.internal.v1.View;
import java.util.List;
import java.util.Optional;

/** Replies and views of StoreSvr, from the wire's form to the rules'. */
public final class ReplyDecoder {
    private ReplyDecoder() {}

    /** A reply; IllegalArgumentException if it breaks the format. */
    public static StoreReply decode(Reply reply) {
        return switch (reply.getKindCase()) {
            case CLUSTER_CREATED ->
                new StoreReply.ClusterCreated(reply.getClusterCreated().getCreated());
            case SESSION_OPENED ->
                new StoreReply.SessionOpened(
                        reply.getSessionOpened().getSession(),
                        SettingsCodec.decode(reply.getSessionOpened().getLease()));
            case SESSION_HELD -> {
                var held = reply.getSessionHeld();
                yield new StoreReply.SessionHeld(
                        held.getHolder(), held.getName(), held.getAddress(), held.getRemainingNanos());
            }
            case RENEWED ->
                new StoreReply.Renewed(
                        reply.getRenewed().getAssignmentVersion(),
                        reply.getRenewed().getWatchVersion(),
                        reply.getRenewed().getConfirmedList());
            case RENEWAL_UNHEARD ->
                new StoreReply.RenewalUnheard(reply.getRenewalUnheard().getSession());
            case CLAIMED -> claimed(reply.getClaimed());
            case SESSION_GONE ->
                new StoreReply.SessionGone(reply.getSessionGone().getSession());
            case SESSION_ENDED ->
                new StoreReply.SessionEnded(reply.getSessionEnded().getSession());
            case SESSION_EXPELLED ->
                new StoreReply.SessionExpelled(reply.getSessionExpelled().getSession());
            case SESSION_LEAVING ->
                new StoreReply.SessionLeaving(reply.getSessionLeaving().getSession());
            case TABLES_STORED ->
                new StoreReply.TablesStored(reply.getTablesStored().getStoredList());
            case TABLES_FETCHED -> fetched(reply.getTablesFetched());
            case EXPIRY_VOID -> new StoreReply.ExpiryVoid(reply.getExpiryVoid().getRenewal());
            case ROUTES_PUBLISHED ->
                new StoreReply.RoutesPublished(reply.getRoutesPublished().getVersion());
            case ROUTES_REFUSED ->
                new StoreReply.RoutesRefused(
                        reply.getRoutesRefused().getVersion(),
                        reply.getRoutesRefused().getReason());
            case RAISED -> raised(reply.getRaised());
            case RELEASED -> released(reply.getReleased());
            case RECEIVER_REFUSED ->
                new StoreReply.ReceiverRefused(reply.getReceiverRefused().getReason());
            case FLOOR_RAISED ->
                new StoreReply.FloorRaised(reply.getFloorRaised().getMaxSeq());
            case FLOOR_REFUSED ->
                new StoreReply.FloorRefused(reply.getFloorRefused().getOwner());
            case NAMESPACE_CREATED ->
                new StoreReply.NamespaceCreated(
                        SettingsCodec.decode(reply.getNamespaceCreated().getNamespace()),
                        reply.getNamespaceCreated().getCreated());
            case NAMESPACE_ALTERED ->
                new StoreReply.NamespaceAltered(
                        SettingsCodec.decode(reply.getNamespaceAltered().getNamespace()));
            case NAMESPACE_REFUSED ->
                new StoreReply.NamespaceRefused(reply.getNamespaceRefused().getReason());
            case CLUSTER_ALTERED ->
                new StoreReply.ClusterAltered(
                        SettingsCodec.decode(reply.getClusterAltered().getLease()),
                        SettingsCodec.decode(reply.getClusterAltered().getDefaults()));
            case CLUSTER_REFUSED ->
                new StoreReply.ClusterRefused(reply.getClusterRefused().getReason());
            case REJECTED -> new StoreReply.Rejected(reply.getRejected().getReason());
            case KIND_NOT_SET -> throw new IllegalArgumentException("StoreSvr sent a reply of no known kind");
        };
    }

    /** A view; IllegalArgumentException if it breaks the format. */
    public static StoreView decode(long version, View view) {
        return new StoreView(
                version,
                SettingsCodec.decode(view.getLease()),
                namespaces(view.getNamespacesList()),
                view.getSessionsList().stream().map(ReplyDecoder::member).toList(),
                view.getPublishVersion(),
                table(view.getRoutes()),
                table(view.getReleased()));
    }

    private static StoreView.Member member(Session session) {
        return new StoreView.Member(
                session.getSession(),
                SessionKindCodec.decode(session.getKindValue()),
                session.getName(),
                session.getAddress(),
                session.getAssignmentVersion(),
                session.getExpelled(),
                session.getLeaving(),
                !session.getNeverRenewed());
    }

    private static RouteTable table(io.seqsvr.proto.internal.v1.RouteTable table) {
        return new RouteTable(
                table.getVersion(),
                table.getRangesList().stream()
                        .map(range -> new RouteRange(
                                range.getNamespaceId(),
                                range.getFirstSegment(),
                                range.getLastSegment(),
                                range.getSession(),
                                range.getEpoch()))
                        .toList());
    }

    private static StoreReply claimed(Claimed claimed) {
        return new StoreReply.Claimed(
                claimed.getSegmentsList().stream()
                        .map(segment -> new StoreReply.ClaimedSegment(
                                new SegmentId(segment.getNamespaceId(), segment.getSegment()),
                                segment.getEpoch(),
                                segment.getBase(),
                                segment.getFromHigh(),
                                segment.getMaxSeq(),
                                segment.getTableStored()))
                        .toList(),
                claimed.getThrough(),
                claimed.getMore(),
                claimed.getVersion(),
                namespaces(claimed.getNamespacesList()));
    }

    private static StoreReply fetched(TablesFetched fetched) {
        return new StoreReply.TablesFetched(fetched.getTablesList().stream()
                .map(found -> found.hasTable()
                        ? Optional.of(TableCodec.decode(found.getTable()))
                        : Optional.<CounterTable>empty())
                .toList());
    }

    private static StoreReply raised(Raised raised) {
        return new StoreReply.Raised(raised.getItemsList().stream()
                .map(item -> new StoreReply.RaisedItem(
                        new SegmentId(item.getNamespaceId(), item.getSegment()),
                        item.getEpoch(),
                        item.getAccepted(),
                        item.getMaxSeq()))
                .toList());
    }

    private static StoreReply released(Released released) {
        return new StoreReply.Released(released.getItemsList().stream()
                .map(item -> new StoreReply.ReleasedItem(
                        new SegmentId(item.getNamespaceId(), item.getSegment()), item.getEpoch(), item.getAccepted()))
                .toList());
    }

    private static List<Namespace> namespaces(List<io.seqsvr.proto.internal.v1.Namespace> namespaces) {
        return namespaces.stream().map(SettingsCodec::decode).toList();
    }
}
