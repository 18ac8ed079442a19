package io.seqsvr.core.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.ClockReading;
import org.junit.jupiter.api.Test;

/** When a watch counts as stale: one renewal tells of a version, and the next one finds that it was not shown. */
class WatchCheckTest {
    private static final long RENEWAL_MILLIS = 750;

    private final TestClock clock = new TestClock();
    private final WatchCheck check = new WatchCheck();

    /** A renewal is sent, and answered 3 ms later. */
    private boolean renewalTells(long version) {
        clock.passMillis(RENEWAL_MILLIS);
        var sentAt = clock.now();
        clock.passMillis(3);
        return check.stale(version, sentAt, clock.now());
    }

    @Test
    void aVersionThatIsNotShownByTheNextAnswerMakesTheWatchStale() {
        check.seen(5);
        assertFalse(renewalTells(6), "the watch had no time yet");
        assertTrue(renewalTells(6));
    }

    @Test
    void aVersionThatIsShownInTimeDoesNot() {
        check.seen(5);
        assertFalse(renewalTells(6));
        check.seen(6);
        assertFalse(renewalTells(7), "7 is news: the watch has until the next answer");
        check.seen(7);
        assertFalse(renewalTells(7));
    }

    @Test
    void aWatchThatNeverShowedAnythingIsStaleToo() {
        assertFalse(renewalTells(6));
        assertTrue(renewalTells(6));
    }

    @Test
    void aChangeThatIsShownButNotTheNextOneIsNoProgressEnough() {
        check.seen(5);
        assertFalse(renewalTells(9));
        check.seen(6);
        assertTrue(renewalTells(9));
    }

    @Test
    void thePeerThatIsAskedNextHasAsMuchTimeAsTheLastOne() {
        check.seen(5);
        assertFalse(renewalTells(6));
        assertTrue(renewalTells(8));
        check.seen(8);
        assertFalse(renewalTells(8));
    }

    @Test
    void aPeerThatIsStaleAsWellIsLeftAsWell() {
        check.seen(5);
        assertFalse(renewalTells(6));
        assertTrue(renewalTells(6));
        assertTrue(renewalTells(6));
    }

    @Test
    void answersToRenewalsThatWereUnderWayTogetherGiveTheWatchNoTimeBetween() {
        check.seen(5);
        ClockReading first = clock.now();
        clock.passMillis(375);
        ClockReading second = clock.now();
        clock.passMillis(2_000);
        assertFalse(check.stale(6, first, clock.now()));
        assertFalse(check.stale(6, second, clock.now()), "both answers came at one moment, when StoreSvr was back");
        assertTrue(renewalTells(6));
    }

    @Test
    void anOlderViewThanTheLastIsTold() {
        assertTrue(check.seen(5));
        assertTrue(check.seen(5));
        assertFalse(check.seen(4));
        assertTrue(check.seen(6));
    }
}
