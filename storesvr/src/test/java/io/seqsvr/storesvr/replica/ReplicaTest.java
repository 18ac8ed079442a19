package io.seqsvr.storesvr.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.Restoration;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.Rows;
import io.seqsvr.storesvr.Seed;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How entries change memory and database together. */
class ReplicaTest {
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 10, Long.MAX_VALUE);
    private static final Namespace MOMENTS =
            new Namespace(2, "moments", 100, 10, Keying.HASHED, Order.QUORUM, 100, 10, 500, 100_000);
    private static final StoreCommand CREATE = new StoreCommand.CreateCluster(
            "cluster-1", new LeaseTerms(3_000_000_000L, 100), List.of(MESSAGES, MOMENTS));

    private static final StoreRules RULES = new StoreRules();

    @TempDir
    private Path root = Path.of("");

    private final Replica replica = new Replica();
    private final List<Long> heard = new ArrayList<>();

    @BeforeAll
    static void loadLibrary() throws IOException {
        NativeLibrary.load();
    }

    @BeforeEach
    void open() throws IOException {
        assertEquals(Applied.NOTHING, replica.open(root.resolve("db")));
        replica.listen((stamp, changes) -> heard.add(stamp));
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private List<StoreReply> apply(long index, StoreCommand... commands) throws IOException {
        return replica.apply(new Applied(1, index), List.of(commands));
    }

    private static StoreCommand open(String name) {
        return new StoreCommand.OpenSession(SessionKind.ALLOCATOR, name.hashCode(), name, name + ":1");
    }

    @Test
    void commandsOfOneEntryHaveStampsOfTheirOwnAndAreAnsweredInOrder() throws IOException {
        var replies = apply(5, CREATE, open("a"), open("b"), open("a"), new StoreCommand.Renew(Stamp.of(0, 5, 2)));
        assertEquals(new StoreReply.ClusterCreated(true), replies.get(0));
        long first =
                assertInstanceOf(StoreReply.SessionOpened.class, replies.get(1)).session();
        long second =
                assertInstanceOf(StoreReply.SessionOpened.class, replies.get(2)).session();
        assertEquals(5 * 1_024 + 1, first);
        assertEquals(5 * 1_024 + 2, second);
        assertEquals(replies.get(1), replies.get(3), "the repeat, as it sees the command before it");
        assertEquals(new StoreReply.Renewed(0, Stamp.of(0, 5, 4), List.of()), replies.get(4));
        assertEquals(Map.of(first, first, second, Stamp.of(0, 5, 4)), Rows.renewals(replica));
    }

    @Test
    void theVersionOfATableIsTheStampOfItsCommandWithinTheEntry() throws IOException {
        apply(1, CREATE, open("a"));
        long session = Stamp.of(0, 1, 1);
        var replies = apply(
                2,
                new StoreCommand.Renew(session),
                new StoreCommand.PublishRoutes(0, List.of(new StoreCommand.Move(1, 0, 1, session))),
                new StoreCommand.PublishRoutes(0, List.of(new StoreCommand.Move(1, 2, 3, session))),
                new StoreCommand.Claim(session, 0));
        assertEquals(new StoreReply.RoutesPublished(Stamp.of(0, 2, 1)), replies.get(1));
        assertEquals(
                Stamp.of(0, 2, 1),
                assertInstanceOf(StoreReply.RoutesRefused.class, replies.get(2)).version());
        var claimed = assertInstanceOf(StoreReply.Claimed.class, replies.get(3));
        assertEquals(Stamp.of(0, 2, 1), claimed.through());
        assertEquals(2, claimed.segments().size());
    }

    @Test
    void stampsOfARestoredClusterBearItsIncarnationThoughItsLogBeginsAnew() throws IOException {
        apply(9, CREATE, open("a"));
        var rows = replica.look(state -> new Restoration()
                .rows(state, 1, 1, state.cluster().orElseThrow().lease()));
        try (var database = StoreDatabase.open(root.resolve("restored"))) {
            database.write(rows, new Applied(0, 0));
            database.checkpoint(root.resolve("formatted"));
        }
        replica.open(root.resolve("formatted"));
        var replies = apply(1, open("a"), new StoreCommand.PublishRoutes(Stamp.of(1, 0, 0), List.of()));
        assertEquals(
                Stamp.of(1, 1, 0),
                assertInstanceOf(StoreReply.SessionOpened.class, replies.get(0)).session());
        assertEquals(1, replica.view().orElseThrow().incarnation());
        assertEquals(
                Set.of(Stamp.of(1, 0, 0), Stamp.of(1, 1, 0)),
                Rows.renewals(replica).keySet());
    }

    @Test
    void listenersHearWhatChangedAndNothingOfRefusals() throws IOException {
        apply(1, CREATE, open("a"), open("a"), new StoreCommand.Renew(7), open("b"));
        assertEquals(List.of(Stamp.of(0, 1, 0), Stamp.of(0, 1, 1), Stamp.of(0, 1, 4)), heard);
    }

    @Test
    void aListenerMayLookAtTheReplicaAndSeesTheWholeEntry() throws IOException {
        var seen = new ArrayList<Map<Long, Long>>();
        replica.listen((stamp, changes) -> seen.add(Rows.renewals(replica)));
        apply(1, CREATE, open("a"), open("b"));
        var both = Map.of(Stamp.of(0, 1, 1), Stamp.of(0, 1, 1), Stamp.of(0, 1, 2), Stamp.of(0, 1, 2));
        assertEquals(List.of(both, both, both), seen);
    }

    @Test
    void theViewIsMadeOnceForEachVersion() throws IOException {
        assertEquals(Optional.empty(), replica.view());
        apply(1, CREATE);
        apply(2, open("a"), new StoreCommand.Renew(Stamp.of(0, 2, 0)));
        var view = replica.view().orElseThrow();
        assertSame(view, replica.view().orElseThrow());
        apply(3, new StoreCommand.Renew(Stamp.of(0, 2, 0)));
        assertSame(view, replica.view().orElseThrow(), "a second renewal is nothing that a watch shows");
        apply(4, new StoreCommand.PublishRoutes(0, List.of(new StoreCommand.Move(1, 0, 9, Stamp.of(0, 2, 0)))));
        var later = replica.view().orElseThrow();
        assertNotSame(view, later);
        assertEquals(Stamp.of(0, 4, 0), later.version());
        assertEquals(Stamp.of(0, 4, 0), later.routes().version());
        assertEquals(0, view.routes().version(), "the earlier view changed");
        assertEquals(10, replica.segments());
    }

    @Test
    void openedAnewItHoldsWhatTheDirectoryHoldsAndForgetsTheRest() throws IOException {
        apply(1, CREATE, open("a"));
        replica.checkpoint(root.resolve("copy"));
        apply(2, open("b"));
        var before = replica.view().orElseThrow();
        assertEquals(new Applied(1, 1), replica.open(root.resolve("copy")));
        assertEquals(1, Rows.renewals(replica).size());
        assertEquals(Stamp.of(0, 1, 1), replica.view().orElseThrow().version());
        assertNotSame(before, replica.view().orElseThrow());
        replica.open(root.resolve("empty"));
        assertEquals(Optional.empty(), replica.cluster());
        assertEquals(Optional.empty(), replica.view());
        assertEquals(Map.of(), Rows.renewals(replica));
    }

    @Test
    void aCheckpointSaysItselfAfterWhichEntryItWasTaken() throws IOException {
        assertEquals(Applied.NOTHING, replica.checkpoint(root.resolve("nothing")));
        apply(7, CREATE);
        assertEquals(new Applied(1, 7), replica.checkpoint(root.resolve("copy")));
        assertEquals(new Applied(1, 7), Rows.inCheckpoint(root.resolve("copy")).applied());
    }

    @Test
    void nothingIsAppliedToAClosedReplica() throws IOException {
        apply(1, CREATE);
        replica.close();
        assertThrows(IllegalStateException.class, () -> apply(2, open("a")));
        assertThrows(IllegalStateException.class, () -> replica.checkpoint(root.resolve("copy")));
        replica.close();
    }

    @Test
    void afterEachOfManyRandomEntriesMemoryAndDatabaseHoldTheSame() throws IOException {
        Seed.announcedFor(ReplicaTest.class).run(this::randomEntries);
    }

    private void randomEntries(SplittableRandom random) throws IOException {
        var rules = new StoreState();
        assertEquals(decide(rules, 1, List.of(CREATE)), apply(1, CREATE));
        var entries = new RandomEntries(random, rules);
        var kinds = new HashSet<Class<?>>(Set.of(StoreReply.ClusterCreated.class));
        var traits = new TreeSet<String>();
        for (long index = 2; index <= 1_000; index++) {
            var commands = entries.next();
            var expected = decide(rules, index, commands);
            assertEquals(expected, replica.apply(new Applied(1, index), commands), () -> "to " + commands);
            expected.forEach(reply -> kinds.add(reply.getClass()));
            traits.addAll(traits(rules));
            if (random.nextInt(50) == 0) {
                var copy = root.resolve("copy-" + index);
                assertEquals(new Applied(1, index), replica.checkpoint(copy));
                assertEquals(new Rows.At(Rows.of(rules), new Applied(1, index)), Rows.inCheckpoint(copy));
                // From here on it lives on what the disk gave back.
                assertEquals(new Applied(1, index), replica.open(copy));
            }
        }
        assertEquals(Rows.of(rules), replica.look(Rows::of));
        // Answered by the leader itself, before the log.
        kinds.add(StoreReply.RenewalUnheard.class);
        assertEquals(Set.of(StoreReply.class.getPermittedSubclasses()), kinds, "a reply that chance never led to");
        assertEquals(
                Set.of("expelled", "leaving", "a table", "a router", "None", "WithoutHigh", "WithHigh", "from high"),
                traits,
                "a row that chance never led to");
    }

    private static Set<String> traits(StoreState state) {
        var traits = new HashSet<String>();
        if (state.storedUsers() > 0) {
            traits.add("a table");
        }
        for (var session : state.sessions()) {
            if (session.leaving()) {
                traits.add("leaving");
            }
            if (session.expelled()) {
                traits.add("expelled");
            }
            if (session.kind() == SessionKind.ROUTER) {
                traits.add("a router");
            }
        }
        for (var segment : state.segments()) {
            traits.add(segment.release().getClass().getSimpleName());
            if (segment.startsFromHigh()) {
                traits.add("from high");
            }
        }
        return traits;
    }

    /** What the rules alone make of an entry. */
    private static List<StoreReply> decide(StoreState rules, long index, List<StoreCommand> commands) {
        var replies = new ArrayList<StoreReply>();
        for (int place = 0; place < commands.size(); place++) {
            var decision = RULES.decide(rules, Stamp.of(0, index, place), commands.get(place));
            decision.changes().forEach(rules::apply);
            replies.add(decision.reply());
        }
        return replies;
    }
}
