package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a granter's clocks keep its timers from running out. */
class GranterClocksTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long TIMER = 3_300 * MILLI;

    private final GranterClocks clocks = new GranterClocks();
    private long monotonic;
    private long wall;
    private long boot;

    /** Looks every 100 ms of true time for so long; returns whether the clocks were unbearable in the end. */
    private boolean pass(double seconds, double rate) {
        boolean unbearable = false;
        for (int look = 0; look < seconds * 10; look++) {
            monotonic += (long) (100 * MILLI * rate);
            wall += (long) (100 * MILLI * rate);
            boot += 100 * MILLI;
            unbearable = look();
        }
        return unbearable;
    }

    private boolean look() {
        return clocks.areUnbearable(new ClockReading(monotonic, wall, boot), TIMER);
    }

    @Test
    void clocksThatAgreeAreFineForAsLongAsTheyDo() {
        assertFalse(pass(100, 1));
    }

    @Test
    void clocksThatGoAFifthTooFastLetNoTimerRunOut() {
        assertFalse(pass(3, 1.2));
        assertTrue(pass(1, 1.2));
        assertTrue(pass(1, 1.2), "until another one leads");
    }

    @Test
    void clocksThatGoTooSlowAreAsBad() {
        assertTrue(pass(5, 0.8));
    }

    @Test
    void adjustmentsAsOfATimeServiceAreFine() {
        assertFalse(pass(100, 1.0005));
        assertFalse(pass(100, 1.05), "a timer is over before the difference is one");
    }

    @Test
    void aClockThatIsSetAndSetRightAgainIsFineHoweverOften() {
        for (int time = 0; time < 10; time++) {
            wall += 3_600 * SECOND;
            assertFalse(pass(1, 1));
            wall -= 3_600 * SECOND;
            assertFalse(pass(7, 1));
        }
    }

    @Test
    void aClockThatIsSetAllTheTimeIsNot() {
        boolean unbearable = pass(1, 1);
        for (int time = 0; time < 3; time++) {
            wall += SECOND;
            unbearable = pass(3, 1);
        }
        assertTrue(unbearable);
    }

    @Test
    void aPeerThatDoesNotLeadAnyMoreBeginsAnew() {
        assertTrue(pass(5, 1.2));
        clocks.forget();
        assertFalse(look());
        assertFalse(pass(3, 1.2));
    }
}
