package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import io.seqsvr.core.namespace.Order;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random stories of two allocators and one store: whatever fails, no sequence comes twice and none goes back. */
class TwoAllocatorsRandomTest {
    private static final int STORIES = 60;
    /** One in a few dozen breaks; seeds without one in sixty have been seen. */
    private static final int MANY_STORIES = 20 * STORIES;

    private static final double WITHIN_DRIFT = 1.0999;

    @Test
    void everySequenceIsNewAndAboveAllThatLeftBeforeItsRequestBegan() {
        Seed.announcedFor(TwoAllocatorsRandomTest.class).run(random -> {
            var counts = new TreeMap<String, Integer>();
            for (int story = 0; story < STORIES; story++) {
                var order = story % 4 == 0 ? Order.QUORUM : Order.LEASE;
                var world = new RandomWorld(random.split(), WITHIN_DRIFT, order);
                world.run();
                world.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
            }
            System.out.println("random stories: " + counts);
            assertEverythingHappened(counts);
        });
    }

    @Test
    void inQuorumOrderClocksOfAnyRateBreakNothing() {
        Seed.announcedFor(TwoAllocatorsRandomTest.class).run(random -> {
            int served = 0;
            for (int story = 0; story < STORIES / 4; story++) {
                var world = new RandomWorld(random.split(), 2, Order.QUORUM);
                world.runFaults();
                served += world.counts().getOrDefault("Range", 0);
            }
            assertTrue(served > STORIES * 10, "only " + served + " ranges were handed out");
        });
    }

    @Test
    void inLeaseOrderSuchClocksBreakIt() {
        Seed.announcedFor(TwoAllocatorsRandomTest.class).run(random -> {
            int stories = 0;
            while (stories < MANY_STORIES && !breaks(new RandomWorld(random.split(), 4, Order.LEASE))) {
                stories++;
            }
            assertTrue(stories < MANY_STORIES, "the stories cannot tell a number that comes twice");
        });
    }

    private static boolean breaks(RandomWorld world) {
        try {
            world.runFaults();
            return false;
        } catch (AssertionError twice) {
            return true;
        }
    }

    private static void assertEverythingHappened(Map<String, Integer> counts) {
        assertTrue(counts.getOrDefault("Range", 0) > STORIES * 2_000, counts::toString);
        assertTrue(counts.getOrDefault("Reading", 0) > STORIES * 200, counts::toString);
        assertTrue(counts.getOrDefault("Lifted", 0) > STORIES, counts::toString);
        assertTrue(counts.getOrDefault("SegmentsReleased", 0) > STORIES * 10, counts::toString);
        assertTrue(counts.getOrDefault("floors", 0) > STORIES / 2, counts::toString);
        assertTrue(counts.getOrDefault("epochs", 0) > STORIES * 3, counts::toString);
        for (var refusal :
                new Refusal[] {Refusal.LEASE_EXPIRED, Refusal.NOT_OWNER, Refusal.NOT_READY, Refusal.TOO_MANY_WAITING}) {
            assertTrue(counts.containsKey(refusal.name()), () -> refusal + " never happened: " + counts);
        }
        for (var event :
                new String[] {"SessionHeld", "SessionLost", "LeaseDropped", "SegmentsLoaded", "SegmentsReleased"}) {
            assertTrue(counts.containsKey(event), () -> event + " never happened: " + counts);
        }
    }

    @Test
    void aSeedTellsOneStory() {
        Seed.announcedFor(TwoAllocatorsRandomTest.class).run(random -> {
            long seed = random.nextLong();
            var first = new RandomWorld(new SplittableRandom(seed), WITHIN_DRIFT, Order.LEASE);
            var second = new RandomWorld(new SplittableRandom(seed), WITHIN_DRIFT, Order.LEASE);
            first.run();
            second.run();
            assertEquals(first.trace(), second.trace());
        });
    }
}
