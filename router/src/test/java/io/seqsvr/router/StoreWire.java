package io.seqsvr.router;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.Rejected;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.RouteRange;
import io.seqsvr.proto.internal.v1.RouteTable;
import io.seqsvr.proto.internal.v1.RoutesPublished;
import io.seqsvr.proto.internal.v1.RoutesRefused;
import io.seqsvr.proto.internal.v1.Session;
import io.seqsvr.proto.internal.v1.View;

/** What a router says to StoreSvr and hears from it, between the form of the wire and that of the rules. */
final class StoreWire {
    private StoreWire() {}

    static StoreCommand.PublishRoutes decode(Command command) {
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
        } else if (reply instanceof StoreReply.Rejected rejected) {
            encoded.setRejected(Rejected.newBuilder().setReason(rejected.reason()));
        } else {
            throw new IllegalArgumentException("no router hears " + reply);
        }
        return encoded.build();
    }

    static View encode(StoreView view) {
        var routes = RouteTable.newBuilder().setVersion(view.routes().version());
        for (var range : view.routes().ranges()) {
            routes.addRanges(RouteRange.newBuilder()
                    .setNamespaceId(range.namespaceId())
                    .setFirstSegment(range.first())
                    .setLastSegment(range.last())
                    .setSession(range.owner())
                    .setEpoch(range.epoch()));
        }
        var encoded = View.newBuilder().setRoutes(routes);
        encoded.setLease(LeaseTerms.newBuilder()
                .setTtlNanos(view.lease().ttlNanos())
                .setDriftPermille(view.lease().driftPermille()));
        view.namespaces().forEach(namespace -> encoded.addNamespaces(encode(namespace)));
        for (var session : view.sessions()) {
            encoded.addSessions(Session.newBuilder()
                    .setSession(session.id())
                    .setName(session.name())
                    .setAddress(session.address())
                    .setAssignmentVersion(session.assignmentVersion()));
        }
        return encoded.build();
    }

    private static io.seqsvr.proto.internal.v1.Namespace encode(Namespace namespace) {
        return io.seqsvr.proto.internal.v1.Namespace.newBuilder()
                .setId(namespace.id())
                .setName(namespace.name())
                .setCapacity(namespace.capacity())
                .setSegmentSize(namespace.segmentSize())
                .setStep(namespace.step())
                .setMaxCount(namespace.maxCount())
                .setMaxSequence(namespace.maxSequence())
                .build();
    }
}
