package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import java.util.ArrayList;
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
            StoreReply.Rejected.class);

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
                Stamp.of(1, 0),
                new StoreCommand.CreateCluster("cluster", new LeaseTerms(3_000_000_000L, 100), namespaces));
        var commands = new RandomCommands(random, state);
        long index = 1;
        int place = 0;
        for (int i = 0; i < COMMANDS; i++) {
            boolean sameEntry = place < 1_000 && random.nextInt(3) == 0;
            place = sameEntry ? place + 1 : 0;
            index += sameEntry ? 0 : 1;
            step(Stamp.of(index, place), commands.next());
        }
        assertTrue(
                replies.getOrDefault(StoreReply.RoutesPublished.class, 0) > COMMANDS / 100,
                "too few plans came through: " + replies);
        assertTrue(replies.size() >= 12, "some replies never came: " + replies);
        assertEquals(Rows.of(state), Rows.of(replica));
    }

    private void step(long stamp, StoreCommand command) {
        var before = Rows.of(state);
        var decision = StoreRules.decide(state, stamp, command);
        assertEquals(before, Rows.of(state), "the decision changed the state");
        assertEquals(decision, StoreRules.decide(replica, stamp, command), "the replica decided otherwise");
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
        }
        assertSessions(after, stamp, story);
        assertSegments(before, after, stamp, story);
    }

    private static void assertVersionsGrow(Cluster before, Rows rows, long stamp, String story) {
        var after = rows.cluster().orElseThrow();
        assertTrue(after.tableVersion() == before.tableVersion() || after.tableVersion() == stamp, story);
        assertTrue(after.watchVersion() == before.watchVersion() || after.watchVersion() == stamp, story);
        assertTrue(after.watchVersion() >= after.tableVersion(), story);
        assertTrue(stamp > before.watchVersion(), story);
        assertEquals(before.lease(), after.lease(), story);
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

    private static void assertSegments(Rows before, Rows after, long stamp, String story) {
        var old = new TreeMap<SegmentId, SegmentRecord>();
        before.segments().forEach(segment -> old.put(segment.id(), segment));
        var live = new ArrayList<Long>();
        before.sessions().forEach(session -> live.add(session.id()));
        assertTrue(after.segments().size() >= before.segments().size(), () -> "a segment vanished: " + story);
        for (var segment : after.segments()) {
            var was = old.get(segment.id());
            long most = segment.id().namespaceId() == 1 ? Long.MAX_VALUE : 20_000;
            assertTrue(segment.base() >= 0 && segment.maxSeq() >= segment.base(), story);
            assertTrue(segment.maxSeq() <= most, () -> "max_seq passed max_sequence: " + story);
            if (was == null) {
                assertEquals(1, segment.epoch(), story);
                assertEquals(0, segment.base(), story);
            } else if (was.epoch() == segment.epoch()) {
                assertEquals(was.raisedTo(segment.maxSeq()), segment, story);
                assertTrue(segment.maxSeq() >= was.maxSeq(), () -> "max_seq went down: " + story);
            } else {
                assertEquals(was.epoch() + 1, segment.epoch(), story);
                assertEquals(was.maxSeq(), segment.base(), story);
                assertTrue(!live.contains(was.owner()), () -> "stolen from a live session: " + story);
            }
            if (was == null || was.epoch() != segment.epoch()) {
                assertEquals(stamp, segment.assignedAt(), story);
                assertTrue(live.contains(segment.owner()), () -> "given to a dead session: " + story);
                assertEquals(stamp, after.cluster().orElseThrow().tableVersion(), story);
            }
        }
    }
}
