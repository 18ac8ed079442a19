package io.seqsvr.core.alloc;

import static io.seqsvr.core.alloc.FrameBench.assertRefused;
import static io.seqsvr.core.alloc.FrameBench.assertSeqs;
import static io.seqsvr.core.alloc.FrameBench.calls;
import static io.seqsvr.core.alloc.FrameBench.next;
import static io.seqsvr.core.alloc.FrameBench.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Frames while segments come and go, and in QUORUM order. */
class FrameMovesTest {
    private final Pair pair = new Pair();
    private final FrameBench alice = new FrameBench(pair.alice);
    private final FrameBench bob = new FrameBench(pair.bob);

    @Test
    void aSealedSegmentAnswersNothing() {
        alice.ask(next(3, 13));
        pair.untilTheTableHasCome(0);
        var answers = alice.ask(next(3, 13));
        assertSeqs(answers, 0, 2);
        assertRefused(Refusal.NOT_OWNER, answers, 0);
    }

    @Test
    void theNewOwnerGoesOnWithoutAGapAndNamesItsEpoch() {
        alice.ask(next(3, 3, 4));
        pair.handOver(0);
        assertRefused(Refusal.NOT_OWNER, alice.ask(next(3)), 0);
        var answers = bob.ask(next(3, 4, 5));
        assertSeqs(answers, 3, 2, 1);
        assertEquals("[2]", answers.epochs().toString());
    }

    @Test
    void whatWaitedIsAnsweredByTheHandOverAlsoWithoutALease() {
        pair.alice.holdCommands();
        var calls = next(3, 13);
        put(calls.counts(), 150, 1);
        var frame = alice.begin(calls);
        pair.alice.takeHeld(Raise.class);
        pair.untilTheTableHasCome(0);
        assertFalse(frame.ended());
        pair.alice.execute(pair.alice.takeHeld(HandOver.class));
        var answers = alice.release(frame);
        assertSeqs(answers, 1, 1);
        assertEquals(0, answers.refusals().size());
        assertEquals("[0, 1]", sorted(answers));
    }

    private static String sorted(FrameAnswers answers) {
        int[] segments = answers.segments().toArray();
        Arrays.sort(segments);
        return Arrays.toString(segments);
    }

    @Test
    void numbersTakenBeforeTheHandOverLeaveAfterItAsItConfirmedThem() {
        pair.alice.holdCommands();
        var calls = next(3, 13);
        put(calls.counts(), 1, 150);
        var frame = alice.begin(calls);
        pair.untilTheTableHasCome(0);
        pair.alice.execute(pair.alice.takeHeld(HandOver.class));
        assertFalse(frame.ended(), "the other segment waits for its raise");
        pair.alice.execute(pair.alice.takeHeld(Raise.class));
        var answers = alice.release(frame);
        assertSeqs(answers, 1, 1);
        assertEquals("[1, 1]", answers.epochs().toString());
        pair.bob.wake();
        assertSeqs(bob.ask(next(3)), 2);
    }

    @Test
    void inQuorumOrderAFrameWaitsForOneConfirmationOfAllItsSegmentsAndAsksNoClock() {
        var quorum = new Pair(Bench.MESSAGES.withOrder(Order.QUORUM));
        quorum.alice.holdCommands();
        var frames = new FrameBench(quorum.alice);
        var frame = frames.begin(next(3, 13, 3));
        assertFalse(frame.ended());
        var renew = quorum.alice.takeHeld(Renew.class);
        assertEquals(2, ((Renew) renew.command()).holdings().size());
        quorum.alice.execute(renew);
        quorum.clock.passMillis(60_000);
        var answers = frames.release(frame);
        assertSeqs(answers, 1, 1, 2);
        assertEquals("[1, 1]", answers.epochs().toString());
    }

    @Test
    void inQuorumOrderADeposedOwnersFrameIsRefusedBySegment() {
        var quorum = new Pair(Bench.MESSAGES.withOrder(Order.QUORUM));
        quorum.alice.holdCommands();
        var frames = new FrameBench(quorum.alice);
        var frame = frames.begin(calls(FrameVerb.NEXT, 3, 13));
        quorum.release(0, 1);
        quorum.publish(0, quorum.bob.allocator.session());
        quorum.alice.execute(quorum.alice.takeHeld(Renew.class));
        var answers = frames.release(frame);
        assertSeqs(answers, 0, 1);
        assertRefused(Refusal.NOT_OWNER, answers, 0);
        assertEquals("[1]", answers.segments().toString());
    }
}
