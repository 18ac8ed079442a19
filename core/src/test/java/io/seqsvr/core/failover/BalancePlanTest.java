package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.Seed;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.Sealed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Who hands over to whom when an allocator has joined, and that it comes to rest. */
class BalancePlanTest {
    private static final int SEGMENTS = 100;
    private static final long NO_LIMIT = 1_000_000;

    private final FakeStore store = new FakeStore(
            new LeaseTerms(3_000_000_000L, 100), new Namespace(1, "messages", SEGMENTS, 1, 100, 10, Long.MAX_VALUE));

    private List<BalancePlan.Order> plan() {
        return BalancePlan.of(store.view(), NO_LIMIT);
    }

    private void give(int first, int last, long session) {
        store.publish(new Move(1, first, last, session));
    }

    /** Every owner does what it is told. */
    private int obey(List<BalancePlan.Order> orders) {
        int moved = 0;
        for (var order : orders) {
            var sealed = new ArrayList<Sealed>();
            for (var range : order.segments()) {
                for (int index = range.first(); index <= range.last(); index++) {
                    sealed.add(new Sealed(new SegmentId(1, index), range.epoch(), 0));
                }
            }
            moved += sealed.size();
            store.execute(new StoreCommand.HandOver(
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
    void whoJoinsGetsItsShareFromTheEndOfTheOthers() {
        long a = store.open("a");
        long b = store.open("b");
        give(0, 49, a);
        give(50, 99, b);
        long c = store.open("c");
        var orders = plan();
        assertEquals(2, orders.size());
        assertEquals(33, obey(orders));
        assertEquals(List.of(34L, 33L, 33L), List.of(owned(a), owned(b), owned(c)));
        assertEquals(List.of(), plan(), "it comes to rest");
    }

    @Test
    void sharesThatDifferLittleStay() {
        long a = store.open("a");
        long b = store.open("b");
        long c = store.open("c");
        give(0, 29, a);
        give(30, 66, b);
        give(67, 99, c);
        assertEquals(List.of(), plan(), "an operator may have moved some");
    }

    @Test
    void nothingMovesBeforeEverySegmentHasALivingOwner() {
        long a = store.open("a");
        store.open("b");
        give(0, 98, a);
        assertEquals(List.of(), plan());
        give(99, 99, a);
        assertEquals(50, obey(plan()));
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
        for (int round = 1; round <= 5; round++) {
            assertEquals(10, obey(BalancePlan.of(store.view(), 10)));
            assertEquals(10L * round, owned(b));
        }
        assertEquals(50, owned(a));
        assertEquals(List.of(), plan());
    }

    @Test
    void fewestSegmentsMoveWhateverTheSharesAre() {
        Seed.announcedFor(BalancePlanTest.class).run(BalancePlanTest::randomStories);
    }

    private static void randomStories(SplittableRandom random) {
        for (int story = 0; story < 200; story++) {
            var world = new FakeStore(
                    new LeaseTerms(3_000_000_000L, 100),
                    new Namespace(1, "messages", SEGMENTS, 1, 100, 10, Long.MAX_VALUE));
            int allocators = 1 + random.nextInt(7);
            var sessions = new ArrayList<Long>();
            for (int i = 0; i < allocators; i++) {
                sessions.add(world.open("alloc-" + i));
            }
            for (int next = 0; next < SEGMENTS; ) {
                int last = Math.min(SEGMENTS - 1, next + random.nextInt(30));
                world.publish(new Move(1, next, last, sessions.get(random.nextInt(allocators))));
                next = last + 1;
            }
            checkStory(world, sessions);
        }
    }

    private static void checkStory(FakeStore world, List<Long> sessions) {
        var counts = new ArrayList<Long>();
        for (long session : sessions) {
            counts.add(world.view().routes().ranges().stream()
                    .filter(range -> range.owner() == session)
                    .mapToLong(RouteRange::size)
                    .sum());
        }
        long share = SEGMENTS / sessions.size();
        long larger = SEGMENTS % sessions.size();
        long surplus =
                counts.stream().mapToLong(count -> Math.max(0, count - share)).sum();
        long richer = counts.stream().filter(count -> count > share).count();
        long moved = 0;
        long tolerated = Math.max(1, share / 10);
        var orders = BalancePlan.of(world.view(), NO_LIMIT);
        if (orders.isEmpty()) {
            assertTrue(
                    counts.stream().allMatch(count -> count >= share - tolerated && count <= share + 1 + tolerated),
                    counts::toString);
            return;
        }
        for (var order : orders) {
            int from = sessions.indexOf(order.owner().id());
            int to = sessions.indexOf(order.to().id());
            for (var range : order.segments()) {
                assertEquals(order.owner().id(), range.owner());
                counts.set(from, counts.get(from) - range.size());
                counts.set(to, counts.get(to) + range.size());
                moved += range.size();
            }
        }
        assertTrue(counts.stream().allMatch(count -> count == share || count == share + 1), counts::toString);
        assertEquals(surplus - Math.min(larger, richer), moved, "no more than it takes");
    }
}
