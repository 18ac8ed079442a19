package io.seqsvr.core.alloc;

import static io.seqsvr.core.alloc.FrameBench.assertRefused;
import static io.seqsvr.core.alloc.FrameBench.assertSeqs;
import static io.seqsvr.core.alloc.FrameBench.calls;
import static io.seqsvr.core.alloc.FrameBench.next;
import static io.seqsvr.core.alloc.FrameBench.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreReply.Raised;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The calls of a frame: each is taken or refused by itself, and all leave together after one look at the clocks. */
class FrameTest {
    private final Bench bench = Bench.serving(0, 1);
    private final FrameBench frames = new FrameBench(bench);

    @Test
    void callsAreTakenInOrderAndAUserMayOccurOften() {
        var answers = frames.ask(next(3, 4, 3, 13, 3));
        assertSeqs(answers, 1, 1, 2, 1, 3);
        assertEquals(77, answers.correlation());
        assertEquals("[0, 1]", answers.segments().toString());
        assertEquals("[1, 1]", answers.epochs().toString());
        assertEquals(0, answers.refusals().size());
    }

    @Test
    void rangesGoOnWhereTheUserStandsInAFrameOrAlone() {
        bench.request(3, 5);
        var calls = next(3, 3);
        put(calls.counts(), 10, 2);
        assertSeqs(frames.ask(calls), 6, 16);
        assertEquals(18, bench.next(3));
    }

    @Test
    void aCallIsRefusedByItselfAndTheOthersAreAnswered() {
        var calls = next(3, 99, 100, 4, -1, 3, 98);
        put(calls.counts(), 1, 1, 1, 0, 1, 1_001, 1);
        var answers = frames.ask(calls);
        assertSeqs(answers, 1, 0, 0, 0, 0, 0, 0);
        assertEquals(3, answers.refusals().size());
        assertRefused(Refusal.NOT_OWNER, answers.refusals().get(0), 1, 6);
        assertRefused(Refusal.UID_OUT_OF_RANGE, answers.refusals().get(1), 2, 4);
        assertRefused(Refusal.COUNT_OUT_OF_BOUNDS, answers.refusals().get(2), 3, 5);
        assertEquals(
                "count is 0; it must be from 1 to 1000",
                answers.refusals().get(2).first().message());
        assertEquals(2, bench.next(3), "nothing was taken for what was refused");
    }

    /** A frame of 10,000 calls would keep as many sentences otherwise, of which one is told. */
    @Test
    void ofEachReasonWhatWasSaidFirstIsKeptAndNothingElse() {
        var frame = new OpenFrame(next(3, 4, 5), FrameVerb.NEXT, bench.clock.now());
        frame.refuse(1, new Answer.Refused(Refusal.NOT_OWNER, "said first"));
        frame.refuse(0, new Answer.Refused(Refusal.NOT_OWNER, "said later"));
        frame.refuse(2, new Answer.Refused(Refusal.NOT_READY, "another reason"));
        var answers = frame.leave(new Answer.Refused[0]);
        assertRefused(Refusal.NOT_OWNER, answers.refusals().get(0), 0, 1);
        assertEquals("said first", answers.refusals().get(0).first().message());
        assertRefused(Refusal.NOT_READY, answers.refusals().get(1), 2);
    }

    @Test
    void hugeCountsTakeNothing() {
        var calls = next(3, 3, 3);
        put(calls.counts(), Long.MAX_VALUE, Long.MIN_VALUE, -1);
        assertRefused(Refusal.COUNT_OUT_OF_BOUNDS, frames.ask(calls), 0, 1, 2);
        assertEquals(1, bench.next(3));
    }

    @Test
    void aFrameWhoseColumnsDoNotFitIsRefusedAsAWholeAndNamesTheColumn() {
        assertMalformed("uids", next());
        var many = next();
        many.uids().extend(10_001);
        assertMalformed("uids", many);
        var counts = next(3, 4);
        put(counts.counts(), 1);
        assertMalformed("counts", counts);
        var floors = next(3, 4);
        put(floors.floors(), 1, 2, 3);
        assertMalformed("floors", floors);
        assertMalformed("floors", calls(FrameVerb.RAISE_FLOOR, 3));
        var reading = calls(FrameVerb.CURRENT, 3);
        put(reading.counts(), 1);
        assertMalformed("counts", reading);
        var bounded = calls(FrameVerb.CURRENT, 3);
        put(bounded.floors(), 1);
        assertMalformed("floors", bounded);
        var named = next(3);
        named.segments().add(0);
        assertMalformed("least_epochs", named);
        assertMalformed("verb", next(3).verb(3));
        assertMalformed("verb", next(3).verb(-1));
        assertMalformed("namespace", next(3).namespaceName(""));
        assertEquals(1, bench.next(3), "nothing was taken");
    }

    private void assertMalformed(String column, FrameCalls calls) {
        var answers = frames.ask(calls);
        assertRefused(Refusal.FRAME_MALFORMED, answers);
        assertSeqs(answers);
        var message = answers.refusals().get(0).first().message();
        assertEquals(true, message.contains(column), message);
    }

    @Test
    void anUnknownNamespaceRefusesTheWholeFrame() {
        assertRefused(Refusal.NAMESPACE_UNKNOWN, frames.ask(next(3).namespaceName("mesages")));
        var endless = FrameRules.problem(next(3).namespaceName("x".repeat(1 << 20)));
        assertEquals(
                Answer.Refused.namespaceUnknown("x".repeat(1 << 20)), endless.orElseThrow(), "by its length alone");
        var young =
                new Allocator("young", "young:7401", new AllocatorLimits(5, Long.MAX_VALUE), new SplittableRandom(1));
        var answers = young.release(young.frame(next(3), bench.clock.now()), bench.clock.now());
        assertRefused(Refusal.NOT_READY, answers);
    }

    @Test
    void aPauseBetweenTakingAndReleasingIsCaught() {
        var frame = frames.begin(next(3, 13));
        bench.clock.passMillis(3_000);
        var answers = frames.release(frame);
        assertRefused(Refusal.LEASE_EXPIRED, answers, 0, 1);
        assertSeqs(answers, 0, 0);
        assertEquals("[]", answers.epochs().toString());
    }

    @Test
    void aSegmentThatWasLostBetweenTakesItsCallsWithItAndNoOthers() {
        bench.holdCommands();
        var calls = next(3, 13, 4);
        put(calls.counts(), 150, 1, 1);
        var frame = frames.begin(calls);
        assertFalse(frame.ended());
        var stale = new RaisedItem(new SegmentId(1, 0), 1, false, 900);
        bench.answer(bench.takeHeld(Raise.class), new Raised(List.of(stale)));
        var answers = frames.release(bench.framesEnded.get(0));
        assertSeqs(answers, 0, 1, 0);
        assertRefused(Refusal.NOT_OWNER, answers, 0, 2);
        assertEquals("[1]", answers.segments().toString());
        assertEquals(0, bench.allocator.waiting());
    }

    @Test
    void aFrameWaitsForItsSlowestCall() {
        bench.holdCommands();
        var calls = next(3, 4);
        put(calls.counts(), 150, 1);
        var frame = frames.begin(calls);
        assertFalse(frame.ended());
        assertThrows(IllegalStateException.class, () -> bench.allocator.release(frame, bench.clock.now()));
        calls.clear();
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(List.of(frame), bench.framesEnded);
        assertSeqs(frames.release(frame), 1, 1);
    }

    @Test
    void whenTheTimeOfItsCallerIsOverTheOthersLeaveAndWhatComesLaterChangesNothing() {
        bench.holdCommands();
        var calls = next(3, 4, 3);
        put(calls.counts(), 150, 1, 1);
        var frame = frames.begin(calls);
        bench.allocator.giveUp(frame);
        var answers = frames.release(frame);
        assertSeqs(answers, 0, 1, 0);
        assertRefused(Refusal.DEADLINE_PASSED, answers, 0, 2);
        assertEquals("[1]", answers.epochs().toString());
        assertEquals(0, bench.allocator.waiting(), "others may have their places");
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(List.of(), bench.framesEnded);
        assertEquals(152, bench.next(3));
    }

    @Test
    void aFrameThatIsGivenUpLeavesByALookAtTheClocksToo() {
        bench.holdCommands();
        var calls = next(3, 13);
        put(calls.counts(), 150, 1);
        var frame = frames.begin(calls);
        bench.allocator.giveUp(frame);
        bench.clock.passMillis(3_000);
        var answers = frames.release(frame);
        assertRefused(Refusal.DEADLINE_PASSED, answers.refusals().get(0), 0);
        assertRefused(Refusal.LEASE_EXPIRED, answers.refusals().get(1), 1);
    }

    @Test
    void aFrameThatWaitsIsReleasedByALookAfterTheRaise() {
        bench.holdCommands();
        var calls = next(3, 4);
        put(calls.counts(), 150, 1);
        var frame = frames.begin(calls);
        bench.execute(bench.takeHeld(Raise.class));
        bench.clock.passMillis(3_000);
        assertRefused(Refusal.LEASE_EXPIRED, frames.release(frame), 0, 1);
    }

    @Test
    void aBurstBeyondTheHeadroomTakesNoNumberWithoutAPlace() {
        bench.holdCommands();
        var calls = next(3, 3, 3, 3, 3, 3, 3, 4);
        put(calls.counts(), 100, 1, 1, 1, 1, 1, 1, 1);
        var frame = frames.begin(calls);
        assertEquals(Bench.MAX_WAITING, bench.allocator.waiting());
        bench.execute(bench.takeHeld(Raise.class));
        var answers = frames.release(frame);
        assertSeqs(answers, 1, 101, 102, 103, 104, 105, 0, 1);
        assertRefused(Refusal.TOO_MANY_WAITING, answers, 6);
        assertEquals(0, bench.allocator.waiting());
        assertEquals(106, bench.next(3));
    }

    @Test
    void raisesAreAskedForOncePerSegmentAndFrame() {
        bench.holdCommands();
        var calls = next(3, 3, 3, 13);
        put(calls.counts(), 60, 10, 10, 70);
        frames.begin(calls);
        var raise = (Raise) bench.takeHeld(Raise.class).command();
        assertEquals(2, raise.items().size());
        assertEquals(0, bench.countHeld(Raise.class));
    }

    @Test
    void whoWaitsWhileStoreSvrIsGoneIsRefusedWhenTheLeaseEndsAndAllIsWellAfterwards() {
        bench.holdCommands();
        var calls = next(3, 4);
        put(calls.counts(), 150, 1);
        var frame = frames.begin(calls);
        bench.passMillis(3_100);
        assertRefused(Refusal.LEASE_EXPIRED, frames.release(frame), 0, 1);
        assertRefused(Refusal.LEASE_EXPIRED, frames.ask(next(3, 4)), 0, 1);
        bench.answerCommands();
        while (!bench.held.isEmpty()) {
            bench.lose(bench.held.remove(0));
        }
        bench.passMillis(1_000);
        assertSeqs(frames.ask(next(3, 4)), 151, 2);
        assertEquals(0, bench.allocator.waiting());
    }

    @Test
    void aCallerThatKnowsANewerEpochIsRefusedInThatSegmentOnly() {
        var calls = next(3, 13, 4);
        calls.segments().add(0);
        put(calls.leastEpochs(), 2);
        var answers = frames.ask(calls);
        assertSeqs(answers, 0, 1, 0);
        assertRefused(Refusal.NOT_OWNER, answers, 0, 2);
        var same = next(3, 4);
        same.segments().add(0);
        same.segments().add(0);
        same.segments().add(-1);
        same.segments().add(77);
        put(same.leastEpochs(), 1, 0, 5, 5);
        assertSeqs(frames.ask(same), 1, 1);
        var huge = next(3);
        huge.segments().add(0);
        put(huge.leastEpochs(), -1);
        assertRefused(Refusal.NOT_OWNER, frames.ask(huge), 0);
        assertSeqs(frames.ask(next(3)), 2);
    }

    @Test
    void leastNumbersAndFloorsGoTheirWayByPlace() {
        var calls = next(3, 4, 3, 4);
        put(calls.floors(), 50, 0, 0, -1);
        var answers = frames.ask(calls);
        assertSeqs(answers, 50, 1, 51, 0);
        assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, answers, 3);
        var lift = calls(FrameVerb.RAISE_FLOOR, 4, 4);
        put(lift.floors(), 70, 60);
        assertSeqs(frames.ask(lift), 70, 70);
        assertSeqs(frames.ask(next(4)), 71);
    }

    @Test
    void readingsTellWhichAreBounds() {
        var lift = calls(FrameVerb.RAISE_FLOOR, 4);
        put(lift.floors(), 70);
        frames.ask(lift);
        frames.ask(next(3));
        var answers = frames.ask(calls(FrameVerb.CURRENT, 3, 4, 5, 99, 4));
        assertSeqs(answers, 1, 70, 0, 0, 70);
        assertEquals("[1, 4]", answers.bounds().toString());
        assertRefused(Refusal.NOT_OWNER, answers, 3);
    }
}
