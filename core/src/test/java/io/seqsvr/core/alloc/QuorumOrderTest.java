package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.alloc.AllocatorEffect.Send;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Leave;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that wait until StoreSvr's log confirms that their segment was still held: no clock is asked. */
class QuorumOrderTest {
    private final Pair pair = new Pair(Bench.MESSAGES.withOrder(Order.QUORUM));
    private final Bench alice = pair.alice;
    private final Bench bob = pair.bob;

    @BeforeEach
    void hold() {
        alice.holdCommands();
    }

    private static long ticket(Step step) {
        return assertInstanceOf(Step.Waiting.class, step).ticket();
    }

    /** The confirmation that waits to be executed. */
    private Send confirmation(Holding... holdings) {
        var send = alice.takeHeld(Renew.class);
        var renew = (Renew) send.command();
        assertEquals(alice.allocator.session(), renew.session());
        assertEquals(List.of(holdings), renew.holdings());
        assertTrue(renew.attempt() > renew.heard(), "it is refused by nobody: " + renew);
        return send;
    }

    private static Holding holding(int segment) {
        return new Holding(new SegmentId(1, segment), 1);
    }

    /** Alice's session has ended at StoreSvr, and Bob owns the segment. */
    private void bobTakesOver() {
        pair.store.expire(alice.allocator.session());
        pair.publish(0, bob.allocator.session());
        bob.wake();
    }

    @Test
    void anAnswerWaitsForAConfirmationThatIsSentAfterItsNumberWasTaken() {
        long number = alice.waitFor(3, 5);
        var confirmation = confirmation(holding(0));
        alice.assertStillWaits(number);
        assertEquals(1, alice.allocator.waiting());
        alice.execute(confirmation);
        assertEquals(new Answer.Range(3, 1, 5, 1), alice.outcome(number));
        assertEquals(0, alice.allocator.waiting());
        assertEquals(0, alice.countHeld(Renew.class), "nobody waits, nothing is asked");
    }

    @Test
    void readingsAndFloorsAreConfirmedAlike() {
        long reading = ticket(alice.currentStep(3));
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Reading(3, 0, true, 1), alice.outcome(reading));
        long floor = ticket(alice.floorStep(3, 50));
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Lifted(3, 50, 1), alice.outcome(floor));
    }

    @Test
    void whoComesWhileAConfirmationIsUnderWayWaitsForTheNext() {
        long first = alice.waitFor(3, 1);
        var early = confirmation(holding(0));
        long second = alice.waitFor(4, 1);
        long third = alice.waitFor(13, 1);
        assertEquals(0, alice.countHeld(Renew.class));
        alice.execute(early);
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.outcome(first));
        alice.assertStillWaits(second);
        alice.execute(confirmation(holding(0), holding(1)));
        assertEquals(new Answer.Range(4, 1, 1, 1), alice.outcome(second));
        assertEquals(new Answer.Range(13, 1, 1, 1), alice.outcome(third));
    }

    @Test
    void aNumberTakenAfterAPauseDoesNotRideOnAConfirmationFromBeforeIt() {
        alice.waitFor(3, 1);
        var early = confirmation(holding(0));
        var confirmed = pair.store.execute(early.command());
        bobTakesOver();
        long at = ticket(bob.step(3, 1));
        assertEquals(101, assertInstanceOf(Answer.Range.class, bob.outcome(at)).last());
        long late = alice.waitFor(3, 1);
        alice.answer(early, confirmed);
        alice.assertStillWaits(late);
        alice.execute(confirmation(holding(0)));
        Bench.assertRefused(Refusal.NOT_OWNER, alice.outcome(late));
        assertEquals(0, alice.allocator.segmentsOwned());
    }

    @Test
    void aConfirmationStaysGoodHoweverLateItsAnswerIs() {
        long number = alice.waitFor(3, 1);
        var slow = confirmation(holding(0));
        var confirmed = pair.store.execute(slow.command());
        bobTakesOver();
        alice.passMillis(9_000);
        assertEquals(0, alice.allocator.leaseRemainingNanos(pair.clock.now()));
        alice.answer(slow, confirmed);
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.outcome(number));
    }

    @Test
    void theLeaseIsNotAsked() {
        pair.clock.stepWallMillis(-3_600_000);
        long number = alice.waitFor(3, 1);
        alice.tick();
        assertEquals(0, alice.allocator.leaseRemainingNanos(pair.clock.now()));
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.outcome(number));
    }

    @Test
    void whoWaitsWhileStoreSvrIsGoneIsRefusedInTheEnd() {
        long number = alice.waitFor(3, 1);
        alice.passMillis(WaitingRoom.STUCK_NANOS / 1_000_000 - 100);
        alice.assertStillWaits(number);
        alice.passMillis(200);
        Bench.assertRefused(Refusal.NOT_READY, alice.outcome(number));
        assertEquals(0, alice.allocator.waiting());
    }

    @Test
    void whatIsNotConfirmedIsRefusedAndTheSegmentDropped() {
        long number = alice.waitFor(3, 1);
        long other = alice.waitFor(13, 1);
        var first = confirmation(holding(0));
        pair.release(0, 5);
        pair.publish(0, bob.allocator.session());
        alice.execute(first);
        Bench.assertRefused(Refusal.NOT_OWNER, alice.outcome(number));
        alice.assertRefused(Refusal.NOT_OWNER, 3);
        assertEquals(1, alice.countHeld(Claim.class));
        var dropped = new AllocatorEvent.SegmentDropped(alice.allocator.session(), 1, 0, 1);
        assertEquals(List.of(dropped), alice.events(AllocatorEvent.SegmentDropped.class));
        alice.execute(confirmation(holding(1)));
        assertEquals(new Answer.Range(13, 1, 1, 1), alice.outcome(other), "the others are not concerned");
    }

    @Test
    void aConfirmationWithoutOutcomeIsAskedAgainForTheSameAnswers() {
        long number = alice.waitFor(3, 1);
        for (int i = 0; i < 6; i++) {
            var send = confirmation(holding(0));
            if (i % 2 == 0) {
                alice.lose(send);
            } else {
                alice.answer(send, new Rejected("too busy"));
            }
            assertEquals(0, alice.countHeld(Renew.class), "asked again without a pause");
            alice.passMillis(25);
            alice.assertStillWaits(number);
        }
        long second = alice.waitFor(3, 1);
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.outcome(number));
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 2, 2, 1), alice.outcome(second));
    }

    @Test
    void aConfirmationThatIsRefusedAsNothingShowsThatItsSenderHearsIsAskedAgainAndShowsIt() {
        long number = alice.waitFor(3, 1);
        var refused = confirmation(holding(0));
        alice.answer(refused, new StoreReply.RenewalUnheard(alice.allocator.session()));
        alice.assertStillWaits(number);
        alice.passMillis(25);
        var renewals = new ArrayList<Renew>();
        while (alice.countHeld(Renew.class) > 0) {
            var send = alice.takeHeld(Renew.class);
            renewals.add((Renew) send.command());
            alice.execute(send);
        }
        assertEquals(2, renewals.size(), "a renewal, and the confirmation again");
        long heard = ((Renew) refused.command()).attempt();
        assertTrue(renewals.stream().allMatch(renew -> renew.heard() >= heard));
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.outcome(number));
    }

    @Test
    void aLateAnswerToAConfirmationThatWasGivenUpConfirmsNothing() {
        long number = alice.waitFor(3, 1);
        var lost = confirmation(holding(0));
        var reply = pair.store.execute(lost.command());
        alice.lose(lost);
        alice.answer(lost, reply);
        alice.assertStillWaits(number);
    }

    @Test
    void numbersAboveMaxSeqWaitForTheRaiseAndThenForAConfirmation() {
        long number = alice.waitFor(3, 150);
        assertEquals(0, alice.countHeld(Renew.class));
        alice.execute(alice.takeHeld(Raise.class));
        alice.assertStillWaits(number);
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 1, 150, 1), alice.outcome(number));
    }

    @Test
    void withoutAPlaceNoNumberIsTaken() {
        for (int i = 0; i < Bench.MAX_WAITING; i++) {
            alice.waitFor(3, 1);
        }
        alice.assertRefused(Refusal.TOO_MANY_WAITING, 3);
        Bench.assertRefused(Refusal.TOO_MANY_WAITING, alice.released(alice.currentStep(4)));
        alice.execute(confirmation(holding(0)));
        alice.execute(confirmation(holding(0)));
        assertEquals(0, alice.allocator.waiting());
        long next = alice.waitFor(3, 1);
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 6, 6, 1), alice.outcome(next));
    }

    @Test
    void theEndOfTheSessionRefusesWhoWaitsHoweverManyConfirmationsFollow() {
        long number = alice.waitFor(3, 1);
        var first = confirmation(holding(0));
        long second = alice.waitFor(3, 1);
        bobTakesOver();
        alice.execute(first);
        Bench.assertRefused(Refusal.NOT_OWNER, alice.outcome(number));
        Bench.assertRefused(Refusal.NOT_OWNER, alice.outcome(second));
        assertEquals(0, alice.allocator.session());
        assertEquals(0, alice.allocator.waiting());
    }

    @Test
    void aConfirmationRenewsTheSessionToo() {
        long before = pair.store.session(alice.allocator.session()).renewal();
        pair.clock.passMillis(500);
        alice.waitFor(3, 1);
        alice.execute(confirmation(holding(0)));
        assertTrue(pair.store.session(alice.allocator.session()).renewal() > before);
        assertEquals(3_000_000_000L, alice.allocator.leaseRemainingNanos(pair.clock.now()));
    }

    @Test
    void aHandOverAnswersWhoWaitsForAConfirmation() {
        long number = alice.waitFor(3, 7);
        var slow = confirmation(holding(0));
        pair.untilTheTableHasCome(0);
        alice.execute(alice.takeHeld(HandOver.class));
        assertEquals(new Answer.Range(3, 1, 7, 1), alice.outcome(number));
        alice.execute(slow);
        assertEquals(9, alice.allocator.segmentsOwned(), "its segment was given away; nothing else is lost");
        bob.wake();
        assertEquals(
                8,
                assertInstanceOf(Answer.Range.class, bob.outcome(ticket(bob.step(3, 1))))
                        .last());
    }

    @Test
    void aConfirmationThatTheLogHasAfterTheHandOverTakesNobodysNumber() {
        long number = alice.waitFor(3, 7);
        var slow = confirmation(holding(0));
        pair.untilTheTableHasCome(0);
        var send = alice.takeHeld(HandOver.class);
        var handedOver = pair.store.execute(send.command());
        alice.execute(slow);
        alice.assertStillWaits(number);
        assertEquals(0, alice.countHeld(Renew.class), "its hand-over will answer it; there is nothing to ask");
        alice.answer(send, handedOver);
        assertEquals(new Answer.Range(3, 1, 7, 1), alice.outcome(number));
        bob.wake();
        assertEquals(
                8,
                assertInstanceOf(Answer.Range.class, bob.outcome(ticket(bob.step(3, 1))))
                        .last());
    }

    /** Alone it stops, with one call whose confirmation was sent and one that came after it. */
    private static Bench stoppingAlone() {
        var store = new FakeStore(Bench.LEASE, Bench.MESSAGES.withOrder(Order.QUORUM));
        var alone = new Bench(store, new TestClock(), "alone");
        alone.tick();
        alone.assign(0, 9);
        alone.holdCommands();
        alone.waitFor(3, 7);
        alone.waitFor(4, 1);
        alone.allocator.stop(alone.clock.now());
        alone.carryOut();
        alone.execute(alone.takeHeld(Leave.class));
        alone.execute(alone.takeHeld(Claim.class));
        assertEquals(1, alone.countHeld(StoreTables.class));
        return alone;
    }

    @Test
    void whoWaitsIsAnsweredWhileTheLastTablesAreBeingStored() {
        var alone = stoppingAlone();
        while (alone.countHeld(Renew.class) > 0) {
            alone.execute(alone.takeHeld(Renew.class));
        }
        assertEquals(0, alone.allocator.waiting());
        alone.execute(alone.takeHeld(StoreTables.class));
        alone.execute(alone.takeHeld(Release.class));
        assertTrue(alone.allocator.segmentsOwned() < 10);
    }

    @Test
    void whatIsNotConfirmedWhileTheLastTablesAreBeingStoredIsRefused() {
        var alone = stoppingAlone();
        var item = new Sealed(new SegmentId(1, 0), 1, 8);
        alone.store.execute(new Release(alone.allocator.session(), List.of(item)));
        alone.execute(alone.takeHeld(Renew.class));
        assertEquals(0, alone.allocator.waiting(), "nothing of it has been given back here: it is lost");
        assertEquals(1, alone.events(AllocatorEvent.SegmentDropped.class).size());
    }

    @Test
    void theOrderMayBeAlteredAtAnyTime() {
        long waiting = alice.waitFor(3, 1);
        alter(Order.LEASE);
        alice.assertStillWaits(waiting);
        assertEquals(2, alice.next(3), "in LEASE order at once");
        var taken = alice.take(3);
        alter(Order.QUORUM);
        long again = alice.waitFor(3, 1);
        assertEquals(new Answer.Range(3, 3, 3, 1), alice.released(taken));
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.outcome(waiting));
        alice.execute(confirmation(holding(0)));
        assertEquals(new Answer.Range(3, 4, 4, 1), alice.outcome(again));
    }

    private void alter(Order order) {
        var seen = pair.store.view();
        var altered = new StoreView(
                seen.version(),
                seen.lease(),
                List.of(Bench.MESSAGES.withOrder(order)),
                seen.sessions(),
                seen.publishVersion(),
                seen.routes(),
                seen.released());
        alice.allocator.woken(altered, pair.clock.now());
    }

    @Test
    void anAnswerThatFitsNoConfirmationIsABrokenInvariant() {
        alice.waitFor(3, 1);
        var send = confirmation(holding(0));
        var reply = new StoreReply.Renewed(0, 0, List.of(true, true));
        assertThrows(IllegalStateException.class, () -> alice.answer(send, reply));
    }
}
