package io.seqsvr.core.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The counters of one segment: what they give, what they refuse, and what they know for certain. */
class SegmentCountersTest {
    private static final long MOST = Long.MAX_VALUE;

    private static SegmentCounters counters(long base, long maxSeq) {
        return new SegmentCounters(5, base, maxSeq, 3_000, MOST);
    }

    @Test
    void sequencesGrowByOne() {
        var counters = counters(0, 10_000);
        for (long expected = 1; expected <= 5_000; expected++) {
            assertEquals(expected, counters.take(7, 1));
        }
    }

    @Test
    void aRangeEndsAtTheSequenceReturned() {
        var counters = counters(40, 10_000);
        assertEquals(45, counters.take(7, 5));
        assertEquals(46, counters.take(7, 1));
        assertEquals(1_046, counters.take(7, 1_000));
    }

    @Test
    void usersHaveCountersOfTheirOwn() {
        var counters = counters(100, 10_000);
        int[] slots = {0, 1, 1_023, 1_024, 2_047, 2_048, 2_999};
        for (int slot : slots) {
            assertEquals(101, counters.take(slot, 1));
        }
        for (int slot : slots) {
            assertEquals(102, counters.take(slot, 1));
        }
        assertEquals(100, counters.current(2));
    }

    /** The most users of a page that are kept as few. */
    private static SegmentCounters withAPageOfFew() {
        var counters = counters(0, 10_000);
        for (int slot = 0; slot < 128; slot++) {
            assertEquals(5, counters.take(slot, 5));
        }
        return counters;
    }

    @Test
    void anErrorWhileAPageBecomesAnArrayTakesNoCounterBack() throws InterruptedException {
        // All classes are there before the stack ends.
        withAPageOfFew().take(128, 1);
        var counters = withAPageOfFew();
        var thread = new Thread(null, () -> takeFromTheEndOfTheStack(counters, 0), "small stack", 256 << 10);
        thread.start();
        thread.join(10_000);
        assertFalse(thread.isAlive());
        for (int slot = 0; slot < 128; slot++) {
            assertEquals(6, counters.take(slot, 1));
        }
        assertEquals(2, counters.take(128, 1));
    }

    /** Tries it with a little more of the stack each time, until there is enough. */
    private static boolean takeFromTheEndOfTheStack(SegmentCounters counters, int depth) {
        try {
            if (depth < 1_000_000 && takeFromTheEndOfTheStack(counters, depth + 1)) {
                return true;
            }
        } catch (StackOverflowError end) {
            // From here on there is a little of it.
        }
        try {
            return counters.take(128, 1) == 1;
        } catch (StackOverflowError tooLittle) {
            return false;
        }
    }

    @Test
    void aSlotOutsideTheSegmentIsRefused() {
        var counters = counters(0, 10);
        assertThrows(IllegalArgumentException.class, () -> counters.take(3_000, 1));
        assertThrows(IllegalArgumentException.class, () -> counters.take(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> counters.current(3_000));
    }

    @Test
    void aCountBelowOneIsRefused() {
        var counters = counters(0, 10);
        assertThrows(IllegalArgumentException.class, () -> counters.take(1, 0));
        assertThrows(IllegalArgumentException.class, () -> counters.take(1, -1));
        assertEquals(0, counters.current(1));
    }

    @Test
    void aNumberMayBeTakenAboveMaxSeqButIsNotDurable() {
        var counters = counters(0, 3);
        assertTrue(counters.hasRoom(counters.current(1), 3));
        assertFalse(counters.hasRoom(counters.current(1), 4));
        assertEquals(4, counters.take(1, 4));
        assertFalse(counters.durable(4));
        assertTrue(counters.durable(3));
        counters.raised(4);
        assertTrue(counters.durable(4));
    }

    @Test
    void lateDuplicatedAndReorderedRaisesNeverLowerMaxSeq() {
        var counters = counters(0, 100);
        for (long bound : new long[] {300, 200, 0, 300, -1, Long.MIN_VALUE}) {
            counters.raised(bound);
            assertEquals(300, counters.maxSeq());
        }
    }

    @Test
    void maxSeqNeverPassesMaxSequence() {
        var counters = new SegmentCounters(1, 0, 10, 5, 100);
        counters.raised(101);
        assertEquals(100, counters.maxSeq());
    }

    @Test
    void aRaiseStartsWhenHalfOfTheHeadroomIsUsed() {
        var counters = counters(0, 10_000);
        counters.take(1, 4_999);
        assertEquals(10_000, counters.wantedMaxSeq(10_000), "more than half is left");
        counters.take(1, 1);
        assertEquals(20_000, counters.wantedMaxSeq(10_000));
    }

    @Test
    void theUserThatIsFurthestDecidesOnTheRaise() {
        var counters = counters(0, 10_000);
        for (int slot = 0; slot < 3_000; slot++) {
            counters.take(slot, 4_000);
        }
        assertEquals(10_000, counters.wantedMaxSeq(10_000));
        counters.take(17, 1_000);
        assertEquals(20_000, counters.wantedMaxSeq(10_000));
        assertEquals(5_000, counters.highest());
    }

    @Test
    void aRaiseForManyNumbersAsksForAsManySteps() {
        var counters = counters(0, 100);
        counters.take(1, 950);
        assertEquals(1_100, counters.wantedMaxSeq(100));
        counters.raised(1_100);
        assertEquals(1_100, counters.wantedMaxSeq(100));
    }

    @Test
    void tenMoreThanTheGreatestLongAllowsDoesNotOverflow() {
        var counters = counters(MOST - 5, MOST);
        assertFalse(counters.hasLeft(counters.current(1), 10));
        assertFalse(counters.hasRoom(counters.current(1), 10));
        assertThrows(IllegalArgumentException.class, () -> counters.take(1, 10));
        assertEquals(MOST - 5, counters.current(1));
        assertTrue(counters.hasLeft(counters.current(1), 5));
        assertEquals(MOST, counters.take(1, 5));
        assertFalse(counters.hasLeft(counters.current(1), 1));
        assertThrows(IllegalArgumentException.class, () -> counters.take(1, 1));
        assertEquals(MOST, counters.current(1));
    }

    @Test
    void theLastRaiseStopsAtTheGreatestLong() {
        var counters = counters(MOST - 5_000, MOST - 3_000);
        assertEquals(MOST, counters.wantedMaxSeq(10_000));
        counters.raised(MOST);
        assertEquals(MOST, counters.wantedMaxSeq(10_000));
        assertEquals(MOST, counters.take(1, 5_000));
        assertEquals(MOST, counters.wantedMaxSeq(10_000));
    }

    @Test
    void theGreatestCountAndTheGreatestStepDoNotOverflow() {
        var counters = counters(0, MOST - 1);
        assertEquals(MOST - 1, counters.take(1, MOST - 1));
        assertEquals(MOST, counters.wantedMaxSeq(MOST));
        assertFalse(counters.hasLeft(counters.current(1), MOST));
        assertFalse(counters.hasRoom(counters.current(1), MOST));
        assertTrue(counters.hasLeft(counters.current(2), MOST));
    }

    @Test
    void aSmallMaxSequenceIsServedToTheLastNumber() {
        var counters = new SegmentCounters(1, 0, 10, 5, 12);
        assertTrue(counters.hasLeft(counters.current(1), 12));
        assertFalse(counters.hasLeft(counters.current(1), 13));
        assertEquals(10, counters.take(1, 10));
        assertEquals(12, counters.wantedMaxSeq(10));
        assertEquals(12, counters.take(1, 2));
        assertFalse(counters.hasLeft(counters.current(1), 1));
        assertTrue(counters.hasLeft(counters.current(2), 12));
    }

    @Test
    void aUserServedInThisEpochIsKnownExactly() {
        var counters = counters(100, 200);
        assertFalse(counters.exact(1));
        assertEquals(100, counters.current(1));
        counters.take(1, 1);
        assertTrue(counters.exact(1));
        assertFalse(counters.exact(2));
    }

    @Test
    void zeroIsExactOnlyWithBaseZero() {
        assertTrue(counters(0, 10).exact(1));
        assertEquals(0, counters(0, 10).current(1));
        assertFalse(counters(1, 10).exact(1));
    }

    @Test
    void readingTakesNothing() {
        var counters = counters(100, 200);
        for (int i = 0; i < 10; i++) {
            assertEquals(100, counters.current(1));
            assertTrue(counters.hasLeft(counters.current(1), 50));
            assertTrue(counters.hasRoom(counters.current(1), 50));
        }
        assertEquals(101, counters.take(1, 1));
    }

    @Test
    void countersThatBreakTheOrderOfBoundsCannotExist() {
        assertThrows(IllegalArgumentException.class, () -> new SegmentCounters(0, 0, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new SegmentCounters(1, -1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new SegmentCounters(1, 2, 1, 1, 5));
        assertThrows(IllegalArgumentException.class, () -> new SegmentCounters(1, 0, 6, 1, 5));
        assertThrows(IllegalArgumentException.class, () -> new SegmentCounters(1, 0, 0, 0, 5));
    }

    /** A step that is larger than max_seq, and a lift as far as there are sequences: no sum of these is a number. */
    @Test
    void aLiftToTheEndWantsTheEndWhateverTheStep() {
        for (long step : new long[] {1, 10_000, 1_000_000, MOST / 2, MOST}) {
            var counters = new SegmentCounters(1, 0, 10_000, 5, Long.MAX_VALUE);
            counters.lift(0, Long.MAX_VALUE);
            assertEquals(Long.MAX_VALUE, counters.wantedMaxSeq(step), "step " + step);
        }
    }
}
