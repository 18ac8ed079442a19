package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OnlineCheckerTest {
    private final OnlineChecker checker = new OnlineChecker();

    @Test
    void aReplyThatGoesBackIsCaught() {
        take(5, 9);
        assertEquals(9, checker.begin(1));
        assertEquals(Optional.of(new OnlineChecker.Breach(Rule.ORDERED, 1, 9, 12, 9)), checker.end(1, 9, 9, 12));
    }

    @Test
    void twoInFlightTogetherMayAnswerInEitherOrder() {
        long one = checker.begin(1);
        long other = checker.begin(1);
        assertEquals(Optional.empty(), checker.end(1, one, 2, 2));
        assertEquals(Optional.empty(), checker.end(1, other, 1, 1));
    }

    @Test
    void aDuplicateOfTwoInFlightTogetherIsCaughtLongAfter() {
        long slow = checker.begin(1);
        take(1, 4);
        take(5, 5);
        take(6, 1_000);
        assertEquals(Optional.of(new OnlineChecker.Breach(Rule.UNIQUE, 1, 4, 4, 4)), checker.end(1, slow, 4, 4));
    }

    @Test
    void rangesAreRememberedOnlyWhileSomethingOlderIsUnderWay() {
        take(1, 10);
        assertEquals(0, checker.remembered(1));
        long lost = checker.begin(1);
        take(11, 11);
        take(12, 12);
        assertEquals(2, checker.remembered(1));
        checker.abandon(1, lost);
        assertEquals(0, checker.remembered(1));
    }

    @Test
    void usersDoNotConstrainEachOther() {
        take(5, 5);
        assertEquals(0, checker.begin(2));
        assertEquals(Optional.empty(), checker.end(2, 0, 5, 5));
    }

    @Test
    void anEndWithoutItsBeginIsRefused() {
        assertThrows(IllegalStateException.class, () -> checker.end(1, 0, 1, 1));
        long floor = checker.begin(1);
        checker.abandon(1, floor);
        assertThrows(IllegalStateException.class, () -> checker.abandon(1, floor));
    }

    private void take(long first, long last) {
        assertEquals(Optional.empty(), checker.end(1, checker.begin(1), first, last));
    }
}
