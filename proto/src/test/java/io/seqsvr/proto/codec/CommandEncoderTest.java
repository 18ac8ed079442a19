package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoredTable;
import io.seqsvr.proto.internal.v1.AlterCluster;
import io.seqsvr.proto.internal.v1.AlterNamespace;
import io.seqsvr.proto.internal.v1.Claim;
import io.seqsvr.proto.internal.v1.CloseSession;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateNamespace;
import io.seqsvr.proto.internal.v1.Expel;
import io.seqsvr.proto.internal.v1.FetchTables;
import io.seqsvr.proto.internal.v1.HandOver;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.Leave;
import io.seqsvr.proto.internal.v1.Move;
import io.seqsvr.proto.internal.v1.Namespace;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.PublishRoutes;
import io.seqsvr.proto.internal.v1.Raise;
import io.seqsvr.proto.internal.v1.RaiseFloor;
import io.seqsvr.proto.internal.v1.RaiseItem;
import io.seqsvr.proto.internal.v1.Release;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Sealed;
import io.seqsvr.proto.internal.v1.StoreTables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Every command that callers send, each with a different number in each field, so that none is taken for another. */
class CommandEncoderTest {
    private static final SegmentId SEGMENT = new SegmentId(1, 2);

    private static final CounterTable TABLE = new CounterTable(3, 4, 5, 6, 7, List.of());

    private static final List<StoreCommand> OF_STORE_SVR_ALONE = List.of(
            new StoreCommand.CreateCluster("cluster-1", new LeaseTerms(3_000_000_000L, 100), List.of()),
            new StoreCommand.ExpireSession(1, 2));

    private static Command.Builder command() {
        return Command.newBuilder();
    }

    private static Sealed.Builder sealed() {
        return Sealed.newBuilder().setNamespaceId(1).setSegment(2).setEpoch(3);
    }

    private static OpenSession.Builder openSession(io.seqsvr.proto.internal.v1.SessionKind kind) {
        return OpenSession.newBuilder()
                .setKind(kind)
                .setNonce(-1)
                .setName("one")
                .setAddress("a:1");
    }

    private static Map<StoreCommand, Command.Builder> commands() {
        var commands = new HashMap<StoreCommand, Command.Builder>();
        commands.put(
                new StoreCommand.OpenSession(SessionKind.ALLOCATOR, -1, "one", "a:1"),
                command().setOpenSession(openSession(io.seqsvr.proto.internal.v1.SessionKind.ALLOCATOR)));
        commands.put(
                new StoreCommand.OpenSession(SessionKind.ROUTER, -1, "one", "a:1"),
                command().setOpenSession(openSession(io.seqsvr.proto.internal.v1.SessionKind.ROUTER)));
        commands.put(
                new StoreCommand.Renew(9, List.of(new StoreCommand.Holding(SEGMENT, 3)), 8, 7),
                command()
                        .setRenew(Renew.newBuilder()
                                .setSession(9)
                                .addHoldings(Holding.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setEpoch(3))
                                .setAttempt(8)
                                .setHeard(7)));
        commands.put(
                new StoreCommand.Claim(1, 2),
                command().setClaim(Claim.newBuilder().setSession(1).setSince(2)));
        commands.put(
                new StoreCommand.CloseSession(1),
                command().setCloseSession(CloseSession.newBuilder().setSession(1)));
        commands.put(
                new StoreCommand.Expel(1), command().setExpel(Expel.newBuilder().setSession(1)));
        commands.put(
                new StoreCommand.PublishRoutes(9, List.of(new StoreCommand.Move(1, 2, 3, 4))),
                command()
                        .setPublishRoutes(PublishRoutes.newBuilder()
                                .setExpectedVersion(9)
                                .addMoves(Move.newBuilder()
                                        .setNamespaceId(1)
                                        .setFirstSegment(2)
                                        .setLastSegment(3)
                                        .setSession(4))));
        commands.put(
                new StoreCommand.Raise(9, List.of(new StoreCommand.RaiseItem(SEGMENT, 3, 4))),
                command()
                        .setRaise(Raise.newBuilder()
                                .setSession(9)
                                .addItems(RaiseItem.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setEpoch(3)
                                        .setMaxSeq(4))));
        commands.put(
                new StoreCommand.Release(9, List.of(new StoreCommand.Sealed(SEGMENT, 3, 4))),
                command().setRelease(Release.newBuilder().setSession(9).addItems(sealed().setHigh(4))));
        commands.put(
                new StoreCommand.HandOver(9, List.of(new StoreCommand.Sealed(SEGMENT, 3, 4)), 8),
                command()
                        .setHandOver(HandOver.newBuilder()
                                .setSession(9)
                                .addItems(sealed().setHigh(4))
                                .setTo(8)));
        commands.put(
                new StoreCommand.RaiseFloor(SEGMENT, 3),
                command()
                        .setRaiseFloor(RaiseFloor.newBuilder()
                                .setNamespaceId(1)
                                .setSegment(2)
                                .setFloor(3)));
        commands.put(
                new StoreCommand.Leave(1), command().setLeave(Leave.newBuilder().setSession(1)));
        commands.put(
                new StoreCommand.StoreTables(9, List.of(new StoredTable(SEGMENT, TABLE))),
                command()
                        .setStoreTables(StoreTables.newBuilder()
                                .setSession(9)
                                .addTables(io.seqsvr.proto.internal.v1.StoredTable.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setTable(TableCodec.encode(TABLE)))));
        commands.put(
                new StoreCommand.FetchTables(9, List.of(new StoreCommand.Holding(SEGMENT, 3))),
                command()
                        .setFetchTables(FetchTables.newBuilder()
                                .setSession(9)
                                .addHoldings(Holding.newBuilder()
                                        .setNamespaceId(1)
                                        .setSegment(2)
                                        .setEpoch(3))));
        settings(commands);
        return commands;
    }

    private static void settings(Map<StoreCommand, Command.Builder> commands) {
        commands.put(
                new StoreCommand.CreateNamespace(
                        new NamespaceSettings("one", 1, 2, Keying.HASHED, Order.QUORUM, 3, 4, 5, 6)),
                command()
                        .setCreateNamespace(CreateNamespace.newBuilder()
                                .setSettings(Namespace.newBuilder()
                                        .setName("one")
                                        .setCapacity(1)
                                        .setSegmentSize(2)
                                        .setKeying(Namespace.Keying.HASHED)
                                        .setOrder(Namespace.Order.QUORUM)
                                        .setStep(3)
                                        .setMaxCount(4)
                                        .setMaxJump(5)
                                        .setMaxSequence(6))));
        commands.put(
                new StoreCommand.AlterNamespace(
                        "one",
                        new NamespaceChange(
                                OptionalLong.of(1),
                                OptionalInt.of(2),
                                Optional.of(Keying.DIRECT),
                                Optional.of(Order.LEASE),
                                OptionalLong.of(3),
                                OptionalInt.of(4),
                                OptionalLong.of(0),
                                OptionalLong.of(6))),
                command()
                        .setAlterNamespace(AlterNamespace.newBuilder()
                                .setName("one")
                                .setCapacity(1)
                                .setSegmentSize(2)
                                .setKeying(Namespace.Keying.DIRECT)
                                .setOrder(Namespace.Order.LEASE)
                                .setStep(3)
                                .setMaxCount(4)
                                .setMaxJump(0)
                                .setMaxSequence(6)));
        commands.put(
                new StoreCommand.AlterCluster(new ClusterChange(
                        OptionalLong.of(1), OptionalInt.of(2), OptionalInt.of(3), OptionalLong.of(4))),
                command()
                        .setAlterCluster(AlterCluster.newBuilder()
                                .setTtlNanos(1)
                                .setDriftPermille(2)
                                .setSegmentSize(3)
                                .setStep(4)));
    }

    @Test
    void whatIsNotToBeAlteredIsAbsent() {
        assertEquals(
                command()
                        .setAlterNamespace(AlterNamespace.newBuilder().setName("one"))
                        .build(),
                CommandEncoder.encode(new StoreCommand.AlterNamespace("one", NamespaceChange.NONE)));
    }

    @Test
    void everyCommandIsWrittenAsItIsMeant() {
        commands().forEach((command, wire) -> assertEquals(wire.build(), CommandEncoder.encode(command)));
    }

    @Test
    void everyCommandOfTheRulesHasALineInThisTest() {
        var kinds =
                commands().keySet().stream().map(Object::getClass).distinct().count();
        // OfSession is no command of its own, but a name for several.
        var ofSession = StoreCommand.OfSession.class.getPermittedSubclasses().length;
        var others = StoreCommand.class.getPermittedSubclasses().length - 1;
        assertEquals(ofSession + others, kinds + OF_STORE_SVR_ALONE.size());
    }

    @Test
    void aHighThatIsZeroIsNoAbsentOne() {
        var known = new StoreCommand.Release(9, List.of(new StoreCommand.Sealed(SEGMENT, 3, 0)));
        assertEquals(
                sealed().setHigh(0).build(),
                CommandEncoder.encode(known).getRelease().getItems(0));
        var lost =
                new StoreCommand.Release(9, List.of(new StoreCommand.Sealed(SEGMENT, 3, StoreCommand.Sealed.NO_HIGH)));
        assertEquals(sealed().build(), CommandEncoder.encode(lost).getRelease().getItems(0));
    }

    @Test
    void whatOnlyStoreSvrSendsHasNoWireFormHere() {
        for (var command : OF_STORE_SVR_ALONE) {
            var refused = assertThrows(IllegalArgumentException.class, () -> CommandEncoder.encode(command));
            assertEquals("only StoreSvr itself sends " + command, refused.getMessage());
        }
    }
}
