package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a leader has become too slow to lead. */
class SlowLeaderTest {
    private final EntryPace pace = new EntryPace();
    private final SlowLeader leader = new SlowLeader();
    private long now;

    private static long nanos(long millis) {
        return millis * 1_000_000;
    }

    private void entry(long millis) {
        long begun = now;
        pace.begins(begun);
        now += nanos(millis);
        pace.ends(begun, now);
    }

    private void quickOnes(int count) {
        for (int i = 0; i < count; i++) {
            entry(40);
            assertFalse(leader.isUnbearable(now, pace));
        }
    }

    /** Looks a tenth of a second apart; tells how many came before the first that finds it too slow. */
    private long looksUntilTooSlow(int most) {
        for (int look = 0; look < most; look++) {
            if (leader.isUnbearable(now, pace)) {
                return look;
            }
            now += nanos(100);
        }
        return most;
    }

    @Test
    void aLeaderWasQuickAndAnswersLateNow() {
        quickOnes(10);
        pace.begins(now);
        assertEquals(12, looksUntilTooSlow(100));
    }

    @Test
    void itDoesNotHelpThatSlowEntriesEndInTheirTime() {
        quickOnes(10);
        for (int i = 0; i < 2; i++) {
            entry(600);
            assertFalse(leader.isUnbearable(now, pace));
        }
        entry(600);
        assertTrue(leader.isUnbearable(now, pace));
    }

    @Test
    void aQuickOneEndsIt() {
        quickOnes(10);
        entry(900);
        assertFalse(leader.isUnbearable(now, pace));
        entry(400);
        assertEquals(0, pace.slowNanos(now));
        assertEquals(50, looksUntilTooSlow(50));
    }

    @Test
    void whoWasNeverQuickInItsTermIsNoSlowerThanTheOthers() {
        quickOnes(9);
        pace.begins(now);
        assertEquals(100, looksUntilTooSlow(100));
    }

    @Test
    void aTermBeforeDoesNotCount() {
        quickOnes(50);
        leader.forget(pace);
        quickOnes(9);
        entry(600);
        assertEquals(50, looksUntilTooSlow(50));
    }

    /** Its entries are as old as its standstill when it goes on, and are answered soon. */
    @Test
    void whoStoodStillForAMomentGoesOnLeading() {
        quickOnes(10);
        long begun = now;
        pace.begins(begun);
        now += nanos(5_000);
        assertFalse(leader.isUnbearable(now, pace));
        now += nanos(100);
        assertFalse(leader.isUnbearable(now, pace));
        pace.ends(begun, now);
        quickOnes(1);
    }

    @Test
    void whatFailedSaysNothing() {
        quickOnes(10);
        long begun = now;
        pace.begins(begun);
        now += nanos(3_000);
        pace.fails(begun);
        assertEquals(50, looksUntilTooSlow(50));
    }

    @Test
    void whereNothingIsToBeDoneNobodyIsLate() {
        quickOnes(10);
        assertEquals(600, looksUntilTooSlow(600));
        entry(1_100);
        assertEquals(600, looksUntilTooSlow(600));
    }
}
