package io.seqsvr.allocsvr;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Claimed;
import io.seqsvr.proto.internal.v1.ClaimedSegment;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.Raised;
import io.seqsvr.proto.internal.v1.RaisedItem;
import io.seqsvr.proto.internal.v1.Rejected;
import io.seqsvr.proto.internal.v1.Renewed;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.RouteRange;
import io.seqsvr.proto.internal.v1.RouteTable;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.SessionEnded;
import io.seqsvr.proto.internal.v1.SessionGone;
import io.seqsvr.proto.internal.v1.SessionHeld;
import io.seqsvr.proto.internal.v1.SessionKind;
import io.seqsvr.proto.internal.v1.SessionOpened;
import io.seqsvr.proto.internal.v1.View;

/** What an AllocSvr says to StoreSvr and hears from it, between the form of the wire and that of the rules. */
final class StoreWire {
    private StoreWire() {}

    static StoreCommand decode(Command command) {
        return switch (command.getKindCase()) {
            case OPEN_SESSION -> {
                var open = command.getOpenSession();
                yield new StoreCommand.OpenSession(
                        kind(open.getKind()), open.getNonce(), open.getName(), open.getAddress());
            }
            case RENEW ->
                new StoreCommand.Renew(
                        command.getRenew().getSession(),
                        command.getRenew().getHoldingsList().stream()
                                .map(holding -> new StoreCommand.Holding(
                                        new SegmentId(holding.getNamespaceId(), holding.getSegment()),
                                        holding.getEpoch()))
                                .toList());
            case CLAIM ->
                new StoreCommand.Claim(
                        command.getClaim().getSession(), command.getClaim().getSince());
            case RAISE ->
                new StoreCommand.Raise(
                        command.getRaise().getSession(),
                        command.getRaise().getItemsList().stream()
                                .map(item -> new StoreCommand.RaiseItem(
                                        new SegmentId(item.getNamespaceId(), item.getSegment()),
                                        item.getEpoch(),
                                        item.getMaxSeq()))
                                .toList());
            case CLOSE_SESSION ->
                new StoreCommand.CloseSession(command.getCloseSession().getSession());
            case CREATE_CLUSTER,
                    EXPIRE_SESSION,
                    PUBLISH_ROUTES,
                    EXPEL,
                    RELEASE,
                    HAND_OVER,
                    RAISE_FLOOR,
                    CREATE_NAMESPACE,
                    ALTER_NAMESPACE,
                    ALTER_LEASE,
                    KIND_NOT_SET -> throw new IllegalArgumentException("no AllocSvr sends " + command.getKindCase());
        };
    }

    private static io.seqsvr.core.store.SessionKind kind(SessionKind kind) {
        if (kind != SessionKind.ALLOCATOR) {
            throw new IllegalArgumentException("no AllocSvr opens a session of kind " + kind);
        }
        return io.seqsvr.core.store.SessionKind.ALLOCATOR;
    }

    static Reply encode(StoreReply reply) {
        var encoded = Reply.newBuilder();
        if (reply instanceof StoreReply.Renewed renewed) {
            encoded.setRenewed(Renewed.newBuilder()
                    .setAssignmentVersion(renewed.assignmentVersion())
                    .setWatchVersion(renewed.watchVersion())
                    .addAllConfirmed(renewed.confirmed()));
        } else if (reply instanceof StoreReply.Raised raised) {
            encoded.setRaised(encode(raised));
        } else if (reply instanceof StoreReply.Claimed claimed) {
            encoded.setClaimed(encode(claimed));
        } else if (reply instanceof StoreReply.SessionOpened opened) {
            encoded.setSessionOpened(
                    SessionOpened.newBuilder().setSession(opened.session()).setLease(encode(opened.lease())));
        } else if (reply instanceof StoreReply.SessionHeld held) {
            encoded.setSessionHeld(SessionHeld.newBuilder()
                    .setHolder(held.holder())
                    .setName(held.name())
                    .setAddress(held.address())
                    .setRemainingNanos(held.remainingNanos()));
        } else if (reply instanceof StoreReply.SessionGone gone) {
            encoded.setSessionGone(SessionGone.newBuilder().setSession(gone.session()));
        } else if (reply instanceof StoreReply.SessionEnded ended) {
            encoded.setSessionEnded(SessionEnded.newBuilder().setSession(ended.session()));
        } else if (reply instanceof StoreReply.Rejected rejected) {
            encoded.setRejected(Rejected.newBuilder().setReason(rejected.reason()));
        } else {
            throw new IllegalArgumentException("no AllocSvr hears " + reply);
        }
        return encoded.build();
    }

    private static Raised encode(StoreReply.Raised raised) {
        var encoded = Raised.newBuilder();
        for (var item : raised.items()) {
            encoded.addItems(RaisedItem.newBuilder()
                    .setNamespaceId(item.segment().namespaceId())
                    .setSegment(item.segment().index())
                    .setEpoch(item.epoch())
                    .setAccepted(item.accepted())
                    .setMaxSeq(item.maxSeq()));
        }
        return encoded.build();
    }

    private static Claimed encode(StoreReply.Claimed claimed) {
        var encoded = Claimed.newBuilder()
                .setThrough(claimed.through())
                .setMore(claimed.more())
                .setVersion(claimed.version());
        for (var segment : claimed.segments()) {
            encoded.addSegments(ClaimedSegment.newBuilder()
                    .setNamespaceId(segment.segment().namespaceId())
                    .setSegment(segment.segment().index())
                    .setEpoch(segment.epoch())
                    .setBase(segment.base())
                    .setFromHigh(segment.fromHigh())
                    .setMaxSeq(segment.maxSeq()));
        }
        claimed.namespaces().forEach(namespace -> encoded.addNamespaces(encode(namespace)));
        return encoded.build();
    }

    static View encode(StoreView view) {
        var encoded = View.newBuilder()
                .setPublishVersion(view.publishVersion())
                .setRoutes(encode(view.routes()))
                .setReleased(encode(view.released()))
                .setLease(encode(view.lease()));
        view.namespaces().forEach(namespace -> encoded.addNamespaces(encode(namespace)));
        for (var session : view.sessions()) {
            encoded.addSessions(Session.newBuilder()
                    .setSession(session.id())
                    .setKind(encode(session.kind()))
                    .setName(session.name())
                    .setAddress(session.address())
                    .setAssignmentVersion(session.assignmentVersion())
                    .setExpelled(session.expelled()));
        }
        return encoded.build();
    }

    private static RouteTable encode(io.seqsvr.core.route.RouteTable table) {
        var encoded = RouteTable.newBuilder().setVersion(table.version());
        for (var range : table.ranges()) {
            encoded.addRanges(RouteRange.newBuilder()
                    .setNamespaceId(range.namespaceId())
                    .setFirstSegment(range.first())
                    .setLastSegment(range.last())
                    .setSession(range.owner())
                    .setEpoch(range.epoch()));
        }
        return encoded.build();
    }

    private static SessionKind encode(io.seqsvr.core.store.SessionKind kind) {
        return switch (kind) {
            case ALLOCATOR -> SessionKind.ALLOCATOR;
            case ROUTER -> SessionKind.ROUTER;
        };
    }

    private static io.seqsvr.proto.internal.v1.Namespace encode(Namespace namespace) {
        return io.seqsvr.proto.internal.v1.Namespace.newBuilder()
                .setId(namespace.id())
                .setName(namespace.name())
                .setCapacity(namespace.capacity())
                .setSegmentSize(namespace.segmentSize())
                .setKeying(
                        switch (namespace.keying()) {
                            case DIRECT -> io.seqsvr.proto.internal.v1.Namespace.Keying.DIRECT;
                            case HASHED -> io.seqsvr.proto.internal.v1.Namespace.Keying.HASHED;
                        })
                .setOrder(
                        switch (namespace.order()) {
                            case LEASE -> io.seqsvr.proto.internal.v1.Namespace.Order.LEASE;
                            case QUORUM -> io.seqsvr.proto.internal.v1.Namespace.Order.QUORUM;
                        })
                .setMaxJump(namespace.maxJump())
                .setStep(namespace.step())
                .setMaxCount(namespace.maxCount())
                .setMaxSequence(namespace.maxSequence())
                .build();
    }

    private static LeaseTerms encode(io.seqsvr.core.lease.LeaseTerms terms) {
        return LeaseTerms.newBuilder()
                .setTtlNanos(terms.ttlNanos())
                .setDriftPermille(terms.driftPermille())
                .build();
    }
}
