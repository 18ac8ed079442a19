package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.Seed;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Whom the plan gives the segments that have no living owner. */
class AssignmentPlanTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final int ALL = StoreCommand.MAX_SEGMENTS;

    private static Namespace namespace(int id, int segments) {
        return new Namespace(id, "n" + id, segments, 1, 100, 10, Long.MAX_VALUE);
    }

    private final FakeStore store = new FakeStore(LEASE, namespace(1, 90));

    /** Publishes plans until there is nothing left to do; the store accepts each of them. */
    private static void publishAll(FakeStore store, int limit) {
        for (var moves = AssignmentPlan.of(store.view(), limit);
                !moves.isEmpty();
                moves = AssignmentPlan.of(store.view(), limit)) {
            assertTrue(moves.stream().mapToLong(Move::size).sum() <= limit, moves.toString());
            store.publish(moves.toArray(Move[]::new));
        }
    }

    private static Map<Long, Integer> segmentsByOwner(StoreView view) {
        var owned = new TreeMap<Long, Integer>();
        view.routes().ranges().forEach(range -> owned.merge(range.owner(), range.size(), Integer::sum));
        return owned;
    }

    @Test
    void withoutAnAllocatorThereIsNothingToPlan() {
        assertEquals(List.of(), AssignmentPlan.of(store.view(), ALL));
        assertFalse(AssignmentPlan.complete(store.view()));
    }

    @Test
    void withoutANamespaceThereIsNothingToPlan() {
        var empty = new FakeStore(LEASE);
        empty.open("a");
        assertEquals(List.of(), AssignmentPlan.of(empty.view(), ALL));
        assertTrue(AssignmentPlan.complete(empty.view()));
    }

    @Test
    void oneAllocatorGetsEverything() {
        long a = store.open("a");
        assertEquals(List.of(new Move(1, 0, 89, a)), AssignmentPlan.of(store.view(), ALL));
    }

    @Test
    void threeAllocatorsShareEveryBeginningEqually() {
        long a = store.open("a");
        long b = store.open("b");
        long c = store.open("c");
        assertEquals(
                List.of(new Move(1, 0, 0, a), new Move(1, 1, 1, b), new Move(1, 2, 2, c), new Move(1, 3, 3, a)),
                AssignmentPlan.of(store.view(), 4));
        publishAll(store, ALL);
        assertEquals(Map.of(a, 30, b, 30, c, 30), segmentsByOwner(store.view()));
        assertEquals(1, Spread.greatest(store.view()));
    }

    @Test
    void aLargeNamespaceIsSharedInPartsThatGrowWithWhatLiesBefore() {
        var large = new FakeStore(LEASE, namespace(1, 42_950));
        large.open("a");
        large.open("b");
        large.open("c");
        publishAll(large, ALL);
        // A part of the last doubling has 512 segments, a share 14,316.
        long spread = Spread.greatest(large.view());
        assertTrue(spread <= 512, () -> "somebody has " + spread + " more");
        int ranges = large.view().routes().ranges().size();
        assertTrue(ranges < 700, () -> "a table of " + ranges + " ranges");
    }

    @Test
    void theSegmentsOfADeadOwnerAreSpreadOverAllSurvivors() {
        long a = store.open("a");
        long b = store.open("b");
        long c = store.open("c");
        publishAll(store, ALL);
        store.expire(b);
        publishAll(store, ALL);
        assertEquals(Map.of(a, 45, c, 45), segmentsByOwner(store.view()));
        assertTrue(Spread.greatest(store.view()) <= 2);
    }

    @Test
    void nothingOfALivingOwnerMoves() {
        long a = store.open("a");
        publishAll(store, ALL);
        store.open("b");
        assertEquals(List.of(), AssignmentPlan.of(store.view(), ALL));
        assertTrue(AssignmentPlan.complete(store.view()));
        assertEquals(Map.of(a, 90), segmentsByOwner(store.view()));
    }

    @Test
    void aNewcomerGetsTheSegmentsOfTheDeadFirst() {
        long a = store.open("a");
        long b = store.open("b");
        publishAll(store, ALL);
        store.expire(b);
        long c = store.open("c");
        publishAll(store, ALL);
        assertEquals(Set.of(a, c), segmentsByOwner(store.view()).keySet());
        assertTrue(Spread.greatest(store.view()) <= 2);
    }

    @Test
    void gapsBetweenOwnedRunsAreFilled() {
        long a = store.open("a");
        store.publish(new Move(1, 10, 19, a), new Move(1, 40, 49, a));
        assertEquals(
                List.of(new Move(1, 0, 9, a), new Move(1, 20, 39, a), new Move(1, 50, 89, a)),
                AssignmentPlan.of(store.view(), ALL));
    }

    @Test
    void theLimitIsRespectedAndTheRestFollows() {
        var large = new FakeStore(LEASE, namespace(1, 4_300));
        long a = large.open("a");
        long b = large.open("b");
        var first = AssignmentPlan.of(large.view(), ALL);
        assertEquals(2_000, first.stream().mapToLong(Move::size).sum());
        assertEquals(
                7,
                AssignmentPlan.of(large.view(), 7).stream()
                        .mapToLong(Move::size)
                        .sum());
        publishAll(large, ALL);
        assertEquals(Set.of(a, b), segmentsByOwner(large.view()).keySet());
        assertTrue(Spread.greatest(large.view()) <= 128, "a part of the last doubling");
        assertTrue(AssignmentPlan.complete(large.view()));
    }

    @Test
    void severalNamespacesShareTheAllocators() {
        var several = new FakeStore(LEASE, namespace(1, 10), namespace(3, 1), namespace(7, 7));
        long a = several.open("a");
        long b = several.open("b");
        publishAll(several, ALL);
        assertEquals(Map.of(a, 9, b, 9), segmentsByOwner(several.view()));
        for (var namespace : several.view().namespaces()) {
            for (int segment = 0; segment < namespace.segmentCount(); segment++) {
                assertTrue(several.view().routes().find(namespace.id(), segment).isPresent());
            }
        }
    }

    @Test
    void randomClustersAreCoveredEvenlyWithoutMovingWhatLives() {
        Seed.announcedFor(AssignmentPlanTest.class).run(random -> {
            for (int round = 0; round < 300; round++) {
                var cluster =
                        new FakeStore(LEASE, namespace(1, random.nextInt(1, 60)), namespace(2, random.nextInt(1, 40)));
                liveAndDie(cluster, random);
            }
        });
    }

    /** Of views that no cluster shows too: what was given back may begin and end anywhere. */
    @Test
    void ofALivingOwnerWhatItGaveBackIsPlannedAndNothingElse() {
        Seed.announcedFor(AssignmentPlanTest.class).run(random -> {
            for (int round = 0; round < 1_000; round++) {
                var view = view(random);
                var planned = new TreeSet<SegmentId>();
                for (var move : AssignmentPlan.of(view, ALL)) {
                    for (int segment = move.first(); segment <= move.last(); segment++) {
                        assertTrue(planned.add(new SegmentId(move.namespaceId(), segment)), move + " comes again");
                    }
                }
                assertEquals(withoutAnOwner(view, owner -> owner < 3), planned);
            }
        });
    }

    private static StoreView view(SplittableRandom random) {
        var namespaces = List.of(namespace(1, random.nextInt(1, 30)), namespace(4, random.nextInt(1, 30)));
        return new StoreView(
                9,
                LEASE,
                namespaces,
                List.of(
                        new StoreView.Member(1, SessionKind.ALLOCATOR, "a", "a:1", 1, false, false, true),
                        new StoreView.Member(2, SessionKind.ALLOCATOR, "b", "b:1", 1, false, false, true)),
                9,
                table(namespaces, random, 5),
                table(namespaces, random, 2));
    }

    /** A third owner is dead. */
    private static RouteTable table(List<Namespace> namespaces, SplittableRandom random, int often) {
        var ranges = new ArrayList<RouteRange>();
        for (var namespace : namespaces) {
            int first = 0;
            while (first < namespace.segmentCount()) {
                int last = Math.min(namespace.segmentCount() - 1, first + random.nextInt(6));
                if (random.nextInt(6) < often) {
                    ranges.add(new RouteRange(namespace.id(), first, last, 1 + random.nextInt(3), 1));
                }
                first = last + 1;
            }
        }
        return new RouteTable(9, ranges);
    }

    private static Set<SegmentId> withoutAnOwner(StoreView view, LongPredicate lives) {
        var without = new TreeSet<SegmentId>();
        for (var namespace : view.namespaces()) {
            for (int segment = 0; segment < namespace.segmentCount(); segment++) {
                var owner = view.routes().find(namespace.id(), segment).map(RouteRange::owner);
                if (owner.filter(lives::test).isEmpty()
                        || view.released().find(namespace.id(), segment).isPresent()) {
                    without.add(new SegmentId(namespace.id(), segment));
                }
            }
        }
        return without;
    }

    private static void liveAndDie(FakeStore cluster, SplittableRandom random) {
        for (int i = 0; i < 12; i++) {
            var members = cluster.view().sessions();
            if (members.size() > 1 && random.nextBoolean()) {
                cluster.expire(members.get(random.nextInt(members.size())).id());
            } else {
                cluster.open("a" + i);
            }
            var seen = cluster.view();
            var before = segmentsByOwner(seen);
            var moves = AssignmentPlan.of(cluster.view(), ALL);
            assertEquals(moves, AssignmentPlan.of(cluster.view(), ALL), "one view, two plans");
            publishAll(cluster, random.nextInt(1, 50));
            var after = segmentsByOwner(cluster.view());
            assertTrue(AssignmentPlan.complete(cluster.view()));
            int total = after.values().stream().mapToInt(owned -> owned).sum();
            for (var member : cluster.view().sessions()) {
                int owned = after.getOrDefault(member.id(), 0);
                assertTrue(owned >= before.getOrDefault(member.id(), 0), "a living owner lost segments");
            }
            checkDealt(seen, cluster.view());
            assertEquals(
                    total,
                    cluster.view().namespaces().stream()
                            .mapToInt(Namespace::segmentCount)
                            .sum());
        }
    }

    /** Each segment that had no living owner is where least of what lies before it was. */
    private static void checkDealt(StoreView before, StoreView after) {
        var without = withoutAnOwner(before, owner -> before.session(owner).isPresent());
        for (var namespace : after.namespaces()) {
            var owned = new TreeMap<Long, Integer>();
            after.receivers().forEach(member -> owned.put(member.id(), 0));
            for (int segment = 0; segment < namespace.segmentCount(); segment++) {
                long owner = after.routes()
                        .find(namespace.id(), segment)
                        .orElseThrow()
                        .owner();
                if (without.contains(new SegmentId(namespace.id(), segment))) {
                    assertEquals(Collections.min(owned.values()), owned.get(owner), namespace.id() + "/" + segment);
                }
                owned.merge(owner, 1, Integer::sum);
            }
        }
    }
}
