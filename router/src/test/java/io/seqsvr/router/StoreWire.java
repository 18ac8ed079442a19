package io.seqsvr.router;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.Rejected;
import io.seqsvr.proto.internal.v1.Renewed;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.RouteRange;
import io.seqsvr.proto.internal.v1.RouteTable;
import io.seqsvr.proto.internal.v1.RoutesPublished;
import io.seqsvr.proto.internal.v1.RoutesRefused;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.SessionEnded;
import io.seqsvr.proto.internal.v1.SessionGone;
import io.seqsvr.proto.internal.v1.SessionHeld;
import io.seqsvr.proto.internal.v1.SessionKind;
import io.seqsvr.proto.internal.v1.SessionOpened;
import io.seqsvr.proto.internal.v1.View;

/** What a router says to StoreSvr and hears from it, between the form of the wire and that of the rules. */
final class StoreWire {
    private StoreWire() {}

    static StoreCommand decode(Command command) {
        if (command.hasOpenSession()) {
            var open = command.getOpenSession();
            if (open.getKind() != SessionKind.ROUTER) {
                throw new IllegalArgumentException("no router opens a session of kind " + open.getKind());
            }
            return new StoreCommand.OpenSession(
                    io.seqsvr.core.store.SessionKind.ROUTER, open.getNonce(), open.getName(), open.getAddress());
        }
        if (command.hasRenew()) {
            return new StoreCommand.Renew(command.getRenew().getSession());
        }
        if (command.hasCloseSession()) {
            return new StoreCommand.CloseSession(command.getCloseSession().getSession());
        }
        if (!command.hasPublishRoutes()) {
            throw new IllegalArgumentException("no router sends " + command.getKindCase());
        }
        return new StoreCommand.PublishRoutes(
                command.getPublishRoutes().getExpectedVersion(),
                command.getPublishRoutes().getMovesList().stream()
                        .map(move -> new StoreCommand.Move(
                                move.getNamespaceId(),
                                move.getFirstSegment(),
                                move.getLastSegment(),
                                move.getSession()))
                        .toList());
    }

    static Reply encode(StoreReply reply) {
        var encoded = Reply.newBuilder();
        if (reply instanceof StoreReply.RoutesPublished published) {
            encoded.setRoutesPublished(RoutesPublished.newBuilder().setVersion(published.version()));
        } else if (reply instanceof StoreReply.RoutesRefused refused) {
            encoded.setRoutesRefused(
                    RoutesRefused.newBuilder().setVersion(refused.version()).setReason(refused.reason()));
        } else if (reply instanceof StoreReply.SessionOpened opened) {
            encoded.setSessionOpened(
                    SessionOpened.newBuilder().setSession(opened.session()).setLease(encode(opened.lease())));
        } else if (reply instanceof StoreReply.SessionHeld held) {
            encoded.setSessionHeld(SessionHeld.newBuilder()
                    .setHolder(held.holder())
                    .setName(held.name())
                    .setAddress(held.address())
                    .setRemainingNanos(held.remainingNanos()));
        } else if (reply instanceof StoreReply.Renewed renewed) {
            encoded.setRenewed(Renewed.newBuilder().setWatchVersion(renewed.watchVersion()));
        } else if (reply instanceof StoreReply.SessionGone gone) {
            encoded.setSessionGone(SessionGone.newBuilder().setSession(gone.session()));
        } else if (reply instanceof StoreReply.SessionEnded ended) {
            encoded.setSessionEnded(SessionEnded.newBuilder().setSession(ended.session()));
        } else if (reply instanceof StoreReply.Rejected rejected) {
            encoded.setRejected(Rejected.newBuilder().setReason(rejected.reason()));
        } else {
            throw new IllegalArgumentException("no router hears " + reply);
        }
        return encoded.build();
    }

    static View encode(StoreView view) {
        var encoded = View.newBuilder()
                .setPublishVersion(view.publishVersion())
                .setRoutes(encode(view.routes()))
                .setReleased(encode(view.released()));
        encoded.setLease(encode(view.lease()));
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

    private static LeaseTerms encode(io.seqsvr.core.lease.LeaseTerms lease) {
        return LeaseTerms.newBuilder()
                .setTtlNanos(lease.ttlNanos())
                .setDriftPermille(lease.driftPermille())
                .build();
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
}
