package io.seqsvr.storeclient;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Claim;
import io.seqsvr.proto.internal.v1.CloseSession;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Move;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.proto.internal.v1.RaiseItem;
import io.seqsvr.proto.internal.v1.Renew;

/** Commands of allocators and routers, from the rules' form to the wire's. */
final class CommandEncoder {
    private CommandEncoder() {}

    static Command encode(StoreCommand command) {
        var encoded = Command.newBuilder();
        if (command instanceof StoreCommand.Renew renew) {
            encoded.setRenew(Renew.newBuilder().setSession(renew.session()));
        } else if (command instanceof StoreCommand.Raise raise) {
            encoded.setRaise(encode(raise));
        } else if (command instanceof StoreCommand.OpenSession open) {
            encoded.setOpenSession(OpenSession.newBuilder()
                    .setNonce(open.nonce())
                    .setName(open.name())
                    .setAddress(open.address()));
        } else if (command instanceof StoreCommand.Claim claim) {
            encoded.setClaim(Claim.newBuilder().setSession(claim.session()).setSince(claim.since()));
        } else if (command instanceof StoreCommand.CloseSession close) {
            encoded.setCloseSession(CloseSession.newBuilder().setSession(close.session()));
        } else if (command instanceof StoreCommand.PublishRoutes publish) {
            encoded.setPublishRoutes(encode(publish));
        } else {
            throw new IllegalArgumentException("only StoreSvr itself sends " + command);
        }
        return encoded.build();
    }

    private static Raise encode(StoreCommand.Raise raise) {
        var encoded = Raise.newBuilder().setSession(raise.session());
        for (var item : raise.items()) {
            encoded.addItems(RaiseItem.newBuilder()
                    .setNamespaceId(item.segment().namespaceId())
                    .setSegment(item.segment().index())
                    .setEpoch(item.epoch())
                    .setMaxSeq(item.maxSeq()));
        }
        return encoded.build();
    }

    private static PublishRoutes encode(StoreCommand.PublishRoutes publish) {
        var encoded = PublishRoutes.newBuilder().setExpectedVersion(publish.expectedVersion());
        for (var move : publish.moves()) {
            encoded.addMoves(Move.newBuilder()
                    .setNamespaceId(move.namespaceId())
                    .setFirstSegment(move.first())
                    .setLastSegment(move.last())
                    .setSession(move.session()));
        }
        return encoded.build();
    }
}
