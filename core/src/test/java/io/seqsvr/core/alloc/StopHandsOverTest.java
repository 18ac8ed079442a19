package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Leave;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A clean stop while others live: they take over, and nobody's sequence has a gap. */
class StopHandsOverTest {
    /** Users of a segment of which only one is copied at a time. */
    private static final int WIDE = (Departures.PAGES_AT_ONCE - 1) * 1_024;

    private final Pair pair = new Pair();
    private final Bench alice = pair.alice;
    private final Bench bob = pair.bob;

    private void stopAlice() {
        stop(pair);
    }

    /** Alice is told to stop, and begins to. */
    private static void stop(Pair those) {
        those.alice.wake();
        those.alice.allocator.stop(those.clock.now());
        those.alice.wake();
    }

    @Test
    void whoLivesGoesOnWhereTheOneThatStopsEnded() {
        alice.request(3, 7);
        alice.request(13, 2);
        stopAlice();
        assertEquals(8, alice.next(3), "served while copies are on their way");
        pair.exchange();
        bob.wake();
        assertTrue(alice.allocator.stopped());
        assertEquals(new Answer.Range(3, 9, 9, 2), bob.request(3, 1));
        assertEquals(new Answer.Range(13, 3, 3, 2), bob.request(13, 1));
        assertEquals(1, bob.next(99), "a segment that nobody touched");
        assertEquals(10, bob.allocator.segmentsOwned());
    }

    @Test
    void whatAReceiverDoesNotTakeInTimeIsStoredAndGoesToTheNextOwner() {
        alice.request(3, 7);
        stopAlice();
        alice.told.clear();
        pair.passMillis(Departures.COPYING_NANOS / 1_000_000 - 100);
        assertFalse(alice.allocator.stopped());
        assertEquals(8, alice.next(3), "nothing is sealed before somebody took copies");
        pair.passMillis(200);
        assertTrue(alice.allocator.stopped());
        for (int segment = 0; segment < 10; segment++) {
            pair.publish(segment, bob.allocator.session());
        }
        bob.wake();
        assertEquals(9, bob.next(3));
    }

    @Test
    void whatAReceiverTookInPartIsStoredAndFetchedAllTheSame() {
        alice.request(3, 7);
        alice.request(4, 2);
        stopAlice();
        alice.told.forEach(tell -> bob.hear(alice, tell.message()));
        alice.told.clear();
        bob.told.clear();
        pair.passMillis(Departures.COPYING_NANOS / 1_000_000 + 100);
        assertTrue(alice.allocator.stopped());
        for (int segment = 0; segment < 10; segment++) {
            pair.publish(segment, bob.allocator.session());
        }
        bob.wake();
        assertEquals(8, bob.next(3));
        assertEquals(3, bob.next(4), "from the table that StoreSvr keeps");
    }

    /** The last word of a receiver gets lost, and at the same moment all counters are stored. */
    @Test
    void aTableThatStoreSvrKeepsIsNotWaitedForElsewhere() {
        alice.request(3, 7);
        alice.request(4, 2);
        stopAlice();
        pair.passMillis(Departures.COPYING_NANOS / 1_000_000 - 100);
        alice.told.forEach(tell -> bob.hear(alice, tell.message()));
        alice.told.clear();
        bob.told.clear();
        pair.passMillis(150);
        assertTrue(alice.allocator.stopped());
        pair.publish(0, bob.allocator.session());
        bob.wake();
        assertEquals(3, bob.next(4), "at once");
    }

    /** Both are stopped, and the one that was to take over is the first to say so. */
    @Test
    void whatAReceiverThatStopsTooMayNotTakeIsStored() {
        bob.tick();
        pair.handOver(0);
        bob.holdCommands();
        alice.request(13, 7);
        alice.request(14, 2);
        stopAlice();
        bob.allocator.stop(pair.clock.now());
        bob.wake();
        bob.execute(bob.takeHeld(Leave.class));
        pair.exchange();
        assertTrue(alice.allocator.stopped());
        var carol = new Bench(pair.store, pair.clock, "carol");
        carol.tick();
        carol.assign(1, 1);
        assertEquals(8, carol.next(13));
        assertEquals(3, carol.next(14), "from the table that StoreSvr keeps");
        assertEquals(List.of(), alice.events(AllocatorEvent.CountersNotStored.class));
    }

    /** Segments of {@link #WIDE} users, with one that was served on each page. */
    private static Pair wide(int segments) {
        var wide = new Pair(new Namespace(1, "messages", (long) segments * WIDE, WIDE, 100, 1_000, Long.MAX_VALUE));
        for (long uid = 0; uid < (long) segments * WIDE; uid += 1_024) {
            wide.alice.request(uid, 1);
        }
        return wide;
    }

    /** Of two receivers one is dead, and what is to go to it comes first and is large; StoreSvr stores nothing. */
    @Test
    void aReceiverThatTakesNothingHoldsUpWhatGoesToAnotherForOnePatienceOnly() {
        var wide = wide(8);
        var carol = new Bench(wide.store, wide.clock, "carol");
        carol.tick();
        holdTables(wide.alice);
        stop(wide);
        long first = wide.alice.told.get(0).to();
        var living = first == carol.allocator.session() ? wide.bob : carol;
        long patience = (Departures.COPYING_NANOS + 2 * Pace.BETWEEN_NANOS) / 1_000_000;
        for (long passed = 0; passed < patience; passed += Bench.TICK_MILLIS) {
            wide.alice.told.removeIf(tell -> tell.to() != living.allocator.session());
            Pair.exchange(wide.alice, living);
            wide.passMillis(Bench.TICK_MILLIS);
            carol.tick();
        }
        assertEquals(5, living.allocator.segmentsOwned(), "its share, and what the other one did not take");
    }

    private static void holdTables(Bench bench) {
        bench.decideCommands(send -> {
            if (send.command() instanceof StoreTables) {
                bench.held.add(send);
            } else {
                bench.execute(send);
            }
        });
    }

    /** One receiver turns out to be stopping; while its segment is being stored the others find another soon. */
    @Test
    void aTableThatIsBeingStoredHoldsUpNobodyElse() {
        var wide = wide(8);
        var carol = new Bench(wide.store, wide.clock, "carol");
        carol.tick();
        holdTables(wide.alice);
        stop(wide);
        boolean isCarol = wide.alice.told.get(0).to() == carol.allocator.session();
        var leaving = isCarol ? carol : wide.bob;
        var living = isCarol ? wide.bob : carol;
        wide.store.execute(new Leave(leaving.allocator.session()));
        for (int tick = 0; tick < 100; tick++) {
            var own = List.copyOf(wide.alice.told);
            wide.alice.told.clear();
            for (var tell : own) {
                var to = tell.to() == living.allocator.session() ? living : leaving;
                to.hear(wide.alice, tell.message());
                to.told.forEach(answer -> wide.alice.hear(to, answer.message()));
                to.told.clear();
            }
            wide.passMillis(Bench.TICK_MILLIS);
            carol.tick();
        }
        assertEquals(1, wide.alice.countHeld(StoreTables.class));
        assertEquals(7, living.allocator.segmentsOwned());
    }

    /** What it has are copies for itself: who is offered the segment now has none of them yet. */
    @Test
    void whatAFormerReceiverSaysLateSealsNothing() {
        var carol = new Bench(pair.store, pair.clock, "carol");
        carol.tick();
        alice.request(3, 7);
        stopAlice();
        var offered = alice.told.stream()
                .filter(tell -> tell.message().segment().equals(new SegmentId(1, 0)))
                .findFirst()
                .orElseThrow();
        var late = offered.to() == carol.allocator.session() ? carol : bob;
        var living = late == carol ? bob : carol;
        late.hear(alice, offered.message());
        alice.told.removeIf(tell -> tell.to() == late.allocator.session());
        Pair.exchange(alice, living);
        for (long passed = 0; passed < Departures.COPYING_NANOS / 1_000_000; passed += Bench.TICK_MILLIS) {
            pair.passMillis(Bench.TICK_MILLIS);
            carol.tick();
        }
        assertTrue(alice.tells(PeerMessage.Pages.class), "it is offered to the other one");
        late.told.forEach(tell -> alice.hear(late, tell.message()));
        late.told.clear();
        assertEquals(8, alice.next(3), "and served");
        Pair.exchange(alice, living);
        living.wake();
        assertTrue(alice.allocator.stopped());
        assertEquals(9, living.next(3));
    }

    /** It was at work, or a connection broke. */
    @Test
    void aReceiverThatMissesOnePieceGetsTheRestOfItsShare() {
        var wide = wide(4);
        stop(wide);
        wide.alice.told.clear();
        wide.passMillis(Departures.COPYING_NANOS / 1_000_000);
        for (int tick = 0; tick < 10; tick++) {
            wide.exchange();
            wide.passMillis(Bench.TICK_MILLIS);
        }
        assertTrue(wide.alice.allocator.stopped());
        assertEquals(3, wide.bob.allocator.segmentsOwned(), "but for the one that is stored");
    }

    @Test
    void withNobodyElseTheCountersAreStored() {
        bob.allocator.close(pair.clock.now());
        bob.wake();
        alice.request(3, 7);
        alice.decideCommands(send -> {
            alice.held.add(send);
            alice.execute(send);
        });
        stopAlice();
        assertTrue(alice.allocator.stopped());
        assertEquals(1, alice.countHeld(StoreTables.class));
        assertEquals(0, alice.countHeld(HandOver.class));
    }

    @Test
    void segmentsOfManyPagesGoOneAfterTheOtherAndAreServedUntilTheirTurn() {
        var wide = wide(2);
        long to = wide.bob.allocator.session();
        wide.alice.allocator.handOver(List.of(new SegmentId(1, 0), new SegmentId(1, 1)), to, wide.clock.now());
        wide.alice.tick();
        assertEquals(1, wide.alice.told.size(), "the other one waits");
        assertEquals(2, wide.alice.next(WIDE), "and is served");
        wide.exchange();
        wide.alice.tick();
        wide.exchange();
        wide.bob.wake();
        assertEquals(2, wide.bob.next(0));
        assertEquals(3, wide.bob.next(WIDE));
    }

    @Test
    void equalSharesGoToThoseThatOwnLeast() {
        var carol = new Bench(pair.store, pair.clock, "carol");
        carol.tick();
        pair.handOver(0);
        alice.wake();
        var ids = IntStream.range(1, 10)
                .mapToObj(index -> new SegmentId(1, index))
                .toList();
        var shares = Heirs.of(pair.store.view(), heir -> heir != alice.allocator.session(), ids);
        // Bob has segment 0 already.
        assertEquals(every(2, ids.subList(0, 9)), shares.get(carol.allocator.session()));
        assertEquals(every(2, ids.subList(1, 9)), shares.get(bob.allocator.session()));
    }

    private static List<SegmentId> every(int distance, List<SegmentId> ids) {
        return IntStream.range(0, ids.size())
                .filter(place -> place % distance == 0)
                .mapToObj(ids::get)
                .toList();
    }
}
