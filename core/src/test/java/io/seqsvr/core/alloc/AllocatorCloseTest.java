package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clean stop: everything is sealed first, the session closed once, and nothing served or renewed ever after. */
class AllocatorCloseTest {
    private final Bench bench = Bench.serving(0, 1);
    private final long session = bench.allocator.session();

    private void close(Bench which) {
        which.allocator.close(which.clock.now());
        which.wake();
    }

    @Test
    void closingDropsEverythingRefusesWaitersAndClosesTheSessionOnce() {
        var taken = bench.take(3);
        bench.holdCommands();
        long ticket = bench.waitFor(13, 150);
        bench.takeHeld(Raise.class);
        close(bench);
        assertEquals(0, bench.allocator.segmentsOwned());
        assertEquals(0, bench.allocator.waiting());
        Bench.assertRefused(Refusal.NOT_READY, bench.outcome(ticket));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.allocator.release(taken, bench.clock.now()));
        bench.assertRefused(Refusal.NOT_READY, 3);
        close(bench);
        bench.passMillis(20_000);
        assertEquals(
                List.of(new CloseSession(session)),
                bench.held.stream().map(AllocatorEffect.Send::command).toList());
    }

    @Test
    void afterAnUnknownOutcomeTheClosedSessionIsNeitherServedNorRenewed() {
        bench.holdCommands();
        close(bench);
        bench.lose(bench.takeHeld(CloseSession.class));
        bench.answerCommands();
        bench.passMillis(20_000);
        assertEquals(0, bench.allocator.session());
        bench.assertRefused(Refusal.NOT_READY, 3);
        assertEquals(session, bench.store.session(session).id(), "it is still open there, and left to its timer");
    }

    @Test
    void answersThatComeAfterTheClosingChangeNothing() {
        bench.holdCommands();
        long ticket = bench.waitFor(3, 150);
        var raise = bench.takeHeld(Raise.class);
        bench.passMillis(750);
        var renewal = bench.takeHeld(Renew.class);
        var renewed = bench.store.execute(renewal.command());
        var raised = bench.store.execute(raise.command());
        close(bench);
        bench.answer(renewal, renewed);
        bench.answer(raise, raised);
        Bench.assertRefused(Refusal.NOT_READY, bench.outcome(ticket));
        bench.assertRefused(Refusal.NOT_READY, 3);
        assertEquals(0, bench.allocator.leaseRemainingNanos(bench.clock.now()));
    }

    @Test
    void anAllocatorThatStopsWhileOpeningClosesWhatWasOpenedAndServesNothing() {
        var opening = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES), new TestClock(), "alloc-2");
        opening.holdCommands();
        opening.tick();
        var send = opening.takeHeld(OpenSession.class);
        close(opening);
        assertFalse(opening.allocator.stopped());
        opening.execute(send);
        assertTrue(opening.allocator.stopped());
        opening.execute(opening.takeHeld(CloseSession.class));
        assertEquals(List.of(), opening.store.view().sessions(), "it was left to its timer");
        opening.passMillis(10_000);
        assertEquals(List.of(), opening.held);
        assertEquals(0, opening.allocator.session());
    }

    @Test
    void theNextOwnerStartsAboveTheClosedOnesMaxSeq() {
        bench.next(3);
        close(bench);
        var next = new Bench(bench.store, bench.clock, "alloc-1");
        next.tick();
        next.assign(0, 1);
        assertEquals(101, next.next(3));
    }

    @Test
    void aLateCloseOfAFencedOwnerWritesNothingBack() {
        bench.holdCommands();
        for (int i = 0; i < 70; i++) {
            bench.next(3);
        }
        bench.store.expire(session);
        var next = new Bench(bench.store, new TestClock(), "alloc-2");
        next.tick();
        next.assign(0, 1);
        assertEquals(101, next.next(3));
        close(bench);
        bench.execute(bench.takeHeld(CloseSession.class));
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(200, bench.store.segment(1, 0).maxSeq());
        assertEquals(102, next.next(3));
    }
}
