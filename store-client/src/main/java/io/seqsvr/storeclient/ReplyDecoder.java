package io.seqsvr.storeclient;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Claimed;
import io.seqsvr.proto.internal.v1.Raised;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.View;
import java.util.List;

/** Replies and views of StoreSvr, from the wire's form to the rules'. */
final class ReplyDecoder {
    private ReplyDecoder() {}

    /** A reply; IllegalArgumentException if it breaks the format. */
    static StoreReply decode(Reply reply) {
        return switch (reply.getKindCase()) {
            case CLUSTER_CREATED ->
                new StoreReply.ClusterCreated(reply.getClusterCreated().getCreated());
            case SESSION_OPENED ->
                new StoreReply.SessionOpened(
                        reply.getSessionOpened().getSession(),
                        terms(reply.getSessionOpened().getLease()));
            case SESSION_HELD -> {
                var held = reply.getSessionHeld();
                yield new StoreReply.SessionHeld(
                        held.getHolder(), held.getName(), held.getAddress(), held.getRemainingNanos());
            }
            case RENEWED ->
                new StoreReply.Renewed(
                        reply.getRenewed().getAssignmentVersion(),
                        reply.getRenewed().getWatchVersion());
            case CLAIMED -> claimed(reply.getClaimed());
            case SESSION_GONE ->
                new StoreReply.SessionGone(reply.getSessionGone().getSession());
            case SESSION_ENDED ->
                new StoreReply.SessionEnded(reply.getSessionEnded().getSession());
            case EXPIRY_VOID -> new StoreReply.ExpiryVoid(reply.getExpiryVoid().getRenewal());
            case ROUTES_PUBLISHED ->
                new StoreReply.RoutesPublished(reply.getRoutesPublished().getVersion());
            case ROUTES_REFUSED ->
                new StoreReply.RoutesRefused(
                        reply.getRoutesRefused().getVersion(),
                        reply.getRoutesRefused().getReason());
            case RAISED -> raised(reply.getRaised());
            case REJECTED -> new StoreReply.Rejected(reply.getRejected().getReason());
            case KIND_NOT_SET -> throw new IllegalArgumentException("StoreSvr sent a reply of no known kind");
        };
    }

    static StoreView decode(long version, View view) {
        return new StoreView(
                version,
                terms(view.getLease()),
                namespaces(view.getNamespacesList()),
                view.getSessionsList().stream()
                        .map(session -> new StoreView.Member(
                                session.getSession(),
                                session.getName(),
                                session.getAddress(),
                                session.getAssignmentVersion()))
                        .toList(),
                new RouteTable(
                        view.getRoutes().getVersion(),
                        view.getRoutes().getRangesList().stream()
                                .map(range -> new RouteRange(
                                        range.getNamespaceId(),
                                        range.getFirstSegment(),
                                        range.getLastSegment(),
                                        range.getSession(),
                                        range.getEpoch()))
                                .toList()));
    }

    private static StoreReply claimed(Claimed claimed) {
        return new StoreReply.Claimed(
                claimed.getSegmentsList().stream()
                        .map(segment -> new StoreReply.ClaimedSegment(
                                new SegmentId(segment.getNamespaceId(), segment.getSegment()),
                                segment.getEpoch(),
                                segment.getBase(),
                                segment.getMaxSeq()))
                        .toList(),
                claimed.getThrough(),
                claimed.getMore(),
                namespaces(claimed.getNamespacesList()));
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

    private static List<Namespace> namespaces(List<io.seqsvr.proto.internal.v1.Namespace> namespaces) {
        return namespaces.stream()
                .map(namespace -> new Namespace(
                        namespace.getId(),
                        namespace.getName(),
                        namespace.getCapacity(),
                        namespace.getSegmentSize(),
                        namespace.getStep(),
                        namespace.getMaxCount(),
                        namespace.getMaxSequence()))
                .toList();
    }

    private static LeaseTerms terms(io.seqsvr.proto.internal.v1.LeaseTerms terms) {
        return new LeaseTerms(terms.getTtlNanos(), terms.getDriftPermille());
    }
}
