package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.TestClock;
import org.junit.jupiter.api.Test;

/** The holder's side of a lease, on clocks that agree and on clocks that do not. */
class HolderLeaseTest {
    private static final long MILLI = 1_000_000;

    private final TestClock clock = new TestClock();
    private final HolderLease lease = new HolderLease(new LeaseTerms(3_000 * MILLI, 100));

    private boolean valid() {
        return lease.validAt(clock.now());
    }

    private long remainingMillis() {
        return lease.remainingNanos(clock.now()) / MILLI;
    }

    private void renewNow() {
        lease.renewed(clock.now());
    }

    @Test
    void isNotValidBeforeTheFirstRenewal() {
        assertFalse(valid());
        assertEquals(0, remainingMillis());
    }

    @Test
    void isCountedFromTheSendingNotFromTheAnswer() {
        var sentAt = clock.now();
        clock.passMillis(2_900);
        lease.renewed(sentAt);
        assertEquals(100, remainingMillis());
        clock.passMillis(99);
        assertTrue(valid());
        clock.passMillis(1);
        assertFalse(valid());
    }

    @Test
    void anAnswerLaterThanTheTtlGivesNothing() {
        var sentAt = clock.now();
        clock.passMillis(3_000);
        lease.renewed(sentAt);
        assertFalse(valid());
    }

    @Test
    void endsToTheNanosecond() {
        renewNow();
        clock.passNanos(3_000 * MILLI - 1);
        assertTrue(valid());
        clock.passNanos(1);
        assertFalse(valid());
    }

    @Test
    void lastsThroughTheWrapOfTheMonotonicClock() {
        renewNow();
        for (int i = 0; i < 20; i++) {
            clock.passMillis(1_000);
            assertEquals(2_000, remainingMillis());
            renewNow();
        }
        assertEquals(0, lease.drops());
    }

    @Test
    void anEarlierRenewalAnsweredLaterDoesNoHarm() {
        var first = clock.now();
        clock.passMillis(500);
        var second = clock.now();
        clock.passMillis(500);
        lease.renewed(second);
        assertEquals(2_500, remainingMillis());
        lease.renewed(first);
        assertEquals(2_500, remainingMillis());
    }

    @Test
    void aRenewalAnsweredTwiceCountsOnce() {
        var sentAt = clock.now();
        lease.renewed(sentAt);
        clock.passMillis(1_000);
        lease.renewed(sentAt);
        assertEquals(2_000, remainingMillis());
    }

    @Test
    void aLeaseThatRanOutIsValidAgainByALaterRenewal() {
        renewNow();
        clock.passMillis(10_000);
        assertFalse(valid());
        renewNow();
        assertTrue(valid());
        assertEquals(0, lease.drops());
    }

    @Test
    void anEndedLeaseIsNeverValidAgain() {
        renewNow();
        assertTrue(valid());
        lease.end();
        assertFalse(valid());
        clock.passMillis(100);
        renewNow();
        assertFalse(valid());
        assertEquals(0, remainingMillis());
    }

    @Test
    void wallClockThatStepsForwardDropsTheLease() {
        renewNow();
        clock.passMillis(100);
        clock.stepWallMillis(300);
        assertFalse(valid());
        assertEquals(1, lease.drops());
    }

    @Test
    void wallClockThatStepsBackDropsTheLease() {
        renewNow();
        clock.passMillis(100);
        clock.stepWallMillis(-3_600_000);
        assertFalse(valid());
        assertEquals(1, lease.drops());
    }

    @Test
    void aDropIsCountedOnceHoweverOftenItIsSeen() {
        renewNow();
        clock.stepWallMillis(5_000);
        for (int i = 0; i < 10; i++) {
            assertFalse(valid());
            clock.passMillis(10);
        }
        assertEquals(1, lease.drops());
    }

    @Test
    void aDroppedLeaseStaysDroppedWhenTheWallClockComesBack() {
        renewNow();
        clock.stepWallMillis(-5_000);
        assertFalse(valid());
        clock.stepWallMillis(5_000);
        assertFalse(valid());
    }

    @Test
    void onlyARenewalSentAfterTheDropMakesTheLeaseValidAgain() {
        renewNow();
        clock.passMillis(100);
        var inFlight = clock.now();
        clock.passMillis(100);
        clock.stepWallMillis(-1_000);
        assertFalse(valid());
        clock.passMillis(10);
        lease.renewed(inFlight);
        assertFalse(valid(), "a renewal from before the drop revived the lease");
        renewNow();
        assertTrue(valid());
        assertEquals(3_000, remainingMillis());
        assertEquals(1, lease.drops());
    }

    @Test
    void aRenewalFromBeforeTheDropChangesNothingAfterTheRevivalEither() {
        renewNow();
        clock.passMillis(100);
        var inFlight = clock.now();
        clock.stepWallMillis(900);
        assertFalse(valid());
        clock.passMillis(10);
        renewNow();
        lease.renewed(inFlight);
        assertEquals(3_000, remainingMillis());
    }

    @Test
    void eachStepOfTheWallClockIsADropOfItsOwn() {
        for (int i = 1; i <= 5; i++) {
            clock.passMillis(10);
            renewNow();
            assertTrue(valid());
            clock.passMillis(10);
            clock.stepWallMillis(i % 2 == 0 ? 400 : -400);
            assertFalse(valid());
            assertEquals(i, lease.drops());
        }
    }

    @Test
    void aSmallStepIsCountedOnTheClockThatSaysMore() {
        renewNow();
        clock.passMillis(100);
        clock.stepWallMillis(150);
        assertEquals(2_750, remainingMillis());
        clock.stepWallMillis(-300);
        assertEquals(2_900, remainingMillis(), "the monotonic clock counts when the wall clock went back");
        assertEquals(0, lease.drops());
    }

    @Test
    void aSuspendThatStopsTheMonotonicClockIsCaughtByTheWallClock() {
        renewNow();
        clock.passMillis(50);
        clock.suspendMillis(10_000);
        assertFalse(valid());
        assertEquals(1, lease.drops());
    }

    @Test
    void aSuspendWhileTheRenewalWasUnderWayIsCaughtToo() {
        var sentAt = clock.now();
        clock.passMillis(1);
        clock.suspendMillis(10_000);
        lease.renewed(sentAt);
        assertFalse(valid());
    }

    @Test
    void shortSuspendsAddUp() {
        renewNow();
        for (int i = 0; i < 19; i++) {
            clock.passMillis(140);
            clock.suspendMillis(10);
            assertTrue(valid());
        }
        clock.passMillis(140);
        clock.suspendMillis(10);
        assertFalse(valid(), "3,000 ms passed, though the monotonic clock saw 2,800 of them");
    }
}
