package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.lang.ref.WeakReference;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Calls that wait together leave together; whatever gets lost or comes late, each ends once, with its own answer. */
class CallsTest {
    private final CallsBench bench = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));

    private static Answer seq(long uid, long seq) {
        return new Answer.Range(uid, seq, seq, 1);
    }

    private static Answer reading(long uid, long seq) {
        return new Answer.Reading(uid, seq, true, 1);
    }

    private static Answer refused(Refusal refusal) {
        return new Answer.Refused(refusal, "no");
    }

    @Test
    void callsThatArePutDownTogetherLeaveInOneFrameAndEachGetsItsOwnAnswer() {
        long one = bench.next(1);
        long other = bench.next(2);
        var frame = bench.onlyFrame();
        assertEquals(List.of(1L, 2L), CallsBench.uids(frame));
        assertEquals("alloc-1:7401", frame.address());
        bench.answer(frame, seq(1, 5), seq(2, 9));
        assertEquals(Optional.of(seq(1, 5)), bench.answerOf(one));
        assertEquals(Optional.of(seq(2, 9)), bench.answerOf(other));
        assertEquals(0, bench.calls.open());
    }

    @Test
    void whileAsManyFramesAsMayAreInFlightCallsWaitAndShareTheNext() {
        bench.next(1);
        var first = bench.onlyFrame();
        bench.next(2);
        bench.next(3);
        assertEquals(List.of(), bench.frames());
        bench.answer(first, seq(1, 1));
        assertEquals(List.of(2L, 3L), CallsBench.uids(bench.onlyFrame()));
    }

    @Test
    void severalFramesMayBeInFlight() {
        var two = new CallsBench(new CallLimits(2, 1, 6, CallsBench.PATIENCE));
        two.next(1);
        two.next(2);
        two.next(3);
        var frames = two.frames();
        assertEquals(
                List.of(List.of(1L), List.of(2L)),
                frames.stream().map(CallsBench::uids).toList());
        two.answer(frames.get(1), seq(2, 1));
        assertEquals(List.of(3L), CallsBench.uids(two.onlyFrame()));
    }

    @Test
    void aFrameHoldsNoMoreThanItsBoundAndWhoWaitedLongestGoesFirst() {
        for (long uid = 1; uid <= 5; uid++) {
            bench.next(uid);
        }
        var first = bench.onlyFrame();
        assertEquals(List.of(1L, 2L, 3L), CallsBench.uids(first));
        bench.next(6);
        bench.answer(first, seq(1, 1), seq(2, 1), seq(3, 1));
        assertEquals(List.of(4L, 5L, 6L), CallsBench.uids(bench.onlyFrame()));
    }

    @Test
    void moreThanAFrameMayWaitAndAllOfThemLeaveInTurn() {
        var busy = new CallsBench(new CallLimits(1, 3, 12, CallsBench.PATIENCE));
        for (long uid = 0; uid < 8; uid++) {
            busy.next(uid);
        }
        var first = busy.onlyFrame();
        busy.answer(first, seq(0, 1), seq(1, 1), seq(2, 1));
        var second = busy.onlyFrame();
        assertEquals(List.of(3L, 4L, 5L), CallsBench.uids(second));
        busy.next(8);
        busy.answer(second, seq(3, 1), seq(4, 1), seq(5, 1));
        assertEquals(List.of(6L, 7L, 8L), CallsBench.uids(busy.onlyFrame()));
    }

    /** Whoever numbers a batch of one user's messages wants them in order, also where an owner is just changing. */
    @Test
    void callsOfAFrameThatIsRefusedGoOutAgainInTheirOrder() {
        var wide = new CallsBench(new CallLimits(1, 64, 64, CallsBench.PATIENCE));
        var uids = LongStream.range(0, 8).boxed().toList();
        uids.forEach(wide::next);
        var no = refused(Refusal.NOT_OWNER);
        wide.answer(wide.onlyFrame(), no, no, no, no, no, no, no, no);
        assertEquals(List.of(), wide.frames());
        wide.rest();
        assertEquals(uids, CallsBench.uids(wide.onlyFrame()));
    }

    @Test
    void whoWaitsBehindACallThatALateReplyHasEndedIsNotForgotten() {
        var narrow = new CallsBench(new CallLimits(1, 1, 6, CallsBench.PATIENCE));
        long early = narrow.next(1);
        narrow.next(2);
        var first = narrow.onlyFrame();
        narrow.losePatience();
        var second = narrow.onlyFrame();
        narrow.rest();
        narrow.next(3);
        assertEquals(List.of(), narrow.frames());
        narrow.answer(first, seq(1, 7));
        assertEquals(Optional.of(seq(1, 7)), narrow.answerOf(early));
        narrow.answer(second, seq(2, 1));
        assertEquals(List.of(3L), CallsBench.uids(narrow.onlyFrame()));
    }

    @Test
    void callsOfTwoOwnersLeaveInTwoFramesWithTheLeastEpochOfEach() {
        bench.next(1);
        bench.next(11);
        var frames = bench.frames();
        assertEquals(
                List.of("alloc-1:7401", "alloc-2:7401"),
                frames.stream().map(Frame::address).toList());
        assertEquals(1, frames.get(1).places().get(0).leastEpoch());
        bench.answer(frames.get(1), new Answer.Range(11, 1, 1, 4));
        bench.next(12);
        assertEquals(4, bench.onlyFrame().places().get(0).leastEpoch(), "epochs are learned from answers");
    }

    @Test
    void aLateReplyServesTheCallsOfItsOwnAttemptAndNobodyElse() {
        long early = bench.next(1);
        var first = bench.onlyFrame();
        long late = bench.next(1);
        bench.losePatience();
        var second = bench.onlyFrame();
        assertNotEquals(first.correlation(), second.correlation());
        assertEquals(1, second.places().size(), "the early one rests before it is tried again");
        bench.answer(first, seq(1, 7));
        assertEquals(Optional.of(seq(1, 7)), bench.answerOf(early));
        assertEquals(Optional.empty(), bench.answerOf(late), "7 was taken before it began");
        assertEquals(1, bench.calls.lateReplies());
        bench.answer(second, seq(1, 8));
        assertEquals(Optional.of(seq(1, 8)), bench.answerOf(late));
    }

    @Test
    void aCallThatWasAnsweredIsNotAnsweredAgainByAnotherOfItsAttempts() {
        long call = bench.next(1);
        var first = bench.onlyFrame();
        bench.losePatience();
        bench.rest();
        var second = bench.onlyFrame();
        bench.answer(first, seq(1, 7));
        bench.answer(second, seq(1, 8));
        bench.answer(second, seq(1, 9));
        assertEquals(Optional.of(seq(1, 7)), bench.answerOf(call));
    }

    @Test
    void aLateRefusalDoesNotSendACallOutThatIsOnItsWayAgain() {
        bench.next(1);
        var first = bench.onlyFrame();
        bench.losePatience();
        bench.rest();
        bench.onlyFrame();
        bench.answer(first, refused(Refusal.NOT_OWNER));
        bench.rest();
        assertEquals(List.of(), bench.frames());
    }

    @Test
    void aReadingThatBeginsAfterAFrameWasSentSharesNothingWithIt() {
        long before = bench.current(1);
        var first = bench.onlyFrame();
        long after = bench.current(1);
        bench.answer(first, reading(1, 5));
        assertEquals(Optional.of(reading(1, 5)), bench.answerOf(before));
        assertEquals(Optional.empty(), bench.answerOf(after));
        bench.answer(bench.onlyFrame(), reading(1, 6));
        assertEquals(Optional.of(reading(1, 6)), bench.answerOf(after));
    }

    @Test
    void readingsOfOneUserThatWaitTogetherShareOnePlace() {
        long one = bench.current(1);
        bench.current(3);
        long other = bench.current(1);
        bench.current(2);
        var frame = bench.onlyFrame();
        assertEquals(List.of(1L, 3L, 2L), CallsBench.uids(frame));
        bench.answer(frame, reading(1, 5), reading(3, 6), reading(2, 0));
        assertEquals(Optional.of(reading(1, 5)), bench.answerOf(one));
        assertEquals(Optional.of(reading(1, 5)), bench.answerOf(other));
        assertEquals(1, bench.calls.sharedReadings());
    }

    @Test
    void aReplyOfAnotherLengthAnswersNobodyAndItsCallsGoOutAgain() {
        bench.next(1);
        bench.next(2);
        bench.answer(bench.onlyFrame(), seq(1, 5));
        assertEquals(2, bench.calls.open());
        bench.rest();
        assertEquals(2, bench.onlyFrame().places().size());
    }

    @Test
    void aRefusalThatPassesIsTriedAgainAndAnyOtherEndsTheCall() {
        for (var refusal : EnumSet.complementOf(EnumSet.of(Refusal.NAMESPACE_UNKNOWN))) {
            var fresh = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
            long call = fresh.next(1);
            fresh.answer(fresh.onlyFrame(), refused(refusal));
            fresh.rest();
            boolean again = !fresh.frames().isEmpty();
            assertEquals(refusal.passes(), again, refusal::name);
            assertEquals(again ? Optional.empty() : Optional.of(refused(refusal)), fresh.answerOf(call));
        }
    }

    @Test
    void whatNobodyCanAnswerEndsAtOnceAndWhatHasNoOwnerYetIsTriedAgain() {
        long unknown = bench.put(new Call.Next("other", 1, 1, 0));
        long beyond = bench.next(1_000);
        bench.carryOut();
        assertTrue(bench.answerOf(unknown).isPresent());
        assertTrue(bench.answerOf(beyond).isPresent());
        long dark = bench.next(21);
        bench.carryOut();
        bench.assign(2, "alloc-3");
        bench.rest();
        var frame = bench.onlyFrame();
        assertEquals("alloc-3:7401", frame.address());
        bench.answer(frame, seq(21, 1));
        assertEquals(Optional.of(seq(21, 1)), bench.answerOf(dark));
    }

    @Test
    void anAnswerOfAnOlderEpochThanOneSeenIsTriedAgain() {
        bench.next(1);
        bench.answer(bench.onlyFrame(), new Answer.Range(1, 1, 1, 3));
        long call = bench.next(2);
        bench.answer(bench.onlyFrame(), new Answer.Range(2, 1, 1, 2));
        assertEquals(Optional.empty(), bench.answerOf(call));
        assertEquals(1, bench.calls.disbelieved());
        bench.rest();
        bench.answer(bench.onlyFrame(), new Answer.Range(2, 5, 5, 3));
        assertTrue(bench.answerOf(call).isPresent());
    }

    @Test
    void anAnswerThatIsOnItsWayWhenAPictureTellsOfTheNextOwnerIsOne() {
        long call = bench.next(1);
        var sent = bench.onlyFrame();
        bench.moveAway(0, "alloc-3");
        bench.answer(sent, new Answer.Range(1, 4, 4, sent.places().get(0).leastEpoch()));
        assertTrue(bench.answerOf(call).isPresent(), "else its number is skipped");
        assertEquals(0, bench.calls.disbelieved());
    }

    @Test
    void atItsDeadlineACallThatIsUnderWayEndsWithAnUnknownOutcome() {
        long call = bench.next(1);
        var frame = bench.onlyFrame();
        bench.pass(CallsBench.TIMEOUT - 1);
        assertFalse(bench.hasEnded(call));
        bench.pass(1);
        assertTrue(bench.hasEnded(call));
        assertEquals(Optional.empty(), bench.answerOf(call));
        bench.answer(frame, seq(1, 1));
        assertEquals(Optional.empty(), bench.answerOf(call));
        assertEquals(0, bench.calls.open());
    }

    @Test
    void atItsDeadlineACallThatWasRefusedLastEndsWithThatRefusal() {
        var slow = new CallsBench(new CallLimits(1, 3, 6, 2 * CallsBench.TIMEOUT));
        long call = slow.next(1);
        long waits = slow.next(2);
        slow.answer(slow.onlyFrame(), refused(Refusal.LEASE_EXPIRED), refused(Refusal.COUNT_OUT_OF_BOUNDS));
        assertTrue(slow.hasEnded(waits));
        slow.pass(CallsBench.TIMEOUT);
        assertEquals(Optional.of(refused(Refusal.LEASE_EXPIRED)), slow.answerOf(call));
    }

    /** It would take another number, and as likely for nobody. */
    @Test
    void whatWaitedForStoreSvrInVainIsNotAskedForAgainJustBeforeItsDeadline() {
        var slow = new CallsBench(new CallLimits(1, 3, 6, 2 * CallsBench.TIMEOUT));
        long early = slow.next(1);
        var first = slow.onlyFrame();
        slow.pass(CallsBench.TIMEOUT / 2);
        slow.answer(first, refused(Refusal.DEADLINE_PASSED));
        slow.rest();
        var again = slow.onlyFrame();
        slow.pass(CallsBench.TIMEOUT / 2 - 350_000_000);
        slow.answer(again, refused(Refusal.DEADLINE_PASSED));
        assertEquals(Optional.of(refused(Refusal.DEADLINE_PASSED)), slow.answerOf(early));
    }

    @Test
    void anOwnerThatHasNotHeardOfANamespaceIsAskedAgain() {
        long call = bench.next(1);
        bench.answer(bench.onlyFrame(), refused(Refusal.NAMESPACE_UNKNOWN));
        assertFalse(bench.hasEnded(call));
        bench.pass(20_000_000);
        bench.answer(bench.onlyFrame(), seq(1, 1));
        assertEquals(Optional.of(seq(1, 1)), bench.answerOf(call));
    }

    @Test
    void whatStillWaitsForAnOwnersFrameGoesToWhomANewPictureShows() {
        bench.next(1);
        bench.onlyFrame();
        bench.next(2);
        assertEquals(List.of(), bench.frames());
        bench.moveAway(0, "alloc-3");
        var frame = bench.onlyFrame();
        assertEquals("alloc-3:7401", frame.address());
        assertEquals(List.of(2L), CallsBench.uids(frame));
        assertEquals(2, frame.places().get(0).leastEpoch());
    }

    @Test
    void whatRestsGoesOutAtOnceWhenAPictureShowsAnotherOwnerAndRestsForAShortTimeOnlyIfThatOneIsNotReady() {
        long call = bench.next(1);
        for (int refusals = 0; refusals < 6; refusals++) {
            bench.answer(bench.onlyFrame(), refused(Refusal.NOT_OWNER));
            assertEquals(List.of(), bench.frames(), "it rests");
            bench.rest();
        }
        bench.answer(bench.onlyFrame(), refused(Refusal.NOT_OWNER));
        bench.moveAway(0, "alloc-3");
        var early = bench.onlyFrame();
        assertEquals("alloc-3:7401", early.address());
        bench.answer(early, refused(Refusal.NOT_READY));
        assertEquals(List.of(), bench.frames(), "it rests");
        bench.pass(CallsBench.FIRST_REST);
        bench.answer(bench.onlyFrame(), new Answer.Range(1, 5, 5, 2));
        assertTrue(bench.answerOf(call).isPresent());
    }

    @Test
    void whatAFormerOwnerRefusesGoesToTheNewOneAtOnce() {
        bench.next(1);
        var late = bench.onlyFrame();
        bench.moveAway(0, "alloc-3");
        bench.answer(late, refused(Refusal.NOT_OWNER));
        assertEquals("alloc-3:7401", bench.onlyFrame().address());
    }

    @Test
    void whatHasNoOwnerGoesOutAtOnceWhenItGetsOne() {
        bench.next(21);
        for (int looks = 0; looks < 6; looks++) {
            assertEquals(List.of(), bench.frames());
            bench.rest();
        }
        bench.assign(2, "alloc-3");
        assertEquals("alloc-3:7401", bench.onlyFrame().address());
    }

    @Test
    void aFailedSendingIsTriedAgainAndMayStillBeAnswered() {
        long call = bench.next(1);
        var frame = bench.onlyFrame();
        bench.calls.unanswered(frame.correlation(), bench.now());
        bench.calls.unanswered(frame.correlation(), bench.now());
        bench.rest();
        assertEquals(1, bench.frames().size());
        bench.answer(frame, seq(1, 3));
        assertEquals(Optional.of(seq(1, 3)), bench.answerOf(call));
    }

    @Test
    void anAnswerThatStepsBackIsNotHandedOutButTriedAgainAndCounted() {
        bench.next(1);
        bench.answer(bench.onlyFrame(), seq(1, 7));
        long call = bench.next(1);
        bench.answer(bench.onlyFrame(), seq(1, 7));
        assertEquals(Optional.empty(), bench.answerOf(call));
        assertEquals(1, bench.calls.backward());
        assertEquals(0, bench.calls.disbelieved(), "its epoch was no older");
        bench.rest();
        bench.answer(bench.onlyFrame(), seq(1, 8));
        assertEquals(Optional.of(seq(1, 8)), bench.answerOf(call));
        long reading = bench.current(1);
        bench.answer(bench.onlyFrame(), reading(1, 6));
        assertEquals(Optional.empty(), bench.answerOf(reading));
        assertEquals(2, bench.calls.backward());
    }

    @Test
    void answersThatOvertakeEachOtherAreNoStepBack() {
        var two = new CallsBench(new CallLimits(2, 1, 6, CallsBench.PATIENCE));
        long one = two.next(1);
        long other = two.next(1);
        var frames = two.frames();
        two.answer(frames.get(1), seq(1, 8));
        two.answer(frames.get(0), seq(1, 7));
        assertEquals(Optional.of(seq(1, 7)), two.answerOf(one));
        assertEquals(Optional.of(seq(1, 8)), two.answerOf(other));
        assertEquals(0, two.calls.backward());
    }

    @Test
    void beforeTheFirstPictureCallsWaitForItInOrder() {
        var blind = CallsBench.blind(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
        long tooEarly = blind.next(5);
        blind.pass(CallsBench.TIMEOUT);
        assertEquals(
                Refusal.NOT_READY, ((Answer.Refused) blind.answerOf(tooEarly).orElseThrow()).refusal());
        blind.next(2);
        blind.next(1);
        assertEquals(List.of(), blind.frames());
        assertTrue(blind.calls.book().outdated());
        blind.assign(0, "alloc-1");
        assertEquals(List.of(2L, 1L), CallsBench.uids(blind.onlyFrame()));
    }

    /** A client whose endpoints are gone for long would keep every call that it was ever asked for. */
    @Test
    void whatEndsBeforeTheFirstPictureIsForgotten() {
        var calls =
                new Calls<Object>(new CallLimits(1, 3, 6, CallsBench.PATIENCE), new SplittableRandom(1), Verifier.NONE);
        var ticket = putOne(calls);
        calls.tick(CallsBench.TIMEOUT);
        assertEquals(1, calls.takeEffects(CallsBench.TIMEOUT).size());
        for (int tries = 1; ticket.get() != null; tries++) {
            assertTrue(tries < 50, "something still holds it");
            System.gc();
        }
        assertEquals(0, calls.open());
    }

    private static WeakReference<Object> putOne(Calls<Object> calls) {
        var ticket = new Object();
        calls.put(ticket, new Call.Current("messages", 5), 0, CallsBench.TIMEOUT, 0);
        return new WeakReference<>(ticket);
    }

    @Test
    void aCallThatWasNeverSentEndsRefusedAndNotUnknown() {
        bench.next(1);
        bench.onlyFrame();
        long waits = bench.next(2);
        bench.pass(CallsBench.PATIENCE / 2);
        bench.pass(CallsBench.TIMEOUT);
        var answer = (Answer.Refused) bench.answerOf(waits).orElseThrow();
        assertEquals(Refusal.NOT_READY, answer.refusal());
    }

    @Test
    void limitsThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new CallLimits(0, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new CallLimits(1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new CallLimits(1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CallLimits(1, 1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new CallLimits(1, 1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CallLimits(1, 1, 1, 2, 1));
    }
}
