package io.seqsvr.storeclient;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Claim;
import io.seqsvr.proto.internal.v1.CloseSession;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Expel;
import io.seqsvr.proto.internal.v1.HandOver;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.Move;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.proto.internal.v1.RaiseFloor;
import io.seqsvr.proto.internal.v1.RaiseItem;
import io.seqsvr.proto.internal.v1.Release;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Sealed;
import io.seqsvr.proto.internal.v1.SessionKind;
import java.util.List;

/** Commands of allocators, routers and operators, from the rules' form to the wire's. */
final class CommandEncoder {
    private CommandEncoder() {}

    static Command encode(StoreCommand command) {
        var encoded = Command.newBuilder();
        if (command instanceof StoreCommand.Renew renew) {
            encoded.setRenew(encode(renew));
        } else if (command instanceof StoreCommand.Raise raise) {
            encoded.setRaise(encode(raise));
        } else if (command instanceof StoreCommand.OpenSession open) {
            encoded.setOpenSession(encode(open));
        } else if (command instanceof StoreCommand.Claim claim) {
            encoded.setClaim(Claim.newBuilder().setSession(claim.session()).setSince(claim.since()));
        } else if (command instanceof StoreCommand.CloseSession close) {
            encoded.setCloseSession(CloseSession.newBuilder().setSession(close.session()));
        } else if (command instanceof StoreCommand.Expel expel) {
            encoded.setExpel(Expel.newBuilder().setSession(expel.session()));
        } else if (command instanceof StoreCommand.PublishRoutes publish) {
            encoded.setPublishRoutes(encode(publish));
        } else if (command instanceof StoreCommand.Release release) {
            encoded.setRelease(
                    Release.newBuilder().setSession(release.session()).addAllItems(encode(release.items())));
        } else if (command instanceof StoreCommand.HandOver handOver) {
            encoded.setHandOver(HandOver.newBuilder()
                    .setSession(handOver.session())
                    .addAllItems(encode(handOver.items()))
                    .setTo(handOver.to()));
        } else if (command instanceof StoreCommand.RaiseFloor floor) {
            encoded.setRaiseFloor(RaiseFloor.newBuilder()
                    .setNamespaceId(floor.segment().namespaceId())
                    .setSegment(floor.segment().index())
                    .setFloor(floor.floor()));
        } else if (command instanceof StoreCommand.CreateNamespace create) {
            encoded.setCreateNamespace(SettingsEncoder.encode(create));
        } else if (command instanceof StoreCommand.AlterNamespace alter) {
            encoded.setAlterNamespace(SettingsEncoder.encode(alter));
        } else if (command instanceof StoreCommand.AlterLease alter) {
            encoded.setAlterLease(SettingsEncoder.encode(alter));
        } else {
            throw new IllegalArgumentException("only StoreSvr itself sends " + command);
        }
        return encoded.build();
    }

    private static OpenSession encode(StoreCommand.OpenSession open) {
        return OpenSession.newBuilder()
                .setKind(
                        switch (open.kind()) {
                            case ALLOCATOR -> SessionKind.ALLOCATOR;
                            case ROUTER -> SessionKind.ROUTER;
                        })
                .setNonce(open.nonce())
                .setName(open.name())
                .setAddress(open.address())
                .build();
    }

    private static Renew encode(StoreCommand.Renew renew) {
        var encoded = Renew.newBuilder().setSession(renew.session());
        for (var holding : renew.holdings()) {
            encoded.addHoldings(Holding.newBuilder()
                    .setNamespaceId(holding.segment().namespaceId())
                    .setSegment(holding.segment().index())
                    .setEpoch(holding.epoch()));
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

    private static List<Sealed> encode(List<StoreCommand.Sealed> items) {
        return items.stream().map(CommandEncoder::encode).toList();
    }

    private static Sealed encode(StoreCommand.Sealed item) {
        var encoded = Sealed.newBuilder()
                .setNamespaceId(item.segment().namespaceId())
                .setSegment(item.segment().index())
                .setEpoch(item.epoch());
        if (item.high() != StoreCommand.Sealed.NO_HIGH) {
            encoded.setHigh(item.high());
        }
        return encoded.build();
    }
}
