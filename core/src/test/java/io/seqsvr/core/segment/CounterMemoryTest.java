package io.seqsvr.core.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counters take memory for users who were served, and little for others. */
class CounterMemoryTest {
    private static final int USERS = 100_000;

    private static SegmentCounters counters(int users) {
        return new SegmentCounters(2, 100, 1_000_000, users, Long.MAX_VALUE);
    }

    @Test
    void aSegmentThatNobodyAskedTakesNothing() {
        var counters = counters(USERS);
        assertEquals(100, counters.current(USERS - 1));
        assertFalse(counters.holds(7));
        assertEquals(0, counters.bytes());
    }

    @Test
    void oneWhoseUsersWereAllServedTakesEightBytesEachAndAFifthAtMost() {
        var counters = counters(USERS);
        IntStream.range(0, USERS).forEach(slot -> counters.take(slot, 1));
        assertTrue(counters.bytes() <= 8 * 1.2 * USERS, () -> counters.bytes() + " bytes");
        assertTrue(counters.bytes() >= 8L * USERS, () -> counters.bytes() + " bytes");
    }

    @Test
    void aUserFarFromAllOthersTakesAHundredBytesAndNoPage() {
        var counters = counters(USERS);
        counters.take(0, 1);
        long one = counters.bytes();
        counters.take(50_000, 1);
        assertTrue(counters.bytes() - one <= 100, () -> counters.bytes() - one + " bytes");
        assertTrue(one <= 1_100, () -> one + " bytes");
    }

    @Test
    void whoeverHasAPlaceTakesNothingMore() {
        for (int users : new int[] {5, USERS}) {
            var counters = counters(users);
            counters.lift(3, 200);
            long bytes = counters.bytes();
            assertTrue(counters.holds(3));
            counters.take(3, 7);
            counters.takeDurable(3, 7);
            assertEquals(bytes, counters.bytes());
        }
    }

    @Test
    void aUserWithoutAPlaceIsNotServedOnTheShortWay() {
        var counters = counters(USERS);
        assertEquals(0, counters.takeDurable(3, 1));
        assertEquals(100, counters.current(3));
        counters.take(3, 1);
        assertEquals(102, counters.takeDurable(3, 1));
        assertEquals(0, counters.takeDurable(4, 1), "it has no place among the few of its page");
        assertEquals(0, counters.takeDurable(3, 1_000_000), "max_seq leaves no room");
        assertEquals(102, counters.current(3));
    }

    @Test
    void fewOrManyTheCountersAreTheSame() {
        Seed.announcedFor(CounterMemoryTest.class).run(random -> {
            for (int round = 0; round < 60; round++) {
                compare(random, random.nextInt(1, 3_000));
            }
        });
    }

    /** Against two plain arrays, with a table handed over now and then. */
    private static void compare(SplittableRandom random, int users) {
        var seqs = new long[users];
        var bounds = new boolean[users];
        Arrays.fill(seqs, 100);
        Arrays.fill(bounds, true);
        var counters = counters(users);
        // A corner of the segment, so that some pages have few and some have many.
        int corner = random.nextInt(1, users + 1);
        for (int i = 0; i < 2_000; i++) {
            int slot = random.nextInt(random.nextInt(8) == 0 ? users : corner);
            long count = random.nextInt(1, 5);
            switch (random.nextInt(4)) {
                case 0 -> {
                    long floor = seqs[slot] + random.nextInt(4) - 1;
                    counters.lift(slot, floor);
                    bounds[slot] |= floor > seqs[slot];
                    seqs[slot] = Math.max(seqs[slot], floor);
                }
                case 1 -> {
                    long first = counters.takeDurable(slot, count);
                    if (first != 0) {
                        assertEquals(seqs[slot] + 1, first);
                        seqs[slot] += count;
                        bounds[slot] = false;
                    }
                }
                default -> {
                    seqs[slot] += count;
                    bounds[slot] = false;
                    assertEquals(seqs[slot], counters.take(slot, count));
                }
            }
            int other = random.nextInt(users);
            assertEquals(seqs[other], counters.current(other));
            assertEquals(!bounds[other], counters.exact(other));
            if (random.nextInt(300) == 0) {
                var next = SegmentCounters.continuing(
                        counters.epoch() + 1, counters.table(), counters.maxSeq(), users, Long.MAX_VALUE);
                assertEquals(counters.table().pages(), next.table().pages());
                assertTrue(next.bytes() <= counters.bytes(), "a table that is taken in takes no more than it did");
                counters = next;
            }
        }
    }
}
