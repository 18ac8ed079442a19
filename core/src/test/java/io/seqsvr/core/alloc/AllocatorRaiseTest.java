package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.alloc.AllocatorEffect.Send;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.Raised;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an allocator keeps max_seq ahead of its numbers, and what it does when it cannot. */
class AllocatorRaiseTest {
    private final Bench bench = Bench.serving(0, 2);

    /** Takes numbers until the raise of the first segment is under way: half of the step of 100. */
    private Send raiseUnderWay() {
        bench.holdCommands();
        for (int i = 0; i < 50; i++) {
            bench.next(3);
        }
        return bench.takeHeld(Raise.class);
    }

    private static RaiseItem item(int segment, long epoch, long maxSeq) {
        return new RaiseItem(new SegmentId(1, segment), epoch, maxSeq);
    }

    @Test
    void aRaiseStartsWhenHalfOfTheHeadroomIsUsed() {
        bench.holdCommands();
        for (int i = 0; i < 49; i++) {
            bench.next(3);
        }
        assertEquals(0, bench.countHeld(Raise.class));
        bench.next(3);
        var raise = bench.takeHeld(Raise.class).command();
        assertEquals(new Raise(bench.allocator.session(), List.of(item(0, 1, 200))), raise);
    }

    @Test
    void aSteadyLoadNeverWaitsForARaise() {
        bench.holdCommands();
        long expected = 0;
        for (int round = 0; round < 50; round++) {
            while (bench.countHeld(Raise.class) == 0) {
                assertEquals(++expected, bench.next(3));
            }
            for (int i = 0; i < 49; i++) {
                assertEquals(++expected, bench.next(3));
            }
            bench.execute(bench.takeHeld(Raise.class));
        }
    }

    @Test
    void numbersAboveMaxSeqWaitAndComeAfterTheRaise() {
        var raise = raiseUnderWay();
        for (int i = 0; i < 50; i++) {
            bench.next(3);
        }
        long first = bench.waitFor(3, 1);
        long second = bench.waitFor(3, 5);
        long other = bench.waitFor(4, 101);
        assertEquals(3, bench.allocator.waiting());
        bench.assertStillWaits(first);
        bench.execute(raise);
        assertEquals(new Answer.Range(3, 101, 101, 1), bench.outcome(first));
        assertEquals(new Answer.Range(3, 102, 106, 1), bench.outcome(second));
        assertEquals(new Answer.Range(4, 1, 101, 1), bench.outcome(other));
        assertEquals(0, bench.allocator.waiting());
    }

    @Test
    void whatOneRaiseDoesNotCoverWaitsForTheNext() {
        var raise = raiseUnderWay();
        long far = bench.waitFor(4, 900);
        long near = bench.waitFor(5, 150);
        bench.execute(raise);
        assertEquals(new Answer.Range(5, 1, 150, 1), bench.outcome(near));
        bench.assertStillWaits(far);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(4, 1, 900, 1), bench.outcome(far));
    }

    @Test
    void aRequestForMoreThanAStepComesWithOneRaise() {
        bench.holdCommands();
        long ticket = bench.waitFor(3, 1_000);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 1, 1_000, 1), bench.outcome(ticket));
        assertEquals(0, bench.countHeld(Raise.class));
    }

    @Test
    void oneRaiseIsUnderWayAndAllOthersGoTogetherWithTheNext() {
        var first = raiseUnderWay();
        bench.request(13, 60);
        bench.request(23, 70);
        bench.request(14, 80);
        assertEquals(0, bench.countHeld(Raise.class));
        bench.execute(first);
        var second = bench.takeHeld(Raise.class).command();
        assertEquals(new Raise(bench.allocator.session(), List.of(item(1, 1, 200), item(2, 1, 200))), second);
    }

    @Test
    void aLostRaiseIsSentAgainAndNothingLeavesBeforeOneIsAccepted() {
        var lost = raiseUnderWay();
        long ticket = bench.waitFor(3, 60);
        for (int i = 0; i < 5; i++) {
            bench.lose(lost);
            bench.passMillis(15);
            assertEquals(0, bench.countHeld(Raise.class), "sent again without a pause");
            bench.passMillis(10);
            lost = bench.takeHeld(Raise.class);
            bench.assertStillWaits(ticket);
        }
        assertEquals(100, bench.store.segment(1, 0).maxSeq());
        bench.execute(lost);
        assertEquals(new Answer.Range(3, 51, 110, 1), bench.outcome(ticket));
    }

    @Test
    void aRaiseThatWasAppliedButNeverAnsweredDoesNoHarmWhenRepeated() {
        var raise = raiseUnderWay();
        bench.store.execute(raise.command());
        bench.lose(raise);
        bench.passMillis(25);
        var repeated = bench.takeHeld(Raise.class);
        assertEquals(raise.command(), repeated.command());
        bench.execute(repeated);
        assertEquals(200, bench.store.segment(1, 0).maxSeq());
        assertEquals(new Answer.Range(3, 51, 200, 1), bench.request(3, 150));
    }

    @Test
    void nothingAboveTheOldBoundLeavesWhileTheRaisesOutcomeIsUnknown() {
        var raise = raiseUnderWay();
        long ticket = bench.waitFor(3, 60);
        bench.store.execute(raise.command());
        bench.lose(raise);
        bench.assertStillWaits(ticket);
        bench.passMillis(25);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 51, 110, 1), bench.outcome(ticket));
    }

    @Test
    void aLateAnswerToARaiseThatWasGivenUpRaisesNothing() {
        var raise = raiseUnderWay();
        long ticket = bench.waitFor(3, 60);
        var reply = bench.store.execute(raise.command());
        bench.lose(raise);
        bench.answer(raise, reply);
        bench.assertStillWaits(ticket);
    }

    @Test
    void aRefusalForNoReasonOfOursRaisesNothingAndDropsNothing() {
        var raise = raiseUnderWay();
        long ticket = bench.waitFor(3, 60);
        bench.answer(raise, new StoreReply.Rejected("too busy"));
        bench.assertStillWaits(ticket);
        assertEquals(0, bench.countHeld(Raise.class), "sent again without a pause");
        assertEquals(3, bench.allocator.segmentsOwned());
        bench.passMillis(25);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 51, 110, 1), bench.outcome(ticket));
    }

    @Test
    void aRaiseRefusedForItsEpochDropsTheSegmentAndClaims() {
        var raise = raiseUnderWay();
        var taken = bench.take(3);
        long ticket = bench.waitFor(3, 60);
        bench.answer(raise, new Raised(List.of(new RaisedItem(new SegmentId(1, 0), 1, false, 900))));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.outcome(ticket));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.allocator.release(taken, bench.clock.now()));
        bench.assertRefused(Refusal.NOT_OWNER, 3);
        assertEquals(1, bench.next(13), "the other segments are not concerned");
        assertEquals(2, bench.allocator.segmentsOwned());
        assertEquals(1, bench.countHeld(Claim.class));
        assertEquals(
                List.of(new AllocatorEvent.SegmentDropped(bench.allocator.session(), 1, 0, 1)),
                bench.events(AllocatorEvent.SegmentDropped.class));
        assertEquals(0, bench.allocator.waiting());
    }

    @Test
    void oneStaleSegmentOfARaiseDoesNotHinderTheOthers() {
        bench.holdCommands();
        long first = bench.waitFor(3, 150);
        long second = bench.waitFor(13, 150);
        long third = bench.waitFor(23, 150);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 1, 150, 1), bench.outcome(first));
        var raise = bench.takeHeld(Raise.class);
        bench.answer(
                raise,
                new Raised(List.of(
                        new RaisedItem(new SegmentId(1, 1), 1, false, 900),
                        new RaisedItem(new SegmentId(1, 2), 1, true, 300))));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.outcome(second));
        assertEquals(new Answer.Range(23, 1, 150, 1), bench.outcome(third));
    }

    @Test
    void anAnswerThatFitsNoRaiseIsABrokenInvariant() {
        var raise = raiseUnderWay();
        assertThrows(IllegalStateException.class, () -> bench.answer(raise, new Raised(List.of())));
        var other = Bench.serving(0, 0);
        other.holdCommands();
        other.request(3, 60);
        var reply = new Raised(List.of(new RaisedItem(new SegmentId(1, 0), 2, true, 900)));
        assertThrows(IllegalStateException.class, () -> other.answer(other.takeHeld(Raise.class), reply));
    }

    @Test
    void allSegmentsThatWantMoreGoInOneCommand() {
        var many = Bench.serving(0, 9);
        many.holdCommands();
        many.request(3, 60);
        for (int segment = 1; segment < 10; segment++) {
            many.request(segment * 10L, 60);
        }
        many.execute(many.takeHeld(Raise.class));
        var second = (Raise) many.takeHeld(Raise.class).command();
        assertEquals(9, second.items().size());
    }
}
