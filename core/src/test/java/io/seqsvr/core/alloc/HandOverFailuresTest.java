package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.PeerMessage.Pages;
import io.seqsvr.core.alloc.PeerMessage.PagesTaken;
import io.seqsvr.core.alloc.PeerMessage.TableSealed;
import io.seqsvr.core.alloc.PeerMessage.TableTaken;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreReply.ReceiverRefused;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.Released;
import java.util.ArrayList;
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

    /** Alice sealed and handed over; what she told Bob about it is lost, or late. */
    private TableSealed sealWithoutATable() {
        alice.handOver(0, bob.allocator.session());
        bob.hear(alice, alice.takeTold(Pages.class));
        alice.hear(bob, bob.takeTold(PagesTaken.class));
        return alice.takeTold(TableSealed.class);
    }

    @Test
    void aTableThatNeverArrivesKeepsTheNewOwnerWaitingForTheNamedTimeAndCostsAGapOnly() {
        sealWithoutATable();
        alice.assertRefused(Refusal.NOT_OWNER, 3);
        assertEquals(2, pair.store.segment(1, 0).epoch(), "handed over at once");
        bob.wake();
        pair.passMillis(295);
        bob.assertRefused(Refusal.NOT_READY, 3);
        assertFalse(bob.allocator.ready(pair.clock.now()));
        pair.passMillis(10);
        assertEquals(new Answer.Reading(4, 7, false, 2), bob.current(4));
        assertEquals(8, bob.next(3));
        assertEquals(8, bob.next(4), "from the end of the epoch before, not from max_seq");
    }

    /** Nothing of a hand-over rests on what time of day it is. */
    @Test
    void aWallClockThatIsSetMeanwhileCostsNobodyANumber() {
        var sealed = sealWithoutATable();
        bob.wake();
        pair.clock.stepWallMillis(3_600_000);
        bob.tick();
        bob.hear(alice, sealed);
        pair.passMillis(Bench.LEASE.ttlNanos() / 1_000_000);
        assertEquals(3, bob.next(4));
    }

    /** It could not serve what it is given, and nobody else could for the rest of its session. */
    @Test
    void whoHasNoLeaseConfirmsNothingAndTheOwnerServesOn() {
        bob.holdCommands();
        pair.passMillis(Bench.LEASE.ttlNanos() / 1_000_000 + 50);
        alice.handOver(0, bob.allocator.session());
        pair.exchange();
        assertEquals(8, alice.next(3));
        pair.passMillis(2_100);
        pair.exchange();
        assertEquals(9, alice.next(3));
        assertEquals(1, pair.store.segment(1, 0).epoch());
    }

    @Test
    void aTableThatComesWhileTheNewOwnerWaitsIsUsed() {
        var sealed = sealWithoutATable();
        bob.wake();
        pair.passMillis(290);
        bob.assertRefused(Refusal.NOT_READY, 4);
        bob.hear(alice, sealed);
        assertEquals(3, bob.next(4));
        pair.passMillis(1_000);
        assertEquals(4, bob.next(4));
    }

    @Test
    void whoHearsOfTheSealClaimsBeforeAWatchShowsAnything() {
        bob.hear(alice, sealWithoutATable());
        assertEquals(8, bob.next(3));
        assertEquals(3, bob.next(4));
    }

    @Test
    void aClaimThatCameBeforeTheHandOverIsRepeatedWhenAWatchShowsIt() {
        var claims = new ArrayList<StoreCommand>();
        bob.decideCommands(send -> {
            if (send.command() instanceof Claim) {
                claims.add(send.command());
            }
            bob.execute(send);
        });
        pair.untilTheTableHasCome(0);
        assertEquals(1, claims.size());
        bob.assertRefused(Refusal.NOT_OWNER, 3);
        alice.execute(alice.takeHeld(HandOver.class));
        bob.assertRefused(Refusal.NOT_OWNER, 3);
        bob.wake();
        assertEquals(8, bob.next(3));
    }

    @Test
    void whatWasCopiedLongAgoIsNotWaitedFor() {
        alice.handOver(0, bob.allocator.session());
        bob.hear(alice, alice.takeTold(Pages.class));
        bob.takeTold(PagesTaken.class);
        pair.passMillis(2_005);
        assertInstanceOf(Released.class, pair.release(0, 7));
        pair.publish(0, bob.allocator.session());
        bob.wake();
        assertEquals(8, bob.next(4));
    }

    @Test
    void aSessionThatEndsWaitsForNoTable() {
        var sealed = sealWithoutATable();
        bob.wake();
        bob.assertRefused(Refusal.NOT_READY, 3);
        bob.allocator.close(pair.clock.now());
        bob.hear(alice, sealed);
        pair.passMillis(305);
        assertEquals(0, bob.allocator.segmentsOwned());
    }

    @Test
    void whoHandedOverStopsWhenTheReceiverHasTheTableOrAfterTheNamedTime() {
        for (boolean heard : new boolean[] {true, false}) {
            var stopping = new Pair(Bench.MESSAGES);
            stopping.alice.allocator.stop(stopping.clock.now());
            stopping.alice.wake();
            copy(stopping);
            assertEquals(0, stopping.alice.allocator.segmentsOwned());
            assertFalse(stopping.alice.allocator.stopped(), "the tables may still be on their way");
            if (heard) {
                stopping.exchange();
                stopping.alice.tick();
            } else {
                stopping.passMillis(295);
                assertFalse(stopping.alice.allocator.stopped());
                stopping.passMillis(10);
            }
            assertTrue(stopping.alice.allocator.stopped());
        }
    }

    /** All copies come to Bob, and Alice hears that they did. */
    private static void copy(Pair of) {
        while (of.alice.tells(Pages.class)) {
            of.bob.hear(of.alice, of.alice.takeTold(Pages.class));
            of.alice.hear(of.bob, of.bob.takeTold(PagesTaken.class));
        }
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
    void ofAReceiverThatIsRefusedTheSegmentIsGivenBackWithItsCountersStored() {
        long number = waitingForTheRaise();
        pair.untilTheTableHasCome(0);
        pair.store.expire(bob.allocator.session());
        var refused = alice.takeHeld(HandOver.class);
        assertInstanceOf(ReceiverRefused.class, pair.store.execute(refused.command()));
        alice.execute(refused);
        assertEquals(0, alice.countHeld(Release.class));
        alice.execute(alice.takeHeld(StoreCommand.StoreTables.class));
        var release = alice.takeHeld(Release.class);
        assertEquals(List.of(new Sealed(SEGMENT, 1, 157)), ((Release) release.command()).items());
        alice.lose(release);
        pair.passMillis(55);
        alice.execute(alice.takeHeld(Release.class));
        assertEquals(new Answer.Range(3, 8, 157, 1), alice.outcome(number));
        bob.passMillis(1_000);
        pair.publish(0, bob.allocator.session());
        bob.wake();
        assertEquals(158, bob.next(3));
        assertEquals(3, bob.next(4), "by the table");
    }

    private long waitingForTheRaise() {
        alice.holdCommands();
        return alice.waitFor(3, 150);
    }

    @Test
    void whoStopsDoesNotWaitForAReceiverThatIsRefused() {
        alice.wake();
        alice.allocator.stop(pair.clock.now());
        alice.wake();
        alice.holdCommands();
        copy(pair);
        pair.store.expire(bob.allocator.session());
        alice.answerCommands();
        while (alice.countHeld(HandOver.class) > 0) {
            alice.execute(alice.takeHeld(HandOver.class));
        }
        assertTrue(alice.allocator.stopped());
    }

    @Test
    void anExpelledReceiverIsRefusedToo() {
        pair.untilTheTableHasCome(0);
        pair.store.execute(new StoreCommand.Expel(bob.allocator.session()));
        alice.execute(alice.takeHeld(HandOver.class));
        alice.lose(alice.takeHeld(StoreCommand.StoreTables.class));
        pair.passMillis(Departures.STORING_NANOS / 1_000_000 + 5);
        assertEquals(1, alice.countHeld(Release.class), "with its table or without");
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
        bob.assertRefused(Refusal.NOT_READY, 4);
        pair.passMillis(305);
        assertEquals(23, bob.next(4));
        assertEquals(23, bob.next(3));
    }

    @Test
    void aTableWithoutItsFirstCopiesIsNotUsed() {
        alice.handOver(0, bob.allocator.session());
        var pages = alice.takeTold(Pages.class);
        alice.hear(bob, new PagesTaken(SEGMENT, 1));
        bob.hear(alice, alice.takeTold(TableSealed.class));
        assertEquals(8, bob.next(4), "nothing is known to be on its way");
        bob.hear(alice, pages);
        assertEquals(List.of(), bob.told);
        assertEquals(9, bob.next(4));
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
        bob.wake();
        pair.passMillis(305);
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
