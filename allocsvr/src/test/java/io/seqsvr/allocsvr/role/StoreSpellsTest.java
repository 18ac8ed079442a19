package io.seqsvr.allocsvr.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.ClockReading;
import org.junit.jupiter.api.Test;

/** When an allocator says that StoreSvr does not take its commands, and that it does again. */
class StoreSpellsTest {
    private static final long MILLIS = 1_000_000;

    private final StoreSpells spells = new StoreSpells();

    private static ClockReading at(long millis) {
        return new ClockReading(millis * MILLIS, millis * MILLIS);
    }

    @Test
    void aSpellIsToldWhenItBeginsAndWhenNothingHasFailedForAWhile() {
        assertFalse(spells.ends(at(0)), "nothing has failed");
        assertTrue(spells.begins(at(10)));
        assertFalse(spells.begins(at(20)));
        assertFalse(spells.ends(at(5_019)));
        assertTrue(spells.ends(at(5_020)));
        assertFalse(spells.ends(at(5_030)));
        assertTrue(spells.begins(at(5_040)));
    }

    /** A full queue of raises, while renewals have one of their own. */
    @Test
    void answersAmongRefusalsAreNotLineAfterLine() {
        int lines = 0;
        for (int millis = 0; millis < 60_000; millis += 10) {
            lines += (spells.begins(at(millis)) ? 1 : 0) + (spells.ends(at(millis + 5)) ? 1 : 0);
        }
        assertEquals(1, lines);
    }
}
