package io.seqsvr.proto.codec;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Claim;
import io.seqsvr.proto.internal.v1.CloseSession;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Expel;
import io.seqsvr.proto.internal.v1.FetchTables;
import io.seqsvr.proto.internal.v1.HandOver;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.Leave;
import io.seqsvr.proto.internal.v1.Move;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.proto.internal.v1.RaiseFloor;
import io.seqsvr.proto.internal.v1.RaiseItem;
import io.seqsvr.proto.internal.v1.Release;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Sealed;
import io.seqsvr.proto.internal.v1.StoreTables;
import io.seqsvr.proto.internal.v1.StoredTable;
import java.util.List;

/** Commands of allocators, routers and operators, from the rules' form to the wire's. */
public final class CommandEncoder {
    private CommandEncoder() {}

    public static Command encode(StoreCommand command) {
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
        } else if (command instanceof StoreCommand.Leave leave) {
            encoded.setLeave(Leave.newBuilder().setSession(leave.session()));
        } else if (command instanceof StoreCommand.StoreTables store) {
            encoded.setStoreTables(encode(store));
        } else if (command instanceof StoreCommand.FetchTables fetch) {
            encoded.setFetchTables(
                    FetchTables.newBuilder().setSession(fetch.session()).addAllHoldings(holdings(fetch.holdings())));
        } else if (command instanceof StoreCommand.CreateNamespace create) {
            encoded.setCreateNamespace(SettingsCodec.encode(create.settings()));
        } else if (command instanceof StoreCommand.AlterNamespace alter) {
            encoded.setAlterNamespace(SettingsCodec.encode(alter.name(), alter.change()));
        } else if (command instanceof StoreCommand.AlterCluster alter) {
            encoded.setAlterCluster(SettingsCodec.encode(alter.change()));
        } else {
            throw new IllegalArgumentException("only StoreSvr itself sends " + command);
        }
        return encoded.build();
    }

    private static OpenSession encode(StoreCommand.OpenSession open) {
        return OpenSession.newBuilder()
                .setKind(SessionKindCodec.encode(open.kind()))
                .setNonce(open.nonce())
                .setName(open.name())
                .setAddress(open.address())
                .build();
    }

    private static Renew encode(StoreCommand.Renew renew) {
        return Renew.newBuilder()
                .setSession(renew.session())
                .addAllHoldings(holdings(renew.holdings()))
                .setAttempt(renew.attempt())
                .setHeard(renew.heard())
                .build();
    }

    private static List<Holding> holdings(List<StoreCommand.Holding> holdings) {
        return holdings.stream()
                .map(holding -> Holding.newBuilder()
                        .setNamespaceId(holding.segment().namespaceId())
                        .setSegment(holding.segment().index())
                        .setEpoch(holding.epoch())
                        .build())
                .toList();
    }

    private static StoreTables encode(StoreCommand.StoreTables store) {
        var encoded = StoreTables.newBuilder().setSession(store.session());
        for (var stored : store.tables()) {
            encoded.addTables(StoredTable.newBuilder()
                    .setNamespaceId(stored.segment().namespaceId())
                    .setSegment(stored.segment().index())
                    .setTable(TableCodec.encode(stored.table())));
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
