package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/** Two allocators on one store: a segment that leaves, and one that returns. */
class OwnershipMovesTest {
    private final FakeStore store = new FakeStore(Bench.LEASE, Bench.MESSAGES);
    private final TestClock clock = new TestClock();
    private final Bench alice = new Bench(store, clock, "alice");
    private final Bench bob = new Bench(store, clock, "bob");

    private void startBoth() {
        alice.tick();
        bob.tick();
    }

    /** So much time passes that a session which did not renew has expired; only {@code living} runs on. */
    private void outlive(Bench dead, Bench living) {
        living.passMillis(Bench.LEASE.granterNanos() / 1_000_000);
        store.expire(dead.allocator.session());
    }

    @Test
    void newOwnerNeverIssuesBelowWhatTheOldOneIssued() {
        startBoth();
        alice.assign(0, 0);
        long last = 0;
        for (int i = 0; i < 730; i++) {
            last = alice.next(3);
        }
        outlive(alice, bob);
        bob.assign(0, 0);
        assertTrue(bob.next(3) > last);
        assertEquals(2, bob.current(3).epoch());
    }

    @Test
    void numbersThatWaitedAtTheOldOwnerNeverLeave() {
        startBoth();
        alice.assign(0, 0);
        alice.holdCommands();
        long ticket = alice.waitFor(3, 150);
        var raise = alice.takeHeld(Raise.class);
        outlive(alice, bob);
        bob.assign(0, 0);
        assertEquals(101, bob.next(3));
        alice.tick();
        Bench.assertRefused(Refusal.LEASE_EXPIRED, alice.outcome(ticket));
        alice.execute(raise);
        assertEquals(0, alice.allocator.segmentsOwned());
        assertEquals(102, bob.next(3));
    }

    @Test
    void oldOwnerHasStoppedBeforeTheNewOneMayStart() {
        startBoth();
        alice.assign(0, 0);
        alice.holdCommands();
        var taken = alice.take(3);
        bob.passMillis(2_995);
        assertInstanceOf(Answer.Range.class, alice.allocator.release(alice.take(4), clock.now()));
        bob.passMillis(5);
        alice.assertRefused(Refusal.LEASE_EXPIRED, 4);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, alice.allocator.release(taken, clock.now()));
    }

    @Test
    void segmentThatLeavesAndReturnsStartsAboveAllThatWasIssuedMeanwhile() {
        startBoth();
        alice.assign(0, 0);
        for (int i = 0; i < 40; i++) {
            alice.next(3);
        }
        var takenInEpochOne = alice.take(3);
        alice.holdCommands();
        alice.request(4, 60);
        var raiseOfEpochOne = alice.takeHeld(Raise.class);
        var raisedInEpochOne = store.execute(raiseOfEpochOne.command());
        alice.wake();

        outlive(alice, bob);
        bob.assign(0, 0);
        long atBob = 0;
        for (int i = 0; i < 170; i++) {
            atBob = bob.next(3);
        }
        assertEquals(370, atBob);

        alice.answerCommands();
        alice.passMillis(1_000);
        outlive(bob, alice);
        alice.assign(0, 0);
        assertEquals(3, store.segment(1, 0).epoch());
        alice.answer(raiseOfEpochOne, raisedInEpochOne);
        Bench.assertRefused(Refusal.NOT_OWNER, alice.allocator.release(takenInEpochOne, clock.now()));
        long again = alice.next(3);
        assertTrue(again > atBob, again + " after " + atBob);
        assertEquals(3, alice.current(3).epoch());
    }

    @Test
    void whoLosesAndRegainsASegmentAtOnceBeginsANewEpoch() {
        startBoth();
        alice.assign(0, 0);
        var issued = new HashSet<Long>();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 30; i++) {
                assertTrue(issued.add(alice.next(3)), "a sequence twice");
            }
            store.expire(alice.allocator.session());
            alice.passMillis(1_000);
            alice.assign(0, 0);
            assertEquals(round + 2, alice.current(3).epoch());
        }
    }

    @Test
    void aClaimAnsweredAfterTheSegmentMovedOnServesNothing() {
        startBoth();
        alice.holdCommands();
        alice.assign(0, 0);
        var claim = alice.takeHeld(Claim.class);
        var claimed = store.execute(claim.command());
        outlive(alice, bob);
        bob.assign(0, 0);
        assertEquals(101, bob.next(3));
        alice.answer(claim, claimed);
        alice.assertRefused(Refusal.LEASE_EXPIRED, 3);
        alice.tick();
        alice.execute(alice.takeHeld(Renew.class));
        assertEquals(0, alice.allocator.segmentsOwned());
    }

    @Test
    void aSecondProcessOfTheSameNameWaitsAndTheFirstServesOn() {
        alice.tick();
        alice.assign(0, 0);
        var twin = new Bench(store, clock, "alice");
        for (long expected = 1; expected <= 100; expected++) {
            twin.passMillis(50);
            alice.tick();
            assertEquals(expected, alice.next(3));
            twin.assertRefused(Refusal.NOT_READY, 3);
        }
        assertEquals(0, twin.allocator.session());
        assertFalse(twin.events(SessionEvent.SessionHeld.class).isEmpty());
    }
}
