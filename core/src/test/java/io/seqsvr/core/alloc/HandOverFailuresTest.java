package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.PeerMessage.Pages;
import io.seqsvr.core.alloc.PeerMessage.PagesTaken;
import io.seqsvr.core.alloc.PeerMessage.TableSealed;
import io.seqsvr.core.alloc.PeerMessage.TableTaken;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreReply.ReceiverRefused;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.Released;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hand-over of which something gets lost, comes late, twice, or to somebody who is gone. */
class HandOverFailuresTest {
    private static final SegmentId SEGMENT = new SegmentId(1, 0);

    private final Pair pair = new Pair();
    private final Bench alice = pair.alice;
    private final Bench bob = pair.bob;

    @BeforeEach
    void serve() {
        alice.request(3, 7);
        alice.request(4, 2);
    }

    /** Alice sealed; what she told Bob about it is lost. */
    private TableSealed sealWithoutATable() {
        alice.handOver(0, bob.allocator.session());
        bob.hear(alice, alice.takeTold(Pages.class));
        alice.hear(bob, bob.takeTold(PagesTaken.class));
        return alice.takeTold(TableSealed.class);
    }

    @Test
    void aTableThatNeverArrivesDelaysTheHandOverByTheNamedTimeAndCostsAGapOnly() {
        sealWithoutATable();
        alice.assertRefused(Refusal.NOT_OWNER, 3);
        pair.passMillis(295);
        assertEquals(1, pair.store.segment(1, 0).epoch());
        pair.passMillis(10);
        assertEquals(2, pair.store.segment(1, 0).epoch());
        bob.wake();
        assertEquals(new Answer.Reading(4, 7, false, 2), bob.current(4));
        assertEquals(8, bob.next(3));
        assertEquals(8, bob.next(4), "from the end of the epoch before, not from max_seq");
    }

    @Test
    void aTableWhoseArrivalIsNotHeardOfIsUsedAllTheSame() {
        alice.handOver(0, bob.allocator.session());
        bob.hear(alice, alice.takeTold(Pages.class));
        alice.hear(bob, bob.takeTold(PagesTaken.class));
        bob.hear(alice, alice.takeTold(TableSealed.class));
        bob.takeTold(TableTaken.class);
        pair.passMillis(305);
        bob.wake();
        assertEquals(8, bob.next(3));
        assertEquals(3, bob.next(4));
    }

    @Test
    void aReceiverThatSaysNothingGetsNothingAndTheOwnerServesOn() {
        alice.handOver(0, bob.allocator.session());
        alice.takeTold(Pages.class);
        for (int i = 0; i < 60; i++) {
            pair.passMillis(50);
            alice.next(3);
        }
        assertEquals(67, alice.current(3).seq());
        assertEquals(1, pair.store.segment(1, 0).epoch());
        pair.handOver(0);
        assertEquals(68, bob.next(3), "and it may be handed over later");
    }

    @Test
    void aHandOverWhoseAnswerIsLostIsRepeatedAndAnsweredLikeTheFirst() {
        alice.holdCommands();
        long number = alice.waitFor(3, 150);
        pair.untilTheTableHasCome(0);
        var first = alice.takeHeld(HandOver.class);
        pair.store.execute(first.command());
        bob.wake();
        assertEquals(158, bob.next(3));
        alice.lose(first);
        assertEquals(0, alice.countHeld(HandOver.class), "repeated without a pause");
        for (int i = 0; i < 8; i++) {
            alice.assertRefused(Refusal.NOT_OWNER, 3);
            pair.passMillis(Bench.TICK_MILLIS);
        }
        pair.passMillis(20);
        alice.assertStillWaits(number);
        var again = alice.takeHeld(HandOver.class);
        assertEquals(first.command(), again.command());
        alice.execute(again);
        assertEquals(new Answer.Range(3, 8, 157, 1), alice.outcome(number));
        assertEquals(159, bob.next(3));
    }

    @Test
    void aHandOverThatWasNeverAppliedIsRepeatedUntilItIs() {
        pair.untilTheTableHasCome(0);
        for (int tries = 0; tries < 10; tries++) {
            var send = alice.takeHeld(HandOver.class);
            if (tries % 2 == 0) {
                alice.lose(send);
            } else {
                alice.answer(send, new Rejected("too busy"));
            }
            assertEquals(0, alice.countHeld(HandOver.class));
            pair.passMillis(55);
            alice.assertRefused(Refusal.NOT_OWNER, 3);
        }
        alice.execute(alice.takeHeld(HandOver.class));
        bob.wake();
        assertEquals(8, bob.next(3));
    }

    @Test
    void aReceiverThatIsRefusedGetsNothingAndTheSegmentIsGivenBackAllTheSame() {
        long number = waitingForTheRaise();
        pair.untilTheTableHasCome(0);
        pair.store.expire(bob.allocator.session());
        var refused = alice.takeHeld(HandOver.class);
        assertInstanceOf(ReceiverRefused.class, pair.store.execute(refused.command()));
        alice.execute(refused);
        var release = alice.takeHeld(Release.class);
        assertEquals(List.of(new Sealed(SEGMENT, 1, 157)), ((Release) release.command()).items());
        alice.lose(release);
        pair.passMillis(55);
        alice.execute(alice.takeHeld(Release.class));
        assertEquals(new Answer.Range(3, 8, 157, 1), alice.outcome(number));
        bob.passMillis(1_000);
        pair.publish(0, bob.allocator.session());
        bob.wake();
        assertEquals(158, bob.next(3), "without a gap, as nothing was taken since");
    }

    private long waitingForTheRaise() {
        alice.holdCommands();
        return alice.waitFor(3, 150);
    }

    @Test
    void anExpelledReceiverIsRefusedToo() {
        pair.untilTheTableHasCome(0);
        pair.store.execute(new StoreCommand.Expel(bob.allocator.session()));
        alice.execute(alice.takeHeld(HandOver.class));
        assertEquals(1, alice.countHeld(Release.class));
        assertEquals(1, pair.store.segment(1, 0).epoch());
    }

    @Test
    void whoLosesItsSessionWhileSealedDropsEverythingAndItsHandOverComesTooLate() {
        pair.untilTheTableHasCome(0);
        var late = alice.takeHeld(HandOver.class);
        pair.passMillis(750);
        pair.store.expire(alice.allocator.session());
        alice.execute(alice.takeHeld(Renew.class));
        assertEquals(0, alice.allocator.segmentsOwned());
        pair.publish(0, bob.allocator.session());
        bob.wake();
        assertEquals(101, bob.next(3), "a table of an epoch that ended otherwise does not count");
        assertEquals(101, bob.next(4));
        alice.execute(late);
        assertEquals(2, pair.store.segment(1, 0).epoch());
        alice.passMillis(1_000);
        assertEquals(0, alice.countHeld(Release.class) + alice.countHeld(HandOver.class));
    }

    @Test
    void aTableOfWhichAPageGotLostIsNotUsed() {
        alice.handOver(0, bob.allocator.session());
        bob.hear(alice, alice.takeTold(Pages.class));
        var slow = bob.takeTold(PagesTaken.class);
        pair.passMillis(2_005);
        alice.request(4, 20);
        alice.handOver(0, bob.allocator.session());
        alice.takeTold(Pages.class);
        alice.hear(bob, slow);
        var sealed = alice.takeTold(TableSealed.class);
        assertEquals(List.of(), sealed.table().pages(), "nothing changed since the copies that got lost");
        bob.hear(alice, sealed);
        assertEquals(List.of(), bob.told, "said to be whole");
        pair.passMillis(305);
        bob.wake();
        assertEquals(23, bob.next(4));
        assertEquals(23, bob.next(3));
    }

    @Test
    void aTableWithoutItsFirstCopiesIsNotUsed() {
        alice.handOver(0, bob.allocator.session());
        var pages = alice.takeTold(Pages.class);
        alice.hear(bob, new PagesTaken(SEGMENT, 1));
        bob.hear(alice, alice.takeTold(TableSealed.class));
        bob.hear(alice, pages);
        bob.takeTold(PagesTaken.class);
        assertEquals(List.of(), bob.told);
        pair.passMillis(305);
        bob.wake();
        assertEquals(8, bob.next(4));
    }

    @Test
    void aTableOfAnEarlierEpochDoesNotCountThoughItsHighIsTheSame() {
        pair.untilTheTableHasCome(0);
        assertInstanceOf(Released.class, pair.release(0, 7));
        long carol = pair.store.open("carol");
        pair.publish(0, carol);
        // Carol shows user 4 its bound, 7, and takes nothing.
        var item = new Sealed(SEGMENT, 2, 7);
        pair.store.execute(new HandOver(carol, List.of(item), bob.allocator.session()));
        bob.wake();
        assertEquals(new Answer.Range(4, 8, 8, 3), bob.request(4, 1));
    }

    @Test
    void aTableDoesNotCountWhenAFloorWasRaisedAfterItsRelease() {
        pair.untilTheTableHasCome(0);
        assertInstanceOf(Released.class, pair.release(0, 7));
        pair.store.execute(new RaiseFloor(SEGMENT, 50));
        pair.publish(0, bob.allocator.session());
        bob.wake();
        for (long uid = 0; uid < 10; uid++) {
            long next = bob.next(uid);
            assertTrue(next > 50, "user " + uid + " got " + next + " below the floor");
        }
    }

    @Test
    void aTableThatComesAfterTheFirstAnswerIsDropped() {
        var sealed = sealWithoutATable();
        pair.passMillis(305);
        bob.wake();
        assertEquals(8, bob.next(4));
        bob.hear(alice, new Pages(SEGMENT, 1, List.of()));
        bob.hear(alice, sealed);
        assertEquals(List.of(), bob.told);
        assertEquals(9, bob.next(4));
        assertEquals(8, bob.next(3));
    }

    @Test
    void doubledAndOvertakenMessagesDoNoHarm() {
        alice.handOver(0, bob.allocator.session());
        var pages = alice.takeTold(Pages.class);
        bob.hear(alice, pages);
        bob.hear(alice, pages);
        var pagesTaken = bob.takeTold(PagesTaken.class);
        alice.hear(bob, new TableTaken(SEGMENT, 1));
        alice.hear(bob, pagesTaken);
        alice.hear(bob, pagesTaken);
        var sealed = alice.takeTold(TableSealed.class);
        assertEquals(List.of(), alice.told, "sealed once");
        bob.hear(alice, sealed);
        bob.hear(alice, sealed);
        var tableTaken = bob.takeTold(TableTaken.class);
        alice.hear(bob, tableTaken);
        alice.hear(bob, tableTaken);
        bob.wake();
        assertEquals(2, pair.store.segment(1, 0).epoch());
        assertEquals(8, bob.next(3));
        bob.hear(alice, pages);
        bob.hear(alice, sealed);
        assertEquals(9, bob.next(3));
        assertEquals(3, bob.next(4));
    }

    @Test
    void messagesThatComeWithoutASessionAreForgotten() {
        var stranger = new Bench(pair.store, pair.clock, "stranger");
        stranger.hear(alice, new Pages(SEGMENT, 1, List.of()));
        assertEquals(List.of(), stranger.told);
    }
}
