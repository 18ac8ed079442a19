package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.ClockReading;
import org.junit.jupiter.api.Test;

final class MachineClocksTest {
    private static final long TEN = 10 * Nanos.SECOND;

    @Test
    void allClocksRunAtTheRateOfTheirMachine() {
        for (double rate : new double[] {0.5, 1, 1.25}) {
            var clocks = new MachineClocks(rate, 77);
            var before = clocks.readAll(Nanos.SECOND);
            var after = clocks.readAll(Nanos.SECOND + TEN);
            assertEquals((long) (rate * TEN), after.shortestSince(before));
            assertEquals((long) (rate * TEN), after.longestSince(before));
        }
    }

    @Test
    void aNewRateCountsFromItsMomentOnly() {
        var clocks = new MachineClocks(1, 0);
        var before = clocks.readAll(0);
        clocks.setRate(TEN, 2);
        assertEquals(3 * TEN, clocks.readAll(2 * TEN).shortestSince(before));
        assertEquals(3 * TEN, clocks.readAll(2 * TEN).longestSince(before));
    }

    @Test
    void noClockMovesWhileNoTimePasses() {
        var clocks = new MachineClocks(1.1, 5);
        assertEquals(clocks.readAll(TEN), clocks.readAll(TEN));
    }

    @Test
    void machinesStartWithClocksThatShowDifferentThings() {
        var one = new MachineClocks(1, 5).readAll(0);
        assertNotEquals(one, new MachineClocks(1, 6).readAll(0));
        assertNotEquals(one.monotonicNanos(), one.wallNanos());
    }

    @Test
    void theMonotonicClockStandsStillThroughASuspendAndTheOthersDoNot() {
        var clocks = new MachineClocks(0.5, 3);
        var before = clocks.readAll(0);
        clocks.suspend(TEN);
        var after = clocks.readAll(TEN);
        assertEquals(before.monotonicNanos(), after.monotonicNanos());
        assertEquals(TEN / 2, after.wallNanos() - before.wallNanos());
        assertEquals(TEN / 2, after.bootNanos() - before.bootNanos());
        assertTrue(after.disagreesSince(before));
    }

    @Test
    void theWallClockAloneIsSet() {
        for (long step : new long[] {TEN, -TEN}) {
            var clocks = new MachineClocks(1, 3);
            var before = clocks.readAll(0);
            clocks.stepWall(step);
            var after = clocks.readAll(Nanos.SECOND);
            assertEquals(Nanos.SECOND, after.monotonicNanos() - before.monotonicNanos());
            assertEquals(Nanos.SECOND + step, after.wallNanos() - before.wallNanos());
            assertEquals(Nanos.SECOND, after.bootNanos() - before.bootNanos());
            assertTrue(after.disagreesSince(before));
        }
    }

    @Test
    void theBootTimeClockIsReadByTicksOnly() {
        var clocks = new MachineClocks(1, 3);
        assertEquals(ClockReading.NOT_READ, clocks.read(TEN).bootNanos());
        assertEquals(3 + TEN, clocks.readAll(TEN).bootNanos());
        assertFalse(clocks.readAll(2 * TEN).disagreesSince(clocks.read(TEN)));
    }
}
