package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Sealed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A segment that goes from one living allocator to the other: exact counters, no gap, and nobody answered twice. */
class HandOverTest {
    private static final int PAGES = 1_000;

    private final Pair pair = new Pair();
    private final Bench alice = pair.alice;
    private final Bench bob = pair.bob;

    private static HandOver handOver(AllocatorEffect.Send send) {
        return (HandOver) send.command();
    }

    @Test
    void theNewOwnerGoesOnWhereTheOldOneStoppedWithoutAGap() {
        alice.request(3, 7);
        alice.request(4, 2);
        pair.handOver(0);
        assertEquals(new Answer.Range(3, 8, 8, 2), bob.request(3, 1));
        assertEquals(new Answer.Range(4, 3, 3, 2), bob.request(4, 1));
        assertEquals(new Answer.Range(5, 1, 1, 2), bob.request(5, 1));
        alice.assertRefused(Refusal.NOT_OWNER, 3);
        assertEquals(1, alice.next(13), "the other segments stay");
        assertEquals(9, alice.allocator.segmentsOwned());
        var released = new AllocatorEvent.SegmentsReleased(alice.allocator.session(), 1, 0, 0, 1, 7);
        assertEquals(List.of(released), alice.events(AllocatorEvent.SegmentsReleased.class));
    }

    /** What an operator sees of gaps: where the counters of a segment stood when its epoch began. */
    @Test
    void itIsToldWhereCountersStoodWhenAnEpochBegan() {
        alice.request(3, 7);
        pair.handOver(0);
        bob.request(3, 1);
        pair.store.expire(bob.allocator.session());
        pair.publish(0, alice.allocator.session());
        alice.wake();
        assertEquals(List.of(Beginning.COUNTERS), beginnings(bob));
        assertEquals(List.of(Beginning.NEW, Beginning.MAX_SEQ), beginnings(alice));
    }

    private static List<Beginning> beginnings(Bench bench) {
        return bench.events(AllocatorEvent.SegmentsLoaded.class).stream()
                .map(AllocatorEvent.SegmentsLoaded::began)
                .toList();
    }

    @Test
    void readingsAreExactAfterAHandOver() {
        alice.request(3, 7);
        pair.handOver(0);
        assertEquals(new Answer.Reading(3, 7, true, 2), bob.current(3));
        assertEquals(new Answer.Reading(4, 0, true, 2), bob.current(4));
    }

    @Test
    void theOldOwnerServesWhileItsCountersAreCopiedAndWhatChangesFollowsTheSeal() {
        alice.request(3, 7);
        alice.handOver(0, bob.allocator.session());
        assertEquals(8, alice.next(3), "copying does not stop the service");
        assertEquals(1, alice.next(4));
        pair.exchange();
        bob.wake();
        assertEquals(9, bob.next(3));
        assertEquals(2, bob.next(4));
    }

    @Test
    void onlyPagesThatChangedSinceTheCopyFollowTheSeal() {
        var wide = new Pair(new Namespace(1, "messages", 5_000, 5_000, 100, 1_000, Long.MAX_VALUE));
        for (long uid : new long[] {1, 1_500, 4_999}) {
            wide.alice.request(uid, 9);
        }
        wide.alice.handOver(0, wide.bob.allocator.session());
        var pages = wide.alice.takeTold(PeerMessage.Pages.class);
        assertEquals(3, pages.pages().size());
        wide.alice.next(1_500);
        wide.bob.hear(wide.alice, pages);
        wide.alice.hear(wide.bob, wide.bob.takeTold(PeerMessage.PagesTaken.class));
        var sealed = wide.alice.takeTold(PeerMessage.TableSealed.class);
        assertEquals(1, sealed.table().pages().size());
        assertEquals(1, sealed.table().pages().get(0).index());
        wide.bob.hear(wide.alice, sealed);
        wide.exchange();
        wide.bob.wake();
        assertEquals(10, wide.bob.next(1));
        assertEquals(11, wide.bob.next(1_500));
        assertEquals(10, wide.bob.next(4_999));
        assertEquals(1, wide.bob.next(4_998));
    }

    /** A segment with a user on each of its pages; a message carries 256. */
    private static Pair large(int pages) {
        var large = new Pair(new Namespace(1, "messages", pages * 1_024L, pages * 1_024, 100, 1_000, Long.MAX_VALUE));
        touch(large, pages);
        return large;
    }

    private static void touch(Pair large, int pages) {
        for (int page = 0; page < pages; page++) {
            large.alice.next(page * 1_024L);
        }
    }

    /**
     * Alice hands her segment over, and before each next piece she serves users on some of its pages.
     *
     * @return how often she did
     */
    private static int handOverWhileServing(Pair large, int pages) {
        large.alice.handOver(0, large.bob.allocator.session());
        int served = 0;
        while (large.alice.tells(PeerMessage.Pages.class)) {
            var piece = large.alice.takeTold(PeerMessage.Pages.class);
            assertTrue(piece.pages().size() <= 256, "no message would carry it");
            large.bob.hear(large.alice, piece);
            touch(large, pages);
            served++;
            large.alice.hear(large.bob, large.bob.takeTold(PeerMessage.PagesTaken.class));
            if (large.alice.tells(PeerMessage.TableSealed.class)) {
                return served;
            }
        }
        return served;
    }

    @Test
    void aSegmentOfManyPagesGoesInPieces() {
        var large = large(PAGES);
        assertEquals(4, handOverWhileServing(large, 1));
        assertEquals(1, large.alice.told.size(), "one page follows the seal");
        large.exchange();
        large.bob.wake();
        assertEquals(6, large.bob.next(0));
        assertEquals(2, large.bob.next(999 * 1_024L));
        assertEquals(new Answer.Reading(1, 0, true, 2), large.bob.current(1));
    }

    @Test
    void eachPageHasItsTurnHoweverOftenOthersChange() {
        var large = large(PAGES);
        int served = handOverWhileServing(large, 300);
        assertTrue(large.alice.told.size() <= 2, "only those that change are left for the seal");
        large.exchange();
        large.bob.wake();
        assertEquals(served + 2, large.bob.next(0));
        assertEquals(2, large.bob.next(999 * 1_024L));
    }

    @Test
    void whatNeverComesToRestIsSealedAndTheRestFollowsInPiecesThatMayOvertakeEachOther() {
        var large = large(PAGES);
        int served = handOverWhileServing(large, PAGES);
        var rest = new ArrayList<>(large.alice.told);
        assertEquals(4, rest.size());
        large.alice.told.clear();
        Collections.reverse(rest);
        rest.forEach(tell -> large.bob.hear(large.alice, tell.message()));
        large.exchange();
        large.bob.wake();
        assertEquals(served + 2, large.bob.next(999 * 1_024L));
        assertEquals(served + 2, large.bob.next(7 * 1_024L));
    }

    @Test
    void aRestThatWouldTakeTooLongIsLeftBehind() {
        int pages = 1_100;
        var large = large(pages);
        int served = handOverWhileServing(large, pages);
        large.bob.hear(large.alice, large.alice.takeTold(PeerMessage.TableAbandoned.class));
        assertEquals(List.of(), large.alice.told);
        assertEquals(served + 2, large.bob.next(7 * 1_024L), "its base is the greatest number of all");
        assertEquals(served + 2, large.bob.next(1));
    }

    @Test
    void aSealedSegmentAnswersNeitherNextNorCurrentNorRaiseFloor() {
        alice.request(3, 7);
        pair.untilTheTableHasCome(0);
        var handOver = alice.takeHeld(HandOver.class);
        alice.assertRefused(Refusal.NOT_OWNER, 3);
        Bench.assertRefused(Refusal.NOT_OWNER, alice.released(alice.currentStep(3)));
        Bench.assertRefused(Refusal.NOT_OWNER, alice.raiseFloor(3, 20));
        alice.execute(handOver);
        bob.wake();
        assertEquals(8, bob.next(3), "what was refused took nothing along");
    }

    @Test
    void requestsThatWaitedAreAnsweredByTheHandOver() {
        alice.holdCommands();
        long number = alice.waitFor(3, 150);
        var raise = alice.takeHeld(Raise.class);
        long reading = ((Step.Waiting) alice.currentStep(3)).ticket();
        pair.untilTheTableHasCome(0);
        var send = alice.takeHeld(HandOver.class);
        assertEquals(150, handOver(send).items().get(0).high(), "high covers what waits");
        alice.assertStillWaits(number);
        pair.clock.passMillis(4_000);
        alice.execute(send);
        assertTrue(pair.store.segment(1, 0).maxSeq() >= 150, "answered above max_seq");
        assertEquals(new Answer.Range(3, 1, 150, 1), alice.outcome(number), "no clock is asked");
        assertEquals(new Answer.Reading(3, 150, true, 1), alice.outcome(reading));
        assertEquals(0, alice.allocator.waiting());
        alice.lose(raise);
        bob.tick();
        bob.wake();
        assertEquals(151, bob.next(3));
    }

    @Test
    void aRaiseThatIsRefusedBecauseTheHandOverCameFirstTakesNobodysNumber() {
        alice.holdCommands();
        long number = alice.waitFor(3, 150);
        var raise = alice.takeHeld(Raise.class);
        pair.untilTheTableHasCome(0);
        var send = alice.takeHeld(HandOver.class);
        var handedOver = pair.store.execute(send.command());
        alice.execute(raise);
        alice.assertStillWaits(number);
        alice.answer(send, handedOver);
        assertEquals(new Answer.Range(3, 1, 150, 1), alice.outcome(number));
        bob.wake();
        assertEquals(151, bob.next(3));
    }

    @Test
    void whoWaitsIsRefusedIfTheHandOverTurnsOutNotToBeOne() {
        alice.holdCommands();
        long number = alice.waitFor(3, 150);
        var raise = alice.takeHeld(Raise.class);
        pair.untilTheTableHasCome(0);
        var send = alice.takeHeld(HandOver.class);
        pair.release(0, 160);
        pair.publish(0, bob.allocator.session());
        alice.execute(raise);
        alice.assertStillWaits(number);
        alice.execute(send);
        Bench.assertRefused(Refusal.NOT_OWNER, alice.outcome(number));
        assertEquals(0, alice.allocator.waiting());
    }

    @Test
    void countersThatWereNeverTouchedKeepTheBaseOfTheTable() {
        pair.store.expire(alice.allocator.session());
        alice.passMillis(1_000);
        alice.assign(0, 9);
        assertEquals(101, alice.next(3));
        assertEquals(102, alice.next(3));
        pair.handOver(0);
        assertEquals(103, bob.next(3));
        assertEquals(new Answer.Reading(4, 100, false, 3), bob.current(4));
        assertEquals(101, bob.next(4), "not where the epoch starts, but where the table's did");
    }

    @Test
    void aSegmentMayGoToAndFroAndNoNumberIsLost() {
        var from = alice;
        var to = bob;
        long expected = 0;
        for (int round = 0; round < 20; round++) {
            assertEquals(++expected, from.next(3));
            from.handOver(0, to.allocator.session());
            pair.exchange();
            to.wake();
            assertEquals(++expected, to.next(3));
            assertEquals(round + 2, to.current(3).epoch());
            assertEquals(0, to.current(4).seq());
            var next = from;
            from = to;
            to = next;
            // Who gives away its next segment may not do so at once.
            pair.passMillis(Pace.BETWEEN_NANOS / 1_000_000);
        }
    }

    @Test
    void aSegmentThatIsNotServedOrAlreadyUnderWayIsPassedOver() {
        alice.holdCommands();
        bob.handOver(0, alice.allocator.session());
        assertEquals(List.of(), bob.told);
        alice.handOver(0, bob.allocator.session());
        alice.handOver(0, bob.allocator.session());
        assertEquals(1, alice.told.size());
        pair.exchange();
        alice.handOver(0, bob.allocator.session());
        assertEquals(1, alice.countHeld(HandOver.class));
        var sealed = handOver(alice.takeHeld(HandOver.class)).items();
        assertEquals(List.of(new Sealed(sealed.get(0).segment(), 1, 0)), sealed);
    }

    @Test
    void numbersTakenBeforeTheSealLeaveUnderTheirLeaseAndAfterTheHandOverByThat() {
        var early = alice.take(3);
        var late = alice.take(3);
        pair.untilTheTableHasCome(0);
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.released(early));
        alice.execute(alice.takeHeld(HandOver.class));
        pair.clock.passMillis(4_000);
        assertEquals(new Answer.Range(3, 2, 2, 1), alice.released(late), "the log has confirmed it, no clock is asked");
        bob.tick();
        bob.wake();
        assertEquals(3, bob.next(3));
    }
}
