package io.seqsvr.cli.bench.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long a user waited, and which numbers it did not get. */
final class SteadyUserTest {
    private final SteadyUser user = new SteadyUser();

    @Test
    void anAnswerEndsAWaitThatBeganWhenItsCallWasDue() {
        user.beginWindow(0);
        user.asks(100);
        user.served(100, 130, 1, 7);
        user.asks(200);
        user.served(200, 210, 2, 7);
        assertEquals(30, user.longestWait(1_000));
    }

    @Test
    void aUserWaitsOnWhenACallOfItsWasGivenUp() {
        user.beginWindow(0);
        user.asks(100);
        user.asks(250);
        user.failed(100);
        user.failed(250);
        user.asks(400);
        assertEquals(500, user.longestWait(600));
        user.served(400, 700, 1, 8);
        assertEquals(600, user.longestWait(9_000));
        assertEquals(2, user.failures());
    }

    @Test
    void aCallThatIsStillUnderWayWhenALaterOneWasAnsweredGoesOnToCount() {
        user.beginWindow(0);
        user.asks(100);
        user.asks(200);
        user.served(200, 220, 1, 7);
        assertTrue(user.isUnderWay());
        user.served(100, 400, 2, 7);
        assertEquals(300, user.longestWait(9_000));
        assertFalse(user.isUnderWay());
    }

    @Test
    void whatWasWaitedBeforeAWindowIsForgotten() {
        user.asks(100);
        user.beginWindow(500);
        assertEquals(20, user.longestWait(520));
        user.served(100, 550, 1, 7);
        assertEquals(50, user.longestWait(9_000));
        user.beginWindow(600);
        assertEquals(0, user.longestWait(9_000));
    }

    @Test
    void onlyACallThatWasDueSinceShowsThatItIsServedSince() {
        assertFalse(user.isServedSince(Long.MIN_VALUE + 5), "never asked");
        user.asks(100);
        user.served(100, 500, 1, 7);
        assertTrue(user.isServedSince(100));
        assertFalse(user.isServedSince(101));
    }

    @Test
    void numbersBetweenThoseThatCameWereSkippedUnlessTheyComeLater() {
        assertEquals(0, user.skipped());
        user.asks(1);
        user.asks(2);
        user.asks(3);
        user.served(1, 10, 5, 7);
        user.served(2, 11, 8, 7);
        assertEquals(2, user.skipped());
        user.served(3, 12, 7, 7);
        assertEquals(1, user.skipped());
    }

    @Test
    void whatItSawWhileItWarmedUpIsForgotten() {
        user.asks(1);
        assertThrows(IllegalStateException.class, user::forget);
        user.failed(1);
        user.asks(2);
        user.served(2, 900, 4, 7);
        user.forget();
        user.asks(1_000);
        user.served(1_000, 1_001, 9, 7);
        assertEquals(0, user.skipped());
        assertEquals(0, user.failures());
        assertEquals(1, user.longestWait(2_000));
    }

    @Test
    void anotherEpochIsAnotherOwnerAndALateAnswerOfTheFormerOneIsNone() {
        for (long call = 1; call <= 4; call++) {
            user.asks(call);
        }
        user.served(1, 10, 1, 7);
        user.served(2, 11, 3, 9);
        user.served(3, 12, 2, 7);
        user.served(4, 13, 4, 9);
        assertEquals(1, user.ownerChanges());
    }
}
