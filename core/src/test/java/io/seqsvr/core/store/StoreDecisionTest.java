package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreCommand.AlterCluster;
import io.seqsvr.core.store.StoreCommand.AlterNamespace;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.CreateCluster;
import io.seqsvr.core.store.StoreCommand.CreateNamespace;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.FetchTables;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Leave;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is common to all replicated commands: decide first, apply after, the same on every replica. */
class StoreDecisionTest {
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE);

    private static final StoreRules RULES = new StoreRules();

    private static final List<StoreCommand> OF_EACH_KIND = List.of(
            new CreateCluster("other", LEASE, List.of()),
            new OpenSession(SessionKind.ALLOCATOR, 9, "carol", "c:1"),
            new Renew(Stamp.of(0, 2, 0)),
            new Claim(Stamp.of(0, 2, 0), 0),
            new CloseSession(Stamp.of(0, 2, 0)),
            new ExpireSession(Stamp.of(0, 2, 0), Stamp.of(0, 2, 0)),
            new PublishRoutes(Stamp.of(0, 3, 0), List.of(new Move(1, 5, 6, Stamp.of(0, 2, 0)))),
            new Raise(Stamp.of(0, 2, 0), List.of(new RaiseItem(new SegmentId(1, 0), 1, 500))),
            new Expel(Stamp.of(0, 2, 0)),
            new Release(Stamp.of(0, 2, 0), List.of(new Sealed(new SegmentId(1, 1), 1, 42))),
            new HandOver(Stamp.of(0, 2, 0), List.of(new Sealed(new SegmentId(1, 2), 1, 42)), Stamp.of(0, 2, 0)),
            new RaiseFloor(new SegmentId(1, 700), 5_000),
            new CreateNamespace(Namespace.ofDefaults(1, "moments").settings()),
            new AlterNamespace("messages", NamespaceChange.NONE.withStep(7)),
            new AlterCluster(ClusterChange.to(new LeaseTerms(4_000_000_000L, 20))),
            new Leave(Stamp.of(0, 2, 0)),
            new StoreTables(Stamp.of(0, 2, 0), List.of(new StoredTable(new SegmentId(1, 0), table()))),
            new FetchTables(Stamp.of(0, 2, 0), List.of(new Holding(new SegmentId(1, 0), 1))));

    private static CounterTable table() {
        var counters = new SegmentCounters(1, 0, 100, 1, Long.MAX_VALUE);
        counters.take(0, 3);
        return counters.table();
    }

    private static FakeStore withAliceAndHerSegments() {
        var store = new FakeStore(LEASE, MESSAGES);
        long alice = store.open("alice");
        assertEquals(Stamp.of(0, 2, 0), alice);
        store.publish(new Move(1, 0, 4, alice));
        return store;
    }

    @Test
    void nothingButItsCreationHappensToAClusterThatDoesNotExist() {
        var state = new StoreState();
        for (var command : OF_EACH_KIND.subList(1, OF_EACH_KIND.size())) {
            var decision = RULES.decide(state, Stamp.of(0, 1, 0), command);
            assertInstanceOf(StoreReply.Rejected.class, decision.reply(), command.toString());
            assertEquals(List.of(), decision.changes());
        }
        assertEquals(Optional.empty(), StoreView.of(state));
        assertEquals(0, state.routes().version());
    }

    @Test
    void aClusterIsCreatedOnce() {
        var store = withAliceAndHerSegments();
        var before = Rows.of(store.state());
        var again = new CreateCluster("other", new LeaseTerms(9_000_000_000L, 10), List.of());
        assertEquals(new StoreReply.ClusterCreated(false), store.execute(again));
        assertEquals(before, Rows.of(store.state()));
        assertEquals("test-cluster", store.state().cluster().orElseThrow().id());
    }

    @Test
    void aDecisionAloneChangesNothing() {
        var store = withAliceAndHerSegments();
        for (var command : OF_EACH_KIND) {
            var before = Rows.of(store.state());
            RULES.decide(store.state(), Stamp.of(0, 9, 0), command);
            assertEquals(before, Rows.of(store.state()), command.toString());
        }
    }

    @Test
    void aDecisionIsAFunctionOfStateStampAndCommand() {
        for (var command : OF_EACH_KIND) {
            var first = RULES.decide(withAliceAndHerSegments().state(), Stamp.of(0, 9, 3), command);
            var second = RULES.decide(withAliceAndHerSegments().state(), Stamp.of(0, 9, 3), command);
            assertEquals(first, second, command.toString());
        }
    }

    @Test
    void everyKindOfCommandIsDecided() {
        var kinds = OF_EACH_KIND.stream().map(StoreCommand::getClass).collect(Collectors.toSet());
        assertEquals(OF_EACH_KIND.size(), kinds.size());
        var permitted = Stream.of(StoreCommand.class, StoreCommand.OfSession.class)
                .flatMap(type -> Arrays.stream(type.getPermittedSubclasses()))
                .filter(type -> !type.isInterface())
                .collect(Collectors.toSet());
        assertEquals(permitted, kinds);
    }

    @Test
    void limitsAreKnownBeforeACommandReachesTheLog() {
        for (var command : OF_EACH_KIND) {
            assertEquals(Optional.empty(), StoreRules.limitProblem(command), command.toString());
        }
        var oversized = StoreRules.limitProblem(new PublishRoutes(0, List.of(new Move(1, 0, 2_000, 1))));
        assertEquals("names 2001 segments; it must be 1 to 2000", oversized.orElseThrow());
        assertTrue(StoreRules.limitProblem(new Raise(1, List.of())).isPresent());
    }

    @Test
    void stampsOfOneEntryAndOfTwoEntriesDifferAndGrow() {
        assertEquals(0, Stamp.of(0, 0, 0));
        assertEquals(Stamp.of(0, 1, 1_023) + 1, Stamp.of(0, 2, 0));
        assertEquals(Long.MAX_VALUE, Stamp.of(1_023, (1L << 43) - 1, 1_023));
        assertThrows(IllegalArgumentException.class, () -> Stamp.of(0, 1, 1_024));
        assertThrows(IllegalArgumentException.class, () -> Stamp.of(0, 1, -1));
        assertThrows(IllegalArgumentException.class, () -> Stamp.of(0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> Stamp.of(0, 1L << 43, 0));
    }

    @Test
    void aViewShowsMembersNamespacesAndRoutes() {
        var store = withAliceAndHerSegments();
        long alice = Stamp.of(0, 2, 0);
        var view = store.view();
        assertEquals(Stamp.of(0, 3, 0), view.version());
        assertEquals(LEASE, view.lease());
        var member = new StoreView.Member(
                alice, SessionKind.ALLOCATOR, "alice", "alice:7401", Stamp.of(0, 3, 0), false, false, true);
        assertEquals(Optional.of(member), view.session(alice));
        assertEquals(Optional.empty(), view.session(alice + 1));
        assertEquals(Optional.of(MESSAGES), view.namespace("messages"));
        assertEquals(Optional.empty(), view.namespace("moments"));
        assertEquals(5, view.routes().find(1, 4).orElseThrow().size());
    }
}
