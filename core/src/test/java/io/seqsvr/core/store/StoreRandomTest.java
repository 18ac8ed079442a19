package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A hundred thousand random commands, with the invariants of the store looked at after each. */
class StoreRandomTest {
    private static final int COMMANDS = 100_000;
    private static final Set<Class<?>> REFUSALS = Set.of(
            StoreReply.SessionHeld.class,
            StoreReply.SessionGone.class,
            StoreReply.ExpiryVoid.class,
            StoreReply.RoutesRefused.class,
            StoreReply.ReceiverRefused.class,
            StoreReply.FloorRefused.class,
            StoreReply.NamespaceRefused.class,
            StoreReply.ClusterRefused.class,
            StoreReply.Rejected.class);

    private final StoreRules rules = new StoreRules();
    private final StoreState state = new StoreState();
    private final StoreState replica = new StoreState();
    private final Set<Long> openBefore = new HashSet<>();
    private final Map<Class<?>, Integer> replies = new HashMap<>();

    @Test
    void invariantsHoldAfterEachOfAHundredThousandCommands() {
        Seed.announcedFor(StoreRandomTest.class).run(this::story);
    }

    private void story(SplittableRandom random) {
        var namespaces = List.of(
                new Namespace(1, "messages", 100, 10, 100, 10, Long.MAX_VALUE),
                new Namespace(2, "moments", 95, 10, 100, 10, 20_000));
        step(
                Stamp.of(0, 1, 0),
                new StoreCommand.CreateCluster("cluster", new LeaseTerms(3_000_000_000L, 100), namespaces));
        var commands = new RandomCommands(random, state);
        long index = 1;
        int place = 0;
        for (int i = 0; i < COMMANDS; i++) {
            boolean sameEntry = place < 1_000 && random.nextInt(3) == 0;
            place = sameEntry ? place + 1 : 0;
            index += sameEntry ? 0 : 1;
            step(Stamp.of(0, index, place), commands.next());
        }
        assertTrue(
                replies.getOrDefault(StoreReply.RoutesPublished.class, 0) > COMMANDS / 200,
                "too few plans came through: " + replies);
        assertTrue(
                // A leader's refusal of a renewal comes before the rules.
                replies.size() == StoreReply.class.getPermittedSubclasses().length - 1,
                "some replies never came: " + replies);
        assertEquals(Rows.of(state), Rows.of(replica));
    }

    private void step(long stamp, StoreCommand command) {
        var before = Rows.of(state);
        var decision = rules.decide(state, stamp, command);
        assertEquals(before, Rows.of(state), "the decision changed the state");
        assertEquals(decision, rules.decide(replica, stamp, command), "the replica decided otherwise");
        decision.changes().forEach(state::apply);
        decision.changes().forEach(replica::apply);
        replies.merge(decision.reply().getClass(), 1, Integer::sum);
        var after = Rows.of(state);
        var story = command + " at " + stamp + " was answered " + decision.reply();
        if (REFUSALS.contains(decision.reply().getClass())) {
            assertEquals(before, after, () -> "a refusal changed something: " + story);
        }
        if (before.cluster().isPresent()) {
            assertVersionsGrow(before.cluster().get(), after, stamp, story);
            boolean alters = command instanceof StoreCommand.AlterCluster;
            assertTrue(
                    alters
                            || before.cluster()
                                    .get()
                                    .lease()
                                    .equals(after.cluster().orElseThrow().lease()),
                    story);
        }
        assertNamespaces(before, after, story);
        assertSessions(after, stamp, story);
        assertSegments(before, after, stamp, command, story);
        if (decision.changes().stream().anyMatch(StoreChange.PutSegment.class::isInstance)) {
            assertTables(story);
            assertOwned(story);
        }
    }

    /** What a walk over all segments finds, in a state that was told of each change and in one that began with all. */
    private void assertOwned(String story) {
        var anew = state.copy();
        var owners = new HashSet<>(openBefore);
        state.segments().forEach(segment -> owners.add(segment.owner()));
        for (long owner : owners) {
            var walked = state.segments().stream()
                    .filter(segment -> segment.isAssigned() && segment.owner() == owner && !segment.isReleased())
                    .sorted(Comparator.comparingLong(SegmentRecord::assignedAt).thenComparing(SegmentRecord::id))
                    .toList();
            assertEquals(walked, state.owned(owner, -1, Integer.MAX_VALUE), story);
            assertEquals(walked, anew.owned(owner, -1, Integer.MAX_VALUE), story);
            if (!walked.isEmpty()) {
                long since = walked.get(walked.size() / 2).assignedAt();
                assertEquals(
                        walked.stream()
                                .filter(one -> one.assignedAt() > since)
                                .limit(1)
                                .toList(),
                        state.owned(owner, since, 1),
                        story);
            }
        }
    }

    /** What is kept of the tables is what a state shows that has kept nothing. */
    private void assertTables(String story) {
        var anew = state.copy();
        assertEquals(anew.routes().version(), state.routes().version(), story);
        assertEquals(anew.routes().ranges(), state.routes().ranges(), story);
        assertEquals(anew.released().ranges(), state.released().ranges(), story);
    }

    private static void assertVersionsGrow(Cluster before, Rows rows, long stamp, String story) {
        var after = rows.cluster().orElseThrow();
        assertTrue(after.tableVersion() == before.tableVersion() || after.tableVersion() == stamp, story);
        assertTrue(after.publishVersion() == before.publishVersion() || after.publishVersion() == stamp, story);
        assertTrue(after.publishVersion() <= after.tableVersion(), story);
        assertTrue(after.watchVersion() == before.watchVersion() || after.watchVersion() == stamp, story);
        assertTrue(after.watchVersion() >= after.tableVersion(), story);
        assertTrue(stamp > before.watchVersion(), story);
    }

    /** None vanishes, no id or name is given twice, and what is immutable stays. */
    private static void assertNamespaces(Rows before, Rows after, String story) {
        var ids = new HashSet<Integer>();
        var names = new HashSet<String>();
        for (var namespace : after.namespaces()) {
            assertTrue(ids.add(namespace.id()) && names.add(namespace.name()), story);
        }
        int highest = before.namespaces().stream().mapToInt(Namespace::id).max().orElse(0);
        for (int i = 0; i < after.namespaces().size(); i++) {
            var now = after.namespaces().get(i);
            if (i >= before.namespaces().size()) {
                assertTrue(now.id() > highest, story);
                continue;
            }
            var was = before.namespaces().get(i);
            assertEquals(was.id(), now.id(), story);
            assertEquals(was.name(), now.name(), story);
            assertEquals(was.capacity(), now.capacity(), story);
            assertEquals(was.segmentSize(), now.segmentSize(), story);
            assertEquals(was.keying(), now.keying(), story);
            assertTrue(now.maxSequence() >= was.maxSequence(), story);
        }
    }

    private void assertSessions(Rows after, long stamp, String story) {
        var names = new HashSet<String>();
        var addresses = new HashSet<String>();
        for (var session : after.sessions()) {
            assertTrue(names.add(session.name()), () -> "one name twice: " + story);
            assertTrue(addresses.add(session.address()), () -> "one address twice: " + story);
            assertTrue(session.renewal() >= session.id() && session.renewal() <= stamp, story);
            assertTrue(
                    session.id() == stamp || openBefore.contains(session.id()),
                    () -> "an ended session came back: " + story);
        }
        openBefore.clear();
        after.sessions().forEach(session -> openBefore.add(session.id()));
    }

    /** What is kept for a segment is of its present epoch, or fits the one that followed. */
    private static void assertTable(Rows rows, SegmentRecord segment, String story) {
        for (var table : rows.tables()) {
            if (table.segment().equals(segment.id())) {
                assertTrue(
                        table.fits(segment)
                                || (table.table().epoch() == segment.epoch()
                                        && table.table().whole()),
                        () -> "a table that fits nothing: " + story);
            }
        }
    }

    private static void assertSegments(Rows before, Rows after, long stamp, StoreCommand command, String story) {
        var old = new TreeMap<SegmentId, SegmentRecord>();
        before.segments().forEach(segment -> old.put(segment.id(), segment));
        assertTrue(after.segments().size() >= before.segments().size(), () -> "a segment vanished: " + story);
        for (var segment : after.segments()) {
            assertTable(after, segment, story);
            var namespace = after.namespaces().stream()
                    .filter(one -> one.id() == segment.id().namespaceId())
                    .findFirst()
                    .orElseThrow();
            var fresh = SegmentRecord.fresh(segment.id(), after.cluster().orElseThrow(), namespace);
            var was = old.getOrDefault(segment.id(), fresh);
            long most = namespace.maxSequence();
            assertTrue(segment.base() >= 0 && segment.maxSeq() >= segment.base(), story);
            assertTrue(segment.maxSeq() <= most, () -> "max_seq passed max_sequence: " + story);
            assertTrue(segment.maxSeq() >= was.maxSeq(), () -> "max_seq went down: " + story);
            if (was.epoch() == segment.epoch()) {
                assertSameEpoch(was, segment, story);
            } else {
                assertEquals(was.epoch() + 1, segment.epoch(), story);
                assertEquals(stamp, segment.assignedAt(), story);
                assertEquals(stamp, after.cluster().orElseThrow().tableVersion(), story);
                assertEquals(ReleaseMark.NONE, segment.release(), story);
                assertStart(before, was, segment, command, story);
                assertReceiver(before, segment.owner(), story);
            }
        }
    }

    /** The owner may give an epoch back once, and a floor may take its {@code high} away; else max_seq alone moves. */
    private static void assertSameEpoch(SegmentRecord was, SegmentRecord now, String story) {
        assertEquals(was.raisedTo(now.maxSeq()).released(now.release()), now, story);
        if (was.release() instanceof ReleaseMark.WithHigh && !now.release().equals(was.release())) {
            assertEquals(ReleaseMark.WITHOUT_HIGH, now.release(), story);
        } else if (was.isReleased()) {
            assertEquals(was.release(), now.release(), story);
        }
        if (now.release() instanceof ReleaseMark.WithHigh with) {
            assertTrue(with.high() >= now.base() && with.high() <= now.maxSeq(), story);
        }
    }

    /** Nothing is taken from a live owner; an epoch starts at max_seq, or where a live owner says that it ended. */
    private static void assertStart(
            Rows before, SegmentRecord was, SegmentRecord now, StoreCommand command, String story) {
        var owner = before.sessions().stream()
                .filter(session -> session.id() == was.owner())
                .findFirst();
        if (command instanceof StoreCommand.HandOver handOver) {
            assertTrue(owner.isPresent() && !owner.get().expelled(), story);
            assertEquals(was.owner(), handOver.session(), story);
            assertTrue(!was.isReleased(), () -> "a second release counted: " + story);
            var item = handOver.items().stream()
                    .filter(given -> given.segment().equals(was.id()) && given.epoch() == was.epoch())
                    .findFirst()
                    .orElseThrow();
            boolean exact = item.high() != StoreCommand.Sealed.NO_HIGH;
            assertEquals(exact ? item.high() : was.maxSeq(), now.base(), story);
            assertEquals(exact ? was.owner() : 0, now.handedBy(), story);
        } else if (was.release() instanceof ReleaseMark.WithHigh with) {
            assertEquals(with.high(), now.base(), story);
            assertEquals(was.owner(), now.handedBy(), story);
        } else {
            assertTrue(owner.isEmpty() || was.isReleased(), () -> "stolen from a live session: " + story);
            assertEquals(was.maxSeq(), now.base(), story);
            assertEquals(0, now.handedBy(), story);
        }
    }

    private static void assertReceiver(Rows before, long receiver, String story) {
        assertTrue(
                before.sessions().stream()
                        .anyMatch(session -> session.id() == receiver
                                && session.kind() == SessionKind.ALLOCATOR
                                && !session.expelled()),
                () -> "given to a session that may have nothing: " + story);
    }
}
