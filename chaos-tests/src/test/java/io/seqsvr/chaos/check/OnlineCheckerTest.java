package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OnlineCheckerTest {
    private final OnlineChecker checker = new OnlineChecker();

    @Test
    void aReplyThatGoesBackIsCaught() {
        take(5, 9);
        assertEquals(9, checker.begin(1));
        assertEquals(Optional.of(new Breach(Rule.ORDERED, 1, 9, 12, 9)), checker.end(1, 9, 9, 12));
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
        assertEquals(Optional.of(new Breach(Rule.UNIQUE, 1, 4, 4, 4)), checker.end(1, slow, 4, 4));
    }

    @Test
    void rangesAreRememberedOnlyWhileSomethingOlderIsUnderWay() {
        take(1, 10);
        assertEquals(1, checker.remembered(1));
        long lost = checker.begin(1);
        take(11, 11);
        take(12, 12);
        assertEquals(3, checker.remembered(1));
        checker.abandon(1, lost);
        assertEquals(1, checker.remembered(1));
    }

    @Test
    void aReplyHoweverLateCountsInFull() {
        long late = checker.begin(1);
        take(2, 2);
        assertEquals(Optional.empty(), checker.end(1, late, 5, 5));
        assertEquals(5, checker.begin(1));
    }

    @Test
    void aReplyThatNeverComesHoldsNoMoreThanTheLimitAndIsStillJudgedByOrder() {
        var small = new OnlineChecker(100);
        small.end(1, small.begin(1), 10, 10);
        long late = small.begin(1);
        long alsoLate = small.begin(1);
        for (long seq = 11; seq < 10_000; seq++) {
            assertEquals(Optional.empty(), small.end(1, small.begin(1), seq, seq));
            assertTrue(small.remembered(1) <= 100);
        }
        assertEquals(0, small.unjudged());
        assertEquals(Optional.of(new Breach(Rule.ORDERED, 1, 9, 9, 10)), small.end(1, late, 9, 9));
        assertEquals(Optional.empty(), small.end(1, alsoLate, 11, 11));
        assertEquals(1, small.unjudged());
        assertEquals(1, small.remembered(1));
    }

    @Test
    void aReadingBelowTheFloorIsCaughtAndSoIsARangeThatDoesNotPassIt() {
        take(5, 9);
        long floor = checker.begin(1);
        assertEquals(
                Optional.of(new Breach(Rule.CURRENT_COVERS_WHAT_WAS_SEEN, 1, 8, 8, 9)),
                checker.told(1, floor, 8, false));
        assertEquals(Optional.empty(), checker.told(1, checker.begin(1), 20, false));
        assertEquals(Optional.of(new Breach(Rule.ORDERED, 1, 20, 20, 20)), checker.end(1, checker.begin(1), 20, 20));
    }

    @Test
    void aReadingInsideOfARangeIsCaughtWhicheverComesFirst() {
        long range = checker.begin(1);
        long reading = checker.begin(1);
        assertEquals(Optional.empty(), checker.told(1, reading, 7, false));
        assertEquals(Optional.of(new Breach(Rule.CURRENT_SPLITS_NO_RANGE, 1, 5, 9, 7)), checker.end(1, range, 5, 9));

        range = checker.begin(2);
        reading = checker.begin(2);
        assertEquals(Optional.empty(), checker.end(2, range, 5, 9));
        assertEquals(
                Optional.of(new Breach(Rule.CURRENT_SPLITS_NO_RANGE, 2, 7, 7, 9)), checker.told(2, reading, 7, false));
    }

    @Test
    void anExactReadingIsExplainedByACallUnderWayUntilThatBringsSomethingElse() {
        long slow = checker.begin(1);
        assertEquals(Optional.empty(), checker.told(1, checker.begin(1), 5, true));
        assertEquals(Optional.of(new Breach(Rule.EXACT_WAS_HANDED_OUT, 1, 5, 5, 0)), checker.end(1, slow, 4, 4));
    }

    @Test
    void anExactReadingIsExplainedForGoodByACallThatBroughtNothing() {
        checker.abandon(1, checker.begin(1));
        take(3, 3);
        assertEquals(Optional.empty(), checker.told(1, checker.begin(1), 5, true));
        take(6, 6);
        assertEquals(
                Optional.of(Rule.EXACT_WAS_HANDED_OUT),
                checker.told(1, checker.begin(1), 7, true).map(Breach::rule));
    }

    @Test
    void manyThreadsThatTakeFromOneCounterAreRight() {
        var patient = new OnlineChecker(4 * 20_000);
        var counter = new AtomicLong();
        var threads = new ArrayList<CompletableFuture<Void>>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 20_000; i++) {
                    long floor = patient.begin(1);
                    long seq = counter.incrementAndGet();
                    assertEquals(Optional.empty(), patient.end(1, floor, seq, seq));
                }
            }));
        }
        threads.forEach(CompletableFuture::join);
        assertEquals(0, patient.unjudged());
        assertEquals(1, patient.remembered(1));
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
