package io.seqsvr.proto.codec;

import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoredTable;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Sealed;
import io.seqsvr.proto.internal.v1.StoreTables;
import java.util.List;

/** Commands from the form of wire and log to that of the rules. */
public final class CommandDecoder {
    private CommandDecoder() {}

    /**
     * Decodes a command.
     *
     * @throws IllegalArgumentException if it is of no known kind or holds a value that no rule allows
     */
    public static StoreCommand decode(Command command) {
        return switch (command.getKindCase()) {
            case RENEW -> decode(command.getRenew());
            case RAISE -> decode(command.getRaise());
            case CLAIM ->
                new StoreCommand.Claim(
                        command.getClaim().getSession(), command.getClaim().getSince());
            case OPEN_SESSION -> decode(command.getOpenSession());
            case CLOSE_SESSION ->
                new StoreCommand.CloseSession(command.getCloseSession().getSession());
            case EXPEL -> new StoreCommand.Expel(command.getExpel().getSession());
            case EXPIRE_SESSION ->
                new StoreCommand.ExpireSession(
                        command.getExpireSession().getSession(),
                        command.getExpireSession().getRenewalSeen());
            case PUBLISH_ROUTES -> decode(command.getPublishRoutes());
            case RELEASE ->
                new StoreCommand.Release(
                        command.getRelease().getSession(),
                        sealed(command.getRelease().getItemsList()));
            case HAND_OVER ->
                new StoreCommand.HandOver(
                        command.getHandOver().getSession(),
                        sealed(command.getHandOver().getItemsList()),
                        command.getHandOver().getTo());
            case RAISE_FLOOR -> {
                var floor = command.getRaiseFloor();
                yield new StoreCommand.RaiseFloor(
                        new SegmentId(floor.getNamespaceId(), floor.getSegment()), floor.getFloor());
            }
            case LEAVE -> new StoreCommand.Leave(command.getLeave().getSession());
            case STORE_TABLES -> decode(command.getStoreTables());
            case FETCH_TABLES ->
                new StoreCommand.FetchTables(
                        command.getFetchTables().getSession(),
                        holdings(command.getFetchTables().getHoldingsList()));
            case CREATE_NAMESPACE ->
                new StoreCommand.CreateNamespace(SettingsCodec.decode(command.getCreateNamespace()));
            case ALTER_NAMESPACE ->
                new StoreCommand.AlterNamespace(
                        command.getAlterNamespace().getName(), SettingsCodec.decode(command.getAlterNamespace()));
            case ALTER_CLUSTER -> new StoreCommand.AlterCluster(SettingsCodec.decode(command.getAlterCluster()));
            case CREATE_CLUSTER -> decode(command.getCreateCluster());
            case KIND_NOT_SET -> throw new IllegalArgumentException("the command is of no known kind");
        };
    }

    private static StoreCommand decode(CreateCluster create) {
        return new StoreCommand.CreateCluster(
                create.getClusterId(),
                SettingsCodec.decode(create.getLease()),
                create.hasDefaults() ? SettingsCodec.decode(create.getDefaults()) : NamespaceDefaults.INITIAL,
                create.getNamespacesList().stream().map(SettingsCodec::decode).toList());
    }

    private static StoreCommand decode(OpenSession open) {
        return new StoreCommand.OpenSession(
                SessionKindCodec.decode(open.getKindValue()), open.getNonce(), open.getName(), open.getAddress());
    }

    private static StoreCommand decode(Renew renew) {
        return new StoreCommand.Renew(
                renew.getSession(), holdings(renew.getHoldingsList()), renew.getAttempt(), renew.getHeard());
    }

    private static List<StoreCommand.Holding> holdings(List<Holding> holdings) {
        return holdings.stream()
                .map(holding -> new StoreCommand.Holding(
                        new SegmentId(holding.getNamespaceId(), holding.getSegment()), holding.getEpoch()))
                .toList();
    }

    private static StoreCommand decode(StoreTables store) {
        return new StoreCommand.StoreTables(
                store.getSession(),
                store.getTablesList().stream()
                        .map(stored -> new StoredTable(
                                new SegmentId(stored.getNamespaceId(), stored.getSegment()),
                                TableCodec.decode(stored.getTable())))
                        .toList());
    }

    private static StoreCommand decode(PublishRoutes publish) {
        return new StoreCommand.PublishRoutes(
                publish.getExpectedVersion(),
                publish.getMovesList().stream()
                        .map(move -> new StoreCommand.Move(
                                move.getNamespaceId(),
                                move.getFirstSegment(),
                                move.getLastSegment(),
                                move.getSession()))
                        .toList());
    }

    private static StoreCommand decode(Raise raise) {
        return new StoreCommand.Raise(
                raise.getSession(),
                raise.getItemsList().stream()
                        .map(item -> new StoreCommand.RaiseItem(
                                new SegmentId(item.getNamespaceId(), item.getSegment()),
                                item.getEpoch(),
                                item.getMaxSeq()))
                        .toList());
    }

    private static List<StoreCommand.Sealed> sealed(List<Sealed> items) {
        return items.stream().map(CommandDecoder::sealed).toList();
    }

    /** A {@code high} that no long holds must not pass for the absent one. */
    private static StoreCommand.Sealed sealed(Sealed item) {
        var segment = new SegmentId(item.getNamespaceId(), item.getSegment());
        if (item.hasHigh() && item.getHigh() < 0) {
            throw new IllegalArgumentException("high of segment " + segment + " is "
                    + Long.toUnsignedString(item.getHigh()) + "; it must be below 2^63");
        }
        return new StoreCommand.Sealed(
                segment, item.getEpoch(), item.hasHigh() ? item.getHigh() : StoreCommand.Sealed.NO_HIGH);
    }
}
