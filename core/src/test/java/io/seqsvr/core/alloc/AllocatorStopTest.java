package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.FetchTables;
import io.seqsvr.core.store.StoreCommand.Leave;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clean stop with nobody there to take over: counters wait in StoreSvr, and the next owner leaves no gap. */
class AllocatorStopTest {
    private final Bench bench = Bench.serving(0, 9);

    private void stop(Bench which) {
        which.allocator.stop(which.clock.now());
        which.wake();
    }

    /** The process that starts next, on the same store. */
    private static Bench heir(Bench of) {
        var heir = new Bench(of.store, of.clock, "heir");
        heir.tick();
        return heir;
    }

    private static Bench serving(Bench heir) {
        heir.assign(0, 9);
        return heir;
    }

    /** All but the fetching of tables is answered at once. */
    private static void holdFetches(Bench heir) {
        heir.decideCommands(send -> {
            if (send.command() instanceof FetchTables) {
                heir.held.add(send);
            } else {
                heir.execute(send);
            }
        });
    }

    @Test
    void theNextOwnerGoesOnWhereEachUserStoodWithoutAGap() {
        bench.request(3, 7);
        bench.request(4, 2);
        bench.raiseFloor(13, 50);
        stop(bench);
        assertTrue(bench.allocator.stopped());
        var heir = serving(heir(bench));
        assertEquals(new Answer.Range(3, 8, 8, 2), heir.request(3, 1));
        assertEquals(new Answer.Range(4, 3, 3, 2), heir.request(4, 1));
        assertEquals(new Answer.Range(5, 1, 1, 2), heir.request(5, 1));
        assertEquals(new Answer.Reading(13, 50, false, 2), heir.current(13));
        assertEquals(1, heir.next(14));
        assertEquals(1, heir.next(23), "a segment that nobody touched");
        assertTrue(heir.current(24).exact(), "nobody was ever served there");
    }

    @Test
    void stopAfterStopLeavesNoGapEither() {
        var owner = bench;
        for (int i = 1; i <= 5; i++) {
            assertEquals(i, owner.next(3));
            assertEquals(2L * i - 1, owner.next(13));
            assertEquals(2L * i, owner.next(13));
            stop(owner);
            owner = new Bench(bench.store, bench.clock, "owner-" + i);
            owner.tick();
            owner.assign(0, 9);
        }
    }

    @Test
    void everythingIsServedUntilStoreSvrGivesTheSessionNothingMore() {
        bench.holdCommands();
        stop(bench);
        var leave = bench.takeHeld(Leave.class);
        assertEquals(1, bench.next(3));
        bench.lose(leave);
        assertEquals(2, bench.next(3), "an unknown outcome seals nothing");
        bench.passMillis(50);
        bench.answerCommands();
        bench.execute(bench.takeHeld(Leave.class));
        assertTrue(bench.allocator.stopped());
        assertEquals(3, serving(heir(bench)).next(3));
    }

    @Test
    void whatWasGivenBeforeTheLeaveIsGivenBackToo() {
        var late = Bench.serving(0, 4);
        late.holdCommands();
        stop(late);
        late.store.publish(new StoreCommand.Move(1, 5, 9, late.allocator.session()));
        late.execute(late.takeHeld(Leave.class));
        assertEquals(0, late.countHeld(StoreTables.class), "not before everything is claimed");
        late.answerCommands();
        late.execute(late.takeHeld(Claim.class));
        assertTrue(late.allocator.stopped());
        for (int segment = 0; segment < 10; segment++) {
            assertTrue(late.store.segment(1, segment).isReleased(), "segment " + segment);
        }
    }

    @Test
    void aPlanGivesALeavingSessionNothing() {
        bench.holdCommands();
        stop(bench);
        bench.execute(bench.takeHeld(Leave.class));
        assertEquals(List.of(), bench.store.view().receivers());
    }

    @Test
    void tablesAreStoredBeforeTheReleaseAndTheSessionEndsAfterIt() {
        bench.request(3, 7);
        bench.request(13, 1);
        bench.holdCommands();
        stop(bench);
        bench.execute(bench.takeHeld(Leave.class));
        bench.execute(bench.takeHeld(Claim.class));
        assertEquals(
                8,
                ((Release) bench.takeHeld(Release.class).command()).items().size(),
                "who has nothing to store need not wait");
        assertEquals(0, bench.countHeld(Release.class));
        var store = bench.takeHeld(StoreTables.class);
        assertEquals(2, ((StoreTables) store.command()).tables().size());
        bench.assertRefused(Refusal.NOT_OWNER, 3);
        bench.execute(store);
        assertEquals(0, bench.countHeld(CloseSession.class));
        bench.execute(bench.takeHeld(Release.class));
        assertEquals(0, bench.countHeld(CloseSession.class), "eight of ten were never told");
    }

    @Test
    void requestsThatWaitForARaiseAreAnsweredByTheRelease() {
        bench.holdCommands();
        long ticket = bench.waitFor(3, 150);
        bench.takeHeld(Raise.class);
        bench.answerCommands();
        stop(bench);
        assertEquals(new Answer.Range(3, 1, 150, 1), bench.outcome(ticket));
        assertEquals(151, serving(heir(bench)).next(3));
    }

    @Test
    void ifStoreSvrDoesNotTakeTheTablesTheSegmentsGoWithoutThem() {
        bench.request(3, 7);
        bench.request(4, 2);
        bench.decideCommands(send -> {
            if (send.command() instanceof StoreTables) {
                bench.lose(send);
            } else {
                bench.execute(send);
            }
        });
        long session = bench.allocator.session();
        stop(bench);
        assertFalse(bench.allocator.stopped());
        bench.passMillis(2_100);
        assertTrue(bench.allocator.stopped());
        assertEquals(
                List.of(new AllocatorEvent.CountersNotStored(session, 1, 0, 1, 2)),
                bench.events(AllocatorEvent.CountersNotStored.class),
                "a gap is told");
        var heir = serving(heir(bench));
        assertEquals(8, heir.next(4), "above the greatest counter of the segment, not above max_seq");
        assertEquals(9, heir.next(4));
    }

    @Test
    void aTableWhoseSegmentIsGivenBackWithoutItIsNotSentAnyMore() {
        bench.request(3, 7);
        bench.holdCommands();
        stop(bench);
        bench.execute(bench.takeHeld(Leave.class));
        bench.execute(bench.takeHeld(Claim.class));
        bench.lose(bench.takeHeld(StoreTables.class));
        bench.passMillis(1_990);
        bench.lose(bench.takeHeld(StoreTables.class));
        bench.passMillis(100);
        assertEquals(0, bench.countHeld(StoreTables.class));
        assertEquals(2, bench.countHeld(Release.class));
    }

    @Test
    void aTableOfTooManyUsersIsNotSentAndTold() {
        int users = StoreCommand.MAX_TABLE_USERS + 1;
        var store =
                new FakeStore(Bench.LEASE, new Namespace(1, "messages", 2L * users, users, 100, 1_000, Long.MAX_VALUE));
        var wide = new Bench(store, new TestClock(), "alloc-1");
        wide.tick();
        wide.assign(0, 1);
        for (int uid = 0; uid < users; uid++) {
            wide.request(uid, 1);
        }
        wide.request(users, 5);
        long session = wide.allocator.session();
        stop(wide);
        assertEquals(
                List.of(new AllocatorEvent.CountersNotStored(session, 1, 0, 1, users)),
                wide.events(AllocatorEvent.CountersNotStored.class));
        var heir = heir(wide);
        heir.assign(0, 1);
        assertEquals(2, heir.next(0), "all stood at the same place by chance");
        assertEquals(6, heir.next(users));
        assertEquals(1, heir.next(users + 1));
    }

    /** A user who is far from all others takes three times as many bytes: StoreSvr would refuse so long a command. */
    @Test
    void tablesOfLoneUsersGoInShorterCommands() {
        int size = 10_000_000;
        var store =
                new FakeStore(Bench.LEASE, new Namespace(1, "messages", 4L * size, size, 100, 1_000, Long.MAX_VALUE));
        var wide = new Bench(store, new TestClock(), "alloc-1");
        wide.tick();
        wide.assign(0, 3);
        for (long uid = 0; uid < 4L * size; uid += 1_024) {
            wide.request(uid, 1 + (int) (uid % 3));
        }
        wide.holdCommands();
        stop(wide);
        wide.execute(wide.takeHeld(Leave.class));
        wide.execute(wide.takeHeld(Claim.class));
        for (int commands = 0; commands < 2; commands++) {
            var held = wide.takeHeld(StoreTables.class);
            assertEquals(2, ((StoreTables) held.command()).tables().size());
            wide.execute(held);
        }
        assertEquals(0, wide.countHeld(StoreTables.class));
    }

    @Test
    void aSegmentIsNotServedBeforeItsTableHasCome() {
        bench.request(3, 7);
        bench.request(4, 2);
        stop(bench);
        var heir = heir(bench);
        holdFetches(heir);
        serving(heir);
        heir.assertRefused(Refusal.NOT_READY, 4);
        assertEquals(1, heir.next(13), "the others are served at once");
        assertFalse(heir.allocator.ready(heir.clock.now()));
        var fetch = heir.takeHeld(FetchTables.class);
        heir.lose(fetch);
        heir.passMillis(50);
        heir.execute(heir.takeHeld(FetchTables.class));
        assertEquals(3, heir.next(4));
    }

    @Test
    void aTableThatComesTooLateIsDropped() {
        bench.request(3, 7);
        bench.request(4, 2);
        stop(bench);
        var heir = heir(bench);
        holdFetches(heir);
        serving(heir);
        var fetch = heir.takeHeld(FetchTables.class);
        heir.passMillis(2_100);
        assertEquals(8, heir.next(4));
        heir.execute(fetch);
        assertEquals(9, heir.next(4));
    }

    @Test
    void aFloorBetweenErasesTheTable() {
        bench.request(3, 7);
        bench.request(4, 2);
        stop(bench);
        bench.store.execute(new StoreCommand.RaiseFloor(new SegmentId(1, 0), 5_000));
        assertEquals(5_001, serving(heir(bench)).next(4));
    }

    @Test
    void aSessionThatIsGoneWhileStoppingIsNotReplaced() {
        bench.holdCommands();
        stop(bench);
        bench.store.expire(bench.allocator.session());
        bench.execute(bench.takeHeld(Leave.class));
        assertTrue(bench.allocator.stopped());
        bench.passMillis(10_000);
        assertEquals(List.of(), bench.held);
    }

    @Test
    void whoHasNoSessionStopsAtOnce() {
        var idle = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES), new TestClock(), "idle");
        idle.allocator.stop(idle.clock.now());
        assertTrue(idle.allocator.stopped());
    }

    @Test
    void stoppingInAHurryDropsWhatWasNotGivenBack() {
        bench.request(3, 7);
        bench.holdCommands();
        stop(bench);
        bench.allocator.close(bench.clock.now());
        bench.wake();
        assertTrue(bench.allocator.stopped());
        bench.execute(bench.takeHeld(CloseSession.class));
        assertEquals(101, serving(heir(bench)).next(3));
    }
}
