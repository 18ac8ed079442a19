package io.seqsvr.core.alloc;

import static io.seqsvr.core.alloc.FrameBench.assertRefused;
import static io.seqsvr.core.alloc.FrameBench.assertSeqs;
import static io.seqsvr.core.alloc.FrameBench.next;
import static io.seqsvr.core.alloc.FrameBench.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Who waits for StoreSvr takes a place that others cannot have, so whoever is waited for by nobody takes none: else
 * callers who ask again fill the room with what they have given up.
 */
class GivenUpTest {
    private final Bench bench = Bench.serving(0, 1);
    private final FrameBench frames = new FrameBench(bench);

    @Test
    void placesOfAFrameThatIsGivenUpAreFreeForOthers() {
        bench.holdCommands();
        for (int again = 0; again < 10; again++) {
            var frame = frames.begin(waiting(3, 13, 3));
            assertEquals(3, bench.allocator.waiting());
            bench.allocator.giveUp(frame);
            assertEquals(0, bench.allocator.waiting());
            assertRefused(Refusal.DEADLINE_PASSED, frames.release(frame), 0, 1, 2);
        }
        var last = frames.begin(waiting(3, 13));
        while (bench.framesEnded.isEmpty()) {
            bench.execute(bench.takeHeld(Raise.class));
        }
        assertEquals(List.of(last), bench.framesEnded);
        assertEquals(0, bench.allocator.waiting());
    }

    /** Whoever asks again and again while StoreSvr is away leaves nothing behind. */
    @Test
    void whatWasGivenUpIsNotKept() {
        var out = new AllocatorOutbox();
        var room = new WaitingRoom(5, out, new Confirmations(out, Guards.ALL), Guards.ALL);
        var segment = new LoadedSegment(
                new SegmentId(1, 0),
                Bench.MESSAGES,
                new SegmentCounters(1, 0, 10, 10, Long.MAX_VALUE),
                new HolderLease(Bench.LEASE));
        for (long seq = 11; seq < 20_000; seq++) {
            var wait = (Step.Waiting) room.admit(segment, seq, new Answer.Range(3, seq, seq, 1));
            room.forget(List.of(wait));
        }
        assertEquals(0, room.size());
        assertTrue(room.kept() < 1_100, () -> room.kept() + " are kept");
        assertTrue(segment.waiters().size() < 1_100, () -> segment.waiters().size() + " are kept");

        // A session that ends takes its segments with it, however few wait by then.
        room.refuseAll(List.of(segment), new Answer.Refused(Refusal.NOT_OWNER, "no"));
        assertEquals(0, room.kept());
        assertEquals(List.of(), out.takeEffects(), "and nobody is told");
    }

    private static FrameCalls waiting(long... uids) {
        var calls = next(uids);
        for (int i = 0; i < uids.length; i++) {
            put(calls.counts(), 150);
        }
        return calls;
    }

    @Test
    void othersOfTheSameSegmentGoOnToWait() {
        bench.holdCommands();
        var stays = frames.begin(waiting(3));
        var goes = frames.begin(waiting(4, 5));
        long alone = bench.waitFor(6, 150);
        bench.allocator.giveUp(goes);
        assertEquals(2, bench.allocator.waiting());
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(List.of(stays), bench.framesEnded);
        assertSeqs(frames.release(stays), 1);
        assertEquals(new Answer.Range(6, 1, 150, 1), bench.outcome(alone));
    }

    @Test
    void aRequestThatIsForgottenIsToldOfNothing() {
        bench.holdCommands();
        var wait = assertInstanceOf(Step.Waiting.class, bench.step(3, 150));
        bench.allocator.forget(List.of(wait));
        assertEquals(0, bench.allocator.waiting());
        bench.execute(bench.takeHeld(Raise.class));
        bench.assertStillWaits(wait.ticket());
        assertEquals(151, bench.next(3), "its numbers are taken");
    }

    @Test
    void whoWaitsForAConfirmationIsForgottenBeforeItAndWhileItIsUnderWay() {
        var alice = new Pair(Bench.MESSAGES.withOrder(Order.QUORUM)).alice;
        alice.holdCommands();
        var asked = assertInstanceOf(Step.Waiting.class, alice.step(3, 1));
        var underWay = alice.takeHeld(Renew.class);
        var later = assertInstanceOf(Step.Waiting.class, alice.step(3, 1));
        long stays = alice.waitFor(3, 1);
        alice.allocator.forget(List.of(asked, later));
        assertEquals(1, alice.allocator.waiting());
        alice.execute(underWay);
        alice.execute(alice.takeHeld(Renew.class));
        assertEquals(new Answer.Range(3, 3, 3, 1), alice.outcome(stays));
        alice.assertStillWaits(asked.ticket());
        alice.assertStillWaits(later.ticket());
        assertEquals(0, alice.allocator.waiting());
    }
}
