package io.seqsvr.chaos.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Whether a process is short of processor, by the periods in which it stood still. */
final class ThrottlingTest {
    private final Throttling throttling = new Throttling();

    @Test
    void whoStandsStillOnceAndGetsOnElseIsNotShortOfIt() {
        assertFalse(throttling.see(4, 1), "too few to tell");
        assertTrue(throttling.see(10, 1));
        assertFalse(throttling.isFelt());
        assertFalse(throttling.wasFelt());
    }

    @Test
    void whoStandsStillInAShareOfItsPeriodsIs() {
        assertTrue(throttling.see(10, 0), "it gets less from then on");
        assertFalse(throttling.see(15, 3));
        assertTrue(throttling.isFelt());
        assertTrue(throttling.see(20, 3));
        assertFalse(throttling.isFelt());
        assertTrue(throttling.wasFelt(), "3 of 10");
        assertTrue(throttling.see(40, 3));
        assertFalse(throttling.wasFelt(), "3 of 30");
    }
}
