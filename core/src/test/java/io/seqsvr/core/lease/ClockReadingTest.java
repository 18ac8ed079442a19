package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Two readings of one machine's clocks, compared by subtraction. */
class ClockReadingTest {
    private static final long BOUND = 200_000_000;

    @Test
    void theClockThatCountedMostAndTheOneThatCountedLeast() {
        var earlier = new ClockReading(100, 1_000);
        assertEquals(50, new ClockReading(150, 1_020).longestSince(earlier));
        assertEquals(20, new ClockReading(150, 1_020).shortestSince(earlier));
        assertEquals(50, new ClockReading(150, 900).longestSince(earlier));
        assertEquals(-100, new ClockReading(150, 900).shortestSince(earlier));
    }

    @Test
    void clocksDisagreeBeyondTheBoundAndNotAtIt() {
        assertEquals(BOUND, ClockReading.MAX_DISAGREEMENT_NANOS);
        var earlier = new ClockReading(0, 0);
        for (long passed : new long[] {0, 1, 3_000_000_000L}) {
            for (long bound : new long[] {BOUND, -BOUND}) {
                long beyond = bound + Long.signum(bound);
                assertFalse(new ClockReading(passed, passed + bound).disagreesSince(earlier));
                assertTrue(new ClockReading(passed, passed + beyond).disagreesSince(earlier));
            }
        }
    }

    @Test
    void theBootTimeClockCountsWhereItWasReadBothTimes() {
        var earlier = new ClockReading(100, 1_000, 5_000);
        var later = new ClockReading(150, 1_020, 5_900);
        assertEquals(900, later.longestSince(earlier));
        assertEquals(20, later.shortestSince(earlier));
        assertEquals(10, new ClockReading(150, 1_020, 5_010).shortestSince(earlier));
        assertEquals(50, new ClockReading(150, 1_020).longestSince(earlier));
        assertEquals(50, later.longestSince(new ClockReading(100, 1_000)));
        assertTrue(new ClockReading(100, 1_000, 5_001 + BOUND).disagreesSince(earlier));
        assertFalse(new ClockReading(100, 1_000, 5_000 + BOUND).disagreesSince(earlier));
    }

    @Test
    void whereTheBootTimeClockWasNotReadItsLeastIsKnownFromAnEarlierLook() {
        var earlier = new ClockReading(100, 1_000, 5_000);
        assertEquals(new ClockReading(150, 9_000, 5_050), new ClockReading(150, 9_000).withBootAfter(earlier));
        var read = new ClockReading(150, 9_000, 7_000);
        assertEquals(read, read.withBootAfter(earlier));
        var never = new ClockReading(150, 9_000);
        assertEquals(never, never.withBootAfter(new ClockReading(100, 1_000)));
    }

    @Test
    void whatEveryClockWillShow() {
        assertEquals(new ClockReading(110, 1_010, 5_010), new ClockReading(100, 1_000, 5_000).plus(10));
        assertEquals(new ClockReading(90, 990), new ClockReading(100, 1_000).plus(-10));
    }

    @Test
    void theMonotonicClockMayPassTheGreatestLong() {
        var earlier = new ClockReading(Long.MAX_VALUE - 10, 1_000);
        var later = new ClockReading(Long.MIN_VALUE + 9, 1_020);
        assertEquals(20, later.longestSince(earlier));
        assertFalse(later.disagreesSince(earlier));
    }
}
