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
    void theMonotonicClockMayPassTheGreatestLong() {
        var earlier = new ClockReading(Long.MAX_VALUE - 10, 1_000);
        var later = new ClockReading(Long.MIN_VALUE + 9, 1_020);
        assertEquals(20, later.longestSince(earlier));
        assertFalse(later.disagreesSince(earlier));
    }
}
