package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls of several verbs go to one owner: they share its bound, take turns, and hold each other up no longer. */
class LanesTest {
    private static Answer seq(long uid, long seq) {
        return new Answer.Range(uid, seq, seq, 1);
    }

    private static Answer reading(long uid, long seq) {
        return new Answer.Reading(uid, seq, true, 1);
    }

    @Test
    void callsOfTwoVerbsLeaveInFramesOfTheirOwnAndShareTheBoundOfTheirOwner() {
        var two = new CallsBench(new CallLimits(2, 1, 9, CallsBench.PATIENCE));
        two.next(1);
        two.next(2);
        two.current(1);
        two.next(3);
        two.current(4);
        var frames = two.frames();
        assertEquals(
                List.of(
                        List.of(new Call.Next("messages", 1, 1, 0)),
                        List.of(new Call.Next("messages", 2, 1, 0)),
                        List.of(new Call.Current("messages", 1))),
                frames.stream().map(LanesTest::calls).toList(),
                "a verb without a frame has one beyond the bound");
        two.answer(frames.get(0), seq(1, 1));
        assertEquals(List.of(), two.frames(), "two are in flight");
        two.answer(frames.get(1), seq(2, 1));
        assertEquals(List.of(3L), CallsBench.uids(two.onlyFrame()));
        two.answer(frames.get(2), reading(1, 1));
        assertEquals(List.of(4L), CallsBench.uids(two.onlyFrame()));
    }

    private static List<Call> calls(Frame frame) {
        return frame.places().stream().map(Frame.Place::call).toList();
    }

    /** The former may wait for StoreSvr's log, in QUORUM order, which the latter need not. */
    @Test
    void callsOfOneKindThatNobodyAnswersHoldNoOthersUp() {
        var busy = new CallsBench(new CallLimits(1, 2, 20, CallsBench.PATIENCE));
        for (long uid = 0; uid < 8; uid++) {
            busy.next(uid);
        }
        assertEquals(List.of(0L, 1L), CallsBench.uids(busy.onlyFrame()));
        for (long uid = 0; uid < 8; uid++) {
            long reading = busy.current(uid);
            busy.answer(busy.onlyFrame(), reading(uid, 1));
            assertTrue(busy.hasEnded(reading));
        }
    }

    /** A call that finds its lane without a frame may leave at once, but not before those that were there. */
    @Test
    void callsThatWaitedLeaveBeforeThoseThatCameLater() {
        var busy = new CallsBench(new CallLimits(1, 1, 20, CallsBench.PATIENCE));
        busy.next(1);
        busy.current(1);
        var frames = busy.frames();
        busy.next(2);
        busy.next(3);
        busy.current(2);
        assertEquals(List.of(), busy.frames());
        busy.answer(frames.get(1), reading(1, 1));
        busy.current(3);
        assertEquals(List.of(2L), CallsBench.uids(busy.onlyFrame()));
        busy.answer(frames.get(0), seq(1, 1));
        busy.next(4);
        assertEquals(List.of(2L), CallsBench.uids(busy.onlyFrame()));
    }

    @Test
    void lanesThatWaitTakeTurnsSoThatABusyOneHoldsNoOtherUp() {
        var busy = new CallsBench(new CallLimits(3, 1, 20, CallsBench.PATIENCE));
        for (long uid = 0; uid < 8; uid++) {
            busy.next(uid);
        }
        for (long uid = 0; uid < 3; uid++) {
            busy.current(uid);
        }
        var frames = busy.frames();
        assertEquals(4, frames.size(), "three, and one of the other verb");
        busy.answer(frames.get(0), seq(0, 1));
        assertEquals(List.of(), busy.frames(), "three are in flight");
        busy.answer(frames.get(1), seq(1, 1));
        assertEquals(List.of(3L), CallsBench.uids(busy.onlyFrame()));
        busy.answer(frames.get(2), seq(2, 1));
        assertEquals(List.of(1L), CallsBench.uids(busy.onlyFrame()), "four of another verb waited before it");
    }

    /** Replies often come together, before anything leaves again. */
    @Test
    void callsOfALaneLeaveInTheirOrderThoughTwoOfItsFramesAreAnsweredTogether() {
        var busy = new CallsBench(new CallLimits(2, 2, 40, CallsBench.PATIENCE));
        for (long uid = 0; uid < 10; uid++) {
            busy.next(uid);
        }
        busy.current(1);
        var frames = busy.frames();
        assertEquals(3, frames.size());
        busy.calls.answered(frames.get(0).correlation(), List.of(seq(0, 1), seq(1, 1)), busy.now());
        busy.calls.answered(frames.get(1).correlation(), List.of(seq(2, 1), seq(3, 1)), busy.now());
        busy.next(3);
        var left = new ArrayList<Long>();
        for (var next = busy.frames(); !next.isEmpty(); next = busy.frames()) {
            for (var frame : next) {
                left.addAll(CallsBench.uids(frame));
                busy.answer(frame, seqs(frame));
            }
        }
        assertEquals(List.of(4L, 5L, 6L, 7L, 8L, 9L, 3L), left);
    }

    private static Answer[] seqs(Frame frame) {
        return CallsBench.uids(frame).stream().map(uid -> seq(uid, 9)).toArray(Answer[]::new);
    }
}
