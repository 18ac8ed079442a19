package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreReply.ReleasedItem;
import io.seqsvr.core.store.StoredTable;
import io.seqsvr.node.StartupException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Releases, hand-overs, tables, floors, expulsions and confirmations through the real service and the real log, of
 * groups of one, three and five peers.
 */
@ParameterizedClass(name = "{0} peers")
@ValueSource(ints = {1, 3, 5})
@Tag("group")
class PlannedMoveTest {
    @TempDir
    private static Path root = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit calls start first
    private static TestCluster cluster;

    @SuppressWarnings("NullAway.Init")
    private static TestClient client;

    @Parameter
    private int peers;

    @BeforeParameterizedClassInvocation
    static void start(int peers) throws StartupException {
        cluster = TestCluster.format(root.resolve(peers + "-peers"), peers);
        cluster.start();
        client = new TestClient(cluster.addresses());
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        client.close();
        cluster.close();
    }

    private static List<StoreCommand.Sealed> sealed(SegmentId segment, long epoch, long high) {
        return List.of(new StoreCommand.Sealed(segment, epoch, high));
    }

    private static StoreReply.Released accepted(SegmentId segment, long epoch) {
        return new StoreReply.Released(List.of(new ReleasedItem(segment, epoch, true)));
    }

    @Test
    void aHandOverGivesTheNextEpochItsStartAndTheTableItsVersionButNoNewPlan() {
        var segment = new SegmentId(1, 0);
        long former = client.open("former");
        long heir = client.open("heir");
        long published = client.publish(1, 0, 0, former);
        var handOver = new StoreCommand.HandOver(former, sealed(segment, 1, 42), heir);
        assertEquals(accepted(segment, 1), client.execute(handOver));
        assertEquals(List.of(new ClaimedSegment(segment, 2, 42, true, 142, false)), client.claim(heir));
        assertEquals(List.of(), client.claim(former));
        assertEquals(accepted(segment, 1), client.execute(handOver), "the repeat");
        var view = client.awaitView(seen -> seen.routes().version() > published);
        assertEquals(published, view.publishVersion());
        assertEquals(heir, view.routes().find(1, 0).map(RouteRange::owner).orElse(0L));
    }

    @Test
    void aReleasedSegmentIsMarkedInTheViewUntilSomebodyGetsIt() {
        var segment = new SegmentId(1, 1);
        long owner = client.open("giver");
        client.publish(1, 1, 1, owner);
        assertEquals(
                accepted(segment, 1),
                client.execute(new StoreCommand.Release(owner, sealed(segment, 1, StoreCommand.Sealed.NO_HIGH))));
        var released = client.awaitView(view -> view.released().find(1, 1).isPresent());
        assertEquals(
                new RouteRange(1, 1, 1, owner, 1),
                released.released().find(1, 1).orElseThrow());
        assertEquals(
                new RouteRange(1, 1, 1, owner, 1), released.routes().find(1, 1).orElseThrow());
        client.publish(1, 1, 1, owner);
        assertEquals(List.of(new ClaimedSegment(segment, 2, 100, false, 200, false)), client.claim(owner));
        client.awaitView(view -> view.released().find(1, 1).isEmpty());
    }

    @Test
    void aReceiverThatMayHaveNothingIsRefusedByName() {
        var segment = new SegmentId(1, 2);
        long owner = client.open("owner");
        client.publish(1, 2, 2, owner);
        long router = client.execute(
                        StoreReply.SessionOpened.class,
                        new StoreCommand.OpenSession(SessionKind.ROUTER, 1, "router", "router:1"))
                .session();
        assertEquals(
                new StoreReply.ReceiverRefused("session " + router + " is not an allocator's"),
                client.execute(new StoreCommand.HandOver(owner, sealed(segment, 1, 1), router)));
        var member = client.awaitView(view -> view.session(router).isPresent())
                .session(router)
                .orElseThrow();
        assertEquals(SessionKind.ROUTER, member.kind());
    }

    @Test
    void countersOfWhomLeavesWaitForTheNextOwner() {
        var segment = new SegmentId(1, 7);
        long leaving = client.open("leaving");
        client.publish(1, 7, 7, leaving);
        assertEquals(new StoreReply.SessionLeaving(leaving), client.execute(new StoreCommand.Leave(leaving)));
        assertTrue(client.awaitView(view -> view.receivers().stream().noneMatch(member -> member.id() == leaving))
                .session(leaving)
                .isPresent());
        var counters = new SegmentCounters(1, 100, 200, 10, Long.MAX_VALUE);
        counters.take(3, 2);
        var kept = new StoredTable(segment, counters.table());
        assertEquals(
                new StoreReply.TablesStored(List.of(true)),
                client.execute(new StoreCommand.StoreTables(leaving, List.of(kept))));
        long high = counters.table().high();
        assertEquals(accepted(segment, 1), client.execute(new StoreCommand.Release(leaving, sealed(segment, 1, high))));
        long next = client.open("next");
        client.publish(1, 7, 7, next);
        try (var through = new TestClient(List.of(cluster.address(peers - 1)))) {
            assertEquals(List.of(new ClaimedSegment(segment, 2, high, true, high + 100, true)), through.claim(next));
        }
        assertEquals(
                new StoreReply.TablesFetched(List.of(Optional.of(kept.table()))),
                client.execute(new StoreCommand.FetchTables(next, List.of(new StoreCommand.Holding(segment, 2)))));
    }

    @Test
    void aFloorIsForWhatHasNoOwner() {
        var segment = new SegmentId(1, 3);
        assertEquals(new StoreReply.FloorRaised(5_000), client.execute(new StoreCommand.RaiseFloor(segment, 5_000)));
        long owner = client.open("owner-of-floor");
        client.publish(1, 3, 3, owner);
        assertEquals(List.of(new ClaimedSegment(segment, 1, 5_000, false, 5_100, false)), client.claim(owner));
        assertEquals(new StoreReply.FloorRefused(owner), client.execute(new StoreCommand.RaiseFloor(segment, 9_000)));
        client.execute(StoreReply.Rejected.class, new StoreCommand.RaiseFloor(new SegmentId(1, 10), 1));
    }

    @Test
    void anExpelledSessionIsToldSoInTheViewAndMayDoNothingMore() {
        var segment = new SegmentId(1, 4);
        long expelled = client.open("expelled");
        client.publish(1, 4, 4, expelled);
        assertEquals(new StoreReply.SessionExpelled(expelled), client.execute(new StoreCommand.Expel(expelled)));
        for (var command : List.of(
                new StoreCommand.Renew(expelled),
                new StoreCommand.Claim(expelled, 0),
                new StoreCommand.CloseSession(expelled),
                new StoreCommand.Release(expelled, sealed(segment, 1, 1)))) {
            assertEquals(new StoreReply.SessionGone(expelled), client.execute(command));
        }
        var view = client.awaitView(seen ->
                seen.session(expelled).filter(member -> member.expelled()).isPresent());
        assertFalse(view.receivers().stream().anyMatch(member -> member.id() == expelled));
    }

    @Test
    void aRenewalConfirmsWhatItsSessionHoldsAndNothingElse() {
        long holder = client.open("holder");
        client.publish(1, 5, 6, holder);
        var renewed = client.execute(
                StoreReply.Renewed.class,
                new StoreCommand.Renew(
                        holder,
                        List.of(
                                new StoreCommand.Holding(new SegmentId(1, 5), 1),
                                new StoreCommand.Holding(new SegmentId(1, 6), 2),
                                new StoreCommand.Holding(new SegmentId(1, 9), 1),
                                new StoreCommand.Holding(new SegmentId(1, 6), 1))));
        assertEquals(List.of(true, false, false, true), renewed.confirmed());
        assertTrue(renewed.assignmentVersion() > holder);
    }
}
