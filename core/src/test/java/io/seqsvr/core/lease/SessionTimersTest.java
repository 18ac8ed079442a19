package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.SessionTimers.Due;
import io.seqsvr.core.lease.SessionTimers.Granted;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The granter's side of a lease: when a Raft leader may propose that a session has expired. */
class SessionTimersTest {
    private static final long MILLI = 1_000_000;
    private static final LeaseTerms TERMS = new LeaseTerms(3_000 * MILLI, 100);
    /** A full timer: ttl, drift, and the rounding. */
    private static final long FULL_MILLIS = TERMS.granterNanos() / MILLI;

    private final TestClock clock = new TestClock();
    private final SessionTimers timers = new SessionTimers();

    @BeforeEach
    void lead() {
        timers.startTerm(List.of(), clock.now());
    }

    private static Granted granted(long session, long renewal) {
        return new Granted(session, renewal, TERMS);
    }

    private List<Due> due() {
        return timers.due(clock.now());
    }

    private void renewed(long session, long renewal) {
        timers.renewed(granted(session, renewal), clock.now());
    }

    @Test
    void aSessionIsDueWhenTheWholeTimerHasPassed() {
        renewed(7, 70);
        clock.passNanos(TERMS.granterNanos() - 1);
        assertEquals(List.of(), due());
        assertEquals(1, timers.remainingNanos(7, clock.now()));
        clock.passNanos(1);
        assertEquals(List.of(new Due(7, 70)), due());
        assertEquals(0, timers.remainingNanos(7, clock.now()));
    }

    @Test
    void whatIsLeftOutCountsForNobodyAndMakesNoTimerLongerThanItIs() {
        renewed(7, 70);
        clock.passMillis(1_000);
        renewed(8, 80);
        clock.passMillis(1_000);
        timers.leaveOut(1_500 * MILLI, clock.now());
        assertEquals((FULL_MILLIS - 500) * MILLI, timers.remainingNanos(7, clock.now()));
        assertEquals(TERMS.granterNanos(), timers.remainingNanos(8, clock.now()), "it began within that time");
        clock.passMillis(FULL_MILLIS - 500);
        assertEquals(List.of(new Due(7, 70)), due());
    }

    /** Else nobody would take over from the dead while a leader goes on that gets next to no processor time. */
    @Test
    void shortSpansThatAreLeftOutMakeATimerTwiceAsLongAtMost() {
        renewed(7, 70);
        for (long millis = 0; millis < 2 * FULL_MILLIS - 200; millis += 200) {
            clock.passMillis(200);
            timers.leaveOut(150 * MILLI, clock.now());
            assertEquals(List.of(), due());
        }
        clock.passMillis(200);
        timers.leaveOut(150 * MILLI, clock.now());
        assertEquals(List.of(new Due(7, 70)), due());
    }

    @Test
    void dueIsReportedOnce() {
        renewed(7, 70);
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(new Due(7, 70)), due());
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(), due());
    }

    @Test
    void aProposalThatFailedIsReportedAgain() {
        renewed(7, 70);
        clock.passMillis(FULL_MILLIS);
        var failed = due().get(0);
        timers.reportAgain(failed);
        assertEquals(List.of(failed), due());
        assertEquals(List.of(), due());
    }

    @Test
    void aProposalThatFailedIsForgottenWhenTheSessionRenewed() {
        renewed(7, 70);
        clock.passMillis(FULL_MILLIS);
        var failed = due().get(0);
        renewed(7, 71);
        timers.reportAgain(failed);
        assertEquals(List.of(), due());
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(new Due(7, 71)), due());
    }

    @Test
    void aRenewalAfterTheReportStartsAFullTimerUnderItsOwnStamp() {
        renewed(7, 70);
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(new Due(7, 70)), due());
        renewed(7, 71);
        clock.passMillis(FULL_MILLIS - 1);
        assertEquals(List.of(), due());
        clock.passMillis(1);
        assertEquals(List.of(new Due(7, 71)), due());
    }

    @Test
    void anEndedSessionIsNeverDue() {
        renewed(7, 70);
        timers.ended(7);
        timers.reportAgain(new Due(7, 70));
        clock.passMillis(2 * FULL_MILLIS);
        assertEquals(List.of(), due());
        assertEquals(0, timers.remainingNanos(7, clock.now()));
    }

    @Test
    void sessionsAreDueEachByItsOwnTimer() {
        renewed(9, 90);
        clock.passMillis(1_000);
        renewed(7, 70);
        renewed(8, 80);
        clock.passMillis(FULL_MILLIS - 1_000);
        assertEquals(List.of(new Due(9, 90)), due());
        clock.passMillis(1_000);
        assertEquals(List.of(new Due(7, 70), new Due(8, 80)), due());
    }

    @Test
    void eachSessionIsTimedByTheTermsThatItWasTold() {
        var shorter = new LeaseTerms(1_000 * MILLI, 100);
        timers.renewed(new Granted(7, 70, shorter), clock.now());
        renewed(8, 80);
        clock.passNanos(shorter.granterNanos());
        assertEquals(List.of(new Due(7, 70)), due());
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(new Due(8, 80)), due());
        timers.startTerm(List.of(new Granted(7, 70, shorter), granted(8, 80)), clock.now());
        clock.passNanos(shorter.granterNanos());
        assertEquals(List.of(new Due(7, 70)), due());
    }

    @Test
    void aNewLeaderGivesEverySessionAFullTimer() {
        clock.passMillis(60_000);
        timers.startTerm(List.of(granted(7, 70), granted(8, 80)), clock.now());
        clock.passMillis(FULL_MILLIS - 1);
        assertEquals(List.of(), due());
        clock.passMillis(1);
        assertEquals(List.of(new Due(7, 70), new Due(8, 80)), due());
    }

    @Test
    void theSamePeerElectedAgainStartsInFull() {
        renewed(7, 70);
        clock.passMillis(FULL_MILLIS - 1);
        timers.stopTerm();
        timers.startTerm(List.of(granted(7, 70)), clock.now());
        clock.passMillis(FULL_MILLIS - 1);
        assertEquals(List.of(), due());
        clock.passMillis(1);
        assertEquals(List.of(new Due(7, 70)), due());
    }

    @Test
    void timersDoNotSurviveATerm() {
        renewed(7, 70);
        timers.stopTerm();
        assertEquals(0, timers.remainingNanos(7, clock.now()));
        renewed(8, 80);
        clock.passMillis(10 * FULL_MILLIS);
        assertEquals(List.of(), due());
        timers.startTerm(List.of(), clock.now());
        clock.passMillis(10 * FULL_MILLIS);
        assertEquals(List.of(), due());
    }

    @Test
    void aDueSessionOfAnEarlierTermIsNotDueInTheNext() {
        renewed(7, 70);
        clock.passMillis(FULL_MILLIS);
        timers.startTerm(List.of(granted(7, 70)), clock.now());
        assertEquals(List.of(), due());
    }

    @Test
    void theClockThatCountedLeastDecides() {
        renewed(7, 70);
        renewed(8, 80);
        clock.suspendMillis(150);
        clock.passMillis(FULL_MILLIS - 150);
        assertEquals(List.of(), due(), "the wall clock alone says that the time is over");
        clock.passMillis(150);
        assertEquals(2, due().size());
        renewed(7, 71);
        clock.stepWallMillis(-150);
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(), due(), "the monotonic clock alone says that the time is over");
        clock.passMillis(150);
        assertEquals(List.of(new Due(7, 71)), due());
    }

    @Test
    void clocksThatDisagreeStartTheTimerAnew() {
        for (long step : new long[] {-3_600_000, -300, 300, 3_600_000}) {
            renewed(7, 70);
            clock.passMillis(FULL_MILLIS - 1);
            clock.stepWallMillis(step);
            assertEquals(List.of(), due());
            clock.passMillis(FULL_MILLIS - 1);
            assertEquals(List.of(), due(), "step " + step);
            clock.passMillis(1);
            assertEquals(List.of(new Due(7, 70)), due(), "step " + step);
        }
    }

    @Test
    void aLeaderThatWasSuspendedCountsAnew() {
        renewed(7, 70);
        clock.suspendMillis(60_000);
        assertEquals(List.of(), due());
        assertEquals(TERMS.granterNanos(), timers.remainingNanos(7, clock.now()));
    }

    @Test
    void timeToWaitIsWhatTheTimerStillRuns() {
        renewed(7, 70);
        clock.passMillis(1_000);
        assertEquals(TERMS.granterNanos() - 1_000 * MILLI, timers.remainingNanos(7, clock.now()));
        assertEquals(0, timers.remainingNanos(8, clock.now()));
    }

    @Test
    void granterWaitsLongerThanAnyHolderWithinTheDrift() {
        assertTrue(FULL_MILLIS * MILLI > TERMS.ttlNanos() * 1.1);
    }
}
