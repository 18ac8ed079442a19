package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.Seed;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.share.Stripes;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.Sealed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who hands over to whom when an allocator has joined, and that it comes to rest. */
class BalancePlanTest {
    private static final int SEGMENTS = 100;
    private static final long NO_LIMIT = 1_000_000;
    private static final int OTHER_SEGMENTS = 37;

    private final FakeStore store = new FakeStore(
            new LeaseTerms(3_000_000_000L, 100), new Namespace(1, "messages", SEGMENTS, 1, 100, 10, Long.MAX_VALUE));

    private List<BalancePlan.Order> plan() {
        return BalancePlan.of(store.view(), NO_LIMIT, Set.of());
    }

    private void give(int first, int last, long session) {
        store.publish(new Move(1, first, last, session));
    }

    /** Of 100 segments: a sixteenth of a share, and the part that the last one got; one of each at least. */
    private static long tolerated(int owners) {
        int part = Stripes.end(64, owners) - 64 + 1;
        return Math.max(1L, SEGMENTS / (16 * owners)) + part;
    }

    /** Gives what nobody has. */
    private static void share(FakeStore world) {
        for (var moves = AssignmentPlan.of(world.view(), 2_000); !moves.isEmpty(); ) {
            world.publish(moves.toArray(Move[]::new));
            moves = AssignmentPlan.of(world.view(), 2_000);
        }
    }

    private int obey(List<BalancePlan.Order> orders) {
        return obey(store, orders);
    }

    /** Every owner does what it is told. */
    private static int obey(FakeStore world, List<BalancePlan.Order> orders) {
        int moved = 0;
        for (var order : orders) {
            var sealed = new ArrayList<Sealed>();
            for (var range : order.segments()) {
                for (int index = range.first(); index <= range.last(); index++) {
                    var id = new SegmentId(range.namespaceId(), index);
                    sealed.add(new Sealed(
                            id,
                            range.epoch(),
                            world.segment(range.namespaceId(), index).base()));
                }
            }
            moved += sealed.size();
            world.execute(new StoreCommand.HandOver(
                    order.owner().id(), sealed, order.to().id()));
        }
        return moved;
    }

    private long owned(long session) {
        return store.view().routes().ranges().stream()
                .filter(range -> range.owner() == session)
                .mapToInt(RouteRange::size)
                .sum();
    }

    @Test
    void whoJoinsGetsItsShareOfEveryBeginning() {
        long a = store.open("a");
        long b = store.open("b");
        give(0, 49, a);
        give(50, 99, b);
        long c = store.open("c");
        assertTrue(obey(plan()) > 33, "the others had one half each, and no half of every beginning");
        assertTrue(Spread.greatest(store.view()) <= tolerated(3), () -> owned(a) + " " + owned(b) + " " + owned(c));
        assertEquals(List.of(), plan(), "it comes to rest");
        store.expire(c);
        share(store);
        assertEquals(List.of(), plan(), "nor is there anything to do where the dead one's went to those with least");
        long d = store.open("d");
        assertTrue(obey(plan()) <= 33, "nobody but the new one gets anything");
        assertTrue(owned(d) >= 30);
    }

    @Test
    void sharesThatDifferLittleStay() {
        var sessions = List.of(store.open("a"), store.open("b"), store.open("c"));
        for (int segment = 0; segment < SEGMENTS; segment++) {
            // An operator may have moved one.
            give(segment, segment, sessions.get(segment == 30 ? 1 : segment % 3));
        }
        assertEquals(List.of(), plan());
    }

    @Test
    void sharesOfABeginningThatDifferMuchDoNot() {
        var sessions = List.of(store.open("a"), store.open("b"), store.open("c"));
        for (int segment = 0; segment < SEGMENTS; segment++) {
            give(segment, segment, sessions.get(segment >= 30 && segment < 40 ? 1 : segment % 3));
        }
        assertTrue(obey(plan()) >= 4);
        assertTrue(Spread.greatest(store.view()) <= tolerated(3));
        assertEquals(List.of(), plan());
    }

    @Test
    void nothingMovesBeforeEverySegmentHasALivingOwner() {
        long a = store.open("a");
        store.open("b");
        give(0, 98, a);
        assertEquals(List.of(), plan());
        give(99, 99, a);
        int moved = obey(plan());
        assertTrue(moved >= 45 && moved <= 50, () -> moved + " of 100 go to who has none");
    }

    @Test
    void whoIsAloneKeepsEverythingAndWhoLeavesGetsNothing() {
        long a = store.open("a");
        give(0, 99, a);
        assertEquals(List.of(), plan());
        long b = store.open("b");
        store.execute(new StoreCommand.Leave(b));
        assertEquals(List.of(), plan());
    }

    @Test
    void aPlanIsBoundedAndTheNextOneGoesOn() {
        long a = store.open("a");
        give(0, 99, a);
        long b = store.open("b");
        int rounds = 0;
        for (var orders = BalancePlan.of(store.view(), 10, Set.of()); !orders.isEmpty(); rounds++) {
            assertTrue(obey(orders) <= 10);
            orders = BalancePlan.of(store.view(), 10, Set.of());
        }
        assertEquals(5, rounds);
        assertTrue(Spread.greatest(store.view()) <= tolerated(2), () -> owned(a) + " and " + owned(b));
    }

    @Test
    void namespacesOfOneSegmentAreSharedToo() {
        var many = new FakeStore(
                new LeaseTerms(3_000_000_000L, 100),
                IntStream.rangeClosed(1, 40)
                        .mapToObj(id -> new Namespace(id, "n" + id, 1, 1, 100, 10, Long.MAX_VALUE))
                        .toArray(Namespace[]::new));
        many.open("a");
        share(many);
        many.open("b");
        var orders = BalancePlan.of(many.view(), NO_LIMIT, Set.of());
        long moved = orders.stream()
                .flatMap(order -> order.segments().stream())
                .mapToLong(RouteRange::size)
                .sum();
        assertTrue(moved >= 17 && moved <= 20, () -> moved + " of 40");
    }

    @Test
    void whateverTheSharesAreEveryBeginningIsSharedThenAndItComesToRest() {
        Seed.announcedFor(BalancePlanTest.class).run(BalancePlanTest::randomStories);
    }

    private static void randomStories(SplittableRandom random) {
        for (int story = 0; story < 200; story++) {
            var world = new FakeStore(
                    new LeaseTerms(3_000_000_000L, 100),
                    new Namespace(1, "messages", SEGMENTS, 1, 100, 10, Long.MAX_VALUE),
                    new Namespace(2, "others", OTHER_SEGMENTS, 1, 100, 10, Long.MAX_VALUE));
            int allocators = 1 + random.nextInt(7);
            var sessions = new ArrayList<Long>();
            for (int i = 0; i < allocators; i++) {
                sessions.add(world.open("alloc-" + i));
            }
            scatter(world, 1, SEGMENTS, sessions, random);
            scatter(world, 2, OTHER_SEGMENTS, sessions, random);
            checkStory(world, allocators);
        }
    }

    private static void scatter(
            FakeStore world, int namespaceId, int segments, List<Long> sessions, SplittableRandom random) {
        for (int next = 0; next < segments; ) {
            int last = Math.min(segments - 1, next + random.nextInt(30));
            world.publish(new Move(namespaceId, next, last, sessions.get(random.nextInt(sessions.size()))));
            next = last + 1;
        }
    }

    private static void checkStory(FakeStore world, int allocators) {
        var orders = BalancePlan.of(world.view(), NO_LIMIT, Set.of());
        obey(world, orders);
        assertTrue(Spread.greatest(world.view()) <= tolerated(allocators), () -> "after " + orders);
        assertEquals(List.of(), BalancePlan.of(world.view(), NO_LIMIT, Set.of()));
    }

    /** Its memory is full, or the owner does not reach it. */
    @Test
    void whoTakesNothingKeepsNobodyWaiting() {
        give(0, 99, store.open("a"));
        long full = store.open("full");
        long joins = store.open("joins");
        var tookNothing = new TookNothing();
        for (int round = 0; round < 10; round++) {
            var orders = BalancePlan.of(store.view(), 10, tookNothing.seenIn(store.view()));
            tookNothing.ordered(orders, store.view());
            obey(orders.stream().filter(order -> order.to().id() != full).toList());
        }
        assertTrue(Math.abs(owned(joins) - 33) <= tolerated(3), () -> "it owns " + owned(joins));
        var tried = BalancePlan.of(store.view(), 10, tookNothing.seenIn(store.view()));
        assertEquals(List.of(full), tried.stream().map(order -> order.to().id()).toList(), "it is tried again");
        tookNothing.ordered(tried, store.view());
        obey(tried);
        assertEquals(Set.of(), tookNothing.seenIn(store.view()));
    }
}
