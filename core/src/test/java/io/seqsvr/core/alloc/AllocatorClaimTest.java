package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.Claimed;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreReply.Raised;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an allocator learns what it owns: an epoch is loaded once, and nothing is dropped for not being mentioned. */
class AllocatorClaimTest {
    private final Bench bench = Bench.serving(0, 0);

    private void move(int first, int last) {
        bench.store.publish(new Move(1, first, last, bench.allocator.session()));
    }

    private static Claimed claimed(int segment, long epoch, long base, long maxSeq) {
        var item = new ClaimedSegment(new SegmentId(1, segment), epoch, base, false, maxSeq, false);
        return new Claimed(List.of(item), 1, false, 1, List.of(Bench.MESSAGES));
    }

    @Test
    void afterARestartEverySegmentStartsAtItsOwnMaxSeq() {
        var namespace = new Namespace(1, "messages", 50_000, 10, 100, 1_000, Long.MAX_VALUE);
        var store = new FakeStore(Bench.LEASE, namespace);
        long before = store.open("alloc-1");
        for (int first = 0; first < 5_000; first += 1_000) {
            store.publish(new Move(1, first, first + 999, before));
        }
        for (int segment = 0; segment < 5_000; segment++) {
            var item = new RaiseItem(new SegmentId(1, segment), 1, 1_000 + segment);
            store.execute(new Raise(before, List.of(item)));
        }
        store.expire(before);
        var restarted = new Bench(store, new TestClock(), "alloc-1");
        restarted.tick();
        for (int first = 0; first < 4_000; first += 2_000) {
            store.publish(new Move(1, first, first + 1_999, restarted.allocator.session()));
        }
        restarted.assign(4_000, 4_999);
        assertEquals(5_000, restarted.allocator.segmentsOwned());
        for (int segment = 0; segment < 5_000; segment++) {
            assertEquals(1_001 + segment, restarted.next(segment * 10L + 7));
        }
    }

    @Test
    void aViewWakesTheAllocatorAndARenewalDoesSoToo() {
        move(1, 1);
        bench.assertRefused(Refusal.NOT_OWNER, 13);
        bench.wake();
        assertEquals(1, bench.next(13));
        move(2, 2);
        bench.passMillis(750);
        assertEquals(1, bench.next(23));
    }

    @Test
    void anOlderViewClaimsNothing() {
        var old = bench.store.view();
        bench.assign(1, 1);
        bench.holdCommands();
        bench.allocator.woken(old, bench.clock.now());
        bench.tick();
        assertEquals(List.of(), bench.held);
        assertEquals(2, bench.allocator.segmentsOwned());
    }

    @Test
    void nothingIsDroppedOnAViewThatShowsAnotherOwner() {
        var elsewhere = new FakeStore(Bench.LEASE, Bench.MESSAGES);
        // So that no session there bears the id of ours.
        elsewhere.open("alloc-8");
        elsewhere.publish(new Move(1, 0, 9, elsewhere.open("alloc-9")));
        while (elsewhere.view().version() <= bench.store.view().version()) {
            elsewhere.open("alloc-" + elsewhere.lastStamp());
        }
        bench.allocator.woken(elsewhere.view(), bench.clock.now());
        assertEquals(1, bench.next(3));
    }

    @Test
    void aSegmentThatAClaimDoesNotMentionIsNotDropped() {
        bench.next(3);
        bench.assign(1, 1);
        assertEquals(2, bench.next(3));
        assertEquals(1, bench.next(13));
    }

    @Test
    void oneClaimIsUnderWayAtATime() {
        bench.holdCommands();
        bench.assign(1, 1);
        bench.assign(2, 2);
        assertEquals(1, bench.countHeld(Claim.class));
        bench.execute(bench.takeHeld(Claim.class));
        assertEquals(3, bench.allocator.segmentsOwned());
        assertEquals(0, bench.countHeld(Claim.class));
    }

    @Test
    void aLostClaimIsSentAgainAfterAPause() {
        bench.holdCommands();
        bench.assign(1, 1);
        bench.lose(bench.takeHeld(Claim.class));
        bench.passMillis(45);
        assertEquals(0, bench.countHeld(Claim.class), "sent again at once");
        assertFalse(bench.allocator.ready(bench.clock.now()));
        bench.passMillis(5);
        bench.execute(bench.takeHeld(Claim.class));
        assertEquals(1, bench.next(13));
    }

    /** While StoreSvr is busy, or has no leader, it refuses at once: what each of many allocators asks adds up. */
    @Test
    void aClaimThatFailsAgainAndAgainIsSentTwentyTimesASecond() {
        var sent = new ArrayList<Claim>();
        bench.decideCommands(send -> {
            if (send.command() instanceof Claim claim && sent.size() < 5) {
                sent.add(claim);
                bench.lose(send);
            } else {
                bench.execute(send);
            }
        });
        bench.assign(1, 1);
        bench.passMillis(195);
        assertEquals(4, sent.size(), "one at first, and one after each 50 ms");
        bench.assertRefused(Refusal.NOT_OWNER, 13);
        bench.passMillis(55);
        assertEquals(1, bench.next(13));
    }

    @Test
    void aLateAnswerToAClaimThatWasGivenUpLoadsNothing() {
        bench.holdCommands();
        bench.assign(1, 1);
        var late = bench.takeHeld(Claim.class);
        var reply = bench.store.execute(late.command());
        bench.lose(late);
        bench.answer(late, reply);
        assertEquals(1, bench.allocator.segmentsOwned());
    }

    @Test
    void aLateClaimAnswerOfAnOldSessionLoadsNothing() {
        bench.holdCommands();
        bench.assign(1, 1);
        var late = bench.takeHeld(Claim.class);
        var reply = bench.store.execute(late.command());
        bench.store.expire(bench.allocator.session());
        bench.passMillis(750);
        bench.execute(bench.takeHeld(Renew.class));
        bench.passMillis(100);
        bench.execute(bench.takeHeld(OpenSession.class));
        bench.answer(late, reply);
        assertEquals(0, bench.allocator.segmentsOwned());
        bench.execute(bench.takeHeld(Renew.class));
        bench.assertRefused(Refusal.NOT_OWNER, 13);
    }

    @Test
    void theEndOfTheSessionInAClaimDropsEverything() {
        bench.holdCommands();
        bench.assign(1, 1);
        bench.store.expire(bench.allocator.session());
        bench.execute(bench.takeHeld(Claim.class));
        assertEquals(0, bench.allocator.segmentsOwned());
        assertEquals(0, bench.allocator.session());
    }

    @Test
    void anEpochThatIsStillServedIsNotLoadedAgain() {
        for (int i = 0; i < 7; i++) {
            bench.next(3);
        }
        bench.holdCommands();
        bench.assign(1, 1);
        bench.answer(bench.takeHeld(Claim.class), claimed(0, 1, 0, 100));
        assertEquals(8, bench.next(3));
    }

    @Test
    void anEpochThatWasDroppedIsNotLoadedAgain() {
        for (int i = 0; i < 7; i++) {
            bench.next(3);
        }
        bench.holdCommands();
        bench.request(3, 60);
        var stale = new RaisedItem(new SegmentId(1, 0), 1, false, 100);
        bench.answer(bench.takeHeld(Raise.class), new Raised(List.of(stale)));
        bench.answer(bench.takeHeld(Claim.class), claimed(0, 1, 0, 100));
        bench.assertRefused(Refusal.NOT_OWNER, 3);
        assertEquals(0, bench.allocator.segmentsOwned());
    }

    @Test
    void aHigherEpochReplacesTheCountersOfTheLowerOne() {
        bench.next(3);
        var taken = bench.take(3);
        bench.holdCommands();
        long ticket = bench.waitFor(4, 150);
        bench.assign(1, 1);
        bench.answer(bench.takeHeld(Claim.class), claimed(0, 3, 500, 600));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.outcome(ticket));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.allocator.release(taken, bench.clock.now()));
        assertEquals(new Answer.Range(3, 501, 501, 3), bench.request(3, 1));
        assertEquals(new Answer.Range(4, 501, 501, 3), bench.request(4, 1));
    }

    @Test
    void aRaiseOfTheLowerEpochDoesNotReachTheHigherOne() {
        bench.holdCommands();
        bench.waitFor(4, 150);
        var raise = bench.takeHeld(Raise.class);
        bench.assign(1, 1);
        bench.answer(bench.takeHeld(Claim.class), claimed(0, 3, 500, 600));
        bench.answer(raise, new Raised(List.of(new RaisedItem(new SegmentId(1, 0), 1, true, 9_000))));
        long ticket = bench.waitFor(4, 150);
        bench.assertStillWaits(ticket);
    }

    @Test
    void loadingIsReportedInRunsOfNeighbours() {
        bench.store.publish(new Move(1, 2, 4, bench.allocator.session()), new Move(1, 6, 6, bench.allocator.session()));
        bench.wake();
        long session = bench.allocator.session();
        long version = bench.store.tableVersion();
        var loaded = bench.events(AllocatorEvent.SegmentsLoaded.class);
        assertEquals(
                List.of(
                        new AllocatorEvent.SegmentsLoaded(session, 1, 2, 4, 1, version, Beginning.NEW),
                        new AllocatorEvent.SegmentsLoaded(session, 1, 6, 6, 1, version, Beginning.NEW)),
                loaded.subList(1, 3));
    }
}
