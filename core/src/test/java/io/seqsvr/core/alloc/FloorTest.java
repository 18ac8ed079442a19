package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreReply.FloorRaised;
import io.seqsvr.core.store.StoreReply.FloorRefused;
import io.seqsvr.core.store.StoreReply.Rejected;
import org.junit.jupiter.api.Test;

/** Lifting users: by the owner, by a request's least number, and at StoreSvr where there is no owner. */
class FloorTest {
    private static final long MOST = Long.MAX_VALUE;
    private static final SegmentId SEGMENT = new SegmentId(1, 0);

    private final Bench bench = Bench.serving(0, 0);

    private static Bench serving(Namespace namespace) {
        var bench = new Bench(new FakeStore(Bench.LEASE, namespace), new TestClock(), "alloc-1");
        bench.tick();
        bench.assign(0, 0);
        return bench;
    }

    /** A step of 100, jumps of at most 1,000. */
    private static Namespace jumping(long maxSequence) {
        return new Namespace(1, "messages", 100, 10, Keying.DIRECT, Order.LEASE, 100, 1_000, 1_000, maxSequence);
    }

    @Test
    void theNextSequenceIsAboveTheFloorAndOtherUsersStay() {
        bench.request(3, 7);
        assertEquals(new Answer.Lifted(3, 50, 1), bench.raiseFloor(3, 50));
        assertEquals(51, bench.next(3));
        assertEquals(1, bench.next(4));
    }

    @Test
    void aFloorBelowTheUserChangesNothing() {
        bench.request(3, 7);
        assertEquals(new Answer.Lifted(3, 7, 1), bench.raiseFloor(3, 5));
        assertEquals(new Answer.Lifted(3, 7, 1), bench.raiseFloor(3, 7));
        assertEquals(new Answer.Reading(3, 7, true, 1), bench.current(3));
        assertEquals(new Answer.Lifted(4, 0, 1), bench.raiseFloor(4, 0));
        assertEquals(new Answer.Reading(4, 0, true, 1), bench.current(4));
    }

    @Test
    void aFloorIsDurableBeforeItIsAnsweredSoThatTheNextOwnerKeepsIt() {
        bench.holdCommands();
        long ticket =
                assertInstanceOf(Step.Waiting.class, bench.floorStep(3, 500)).ticket();
        assertEquals(100, bench.store.segment(1, 0).maxSeq());
        bench.assertStillWaits(ticket);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Lifted(3, 500, 1), bench.outcome(ticket));
        assertTrue(bench.store.segment(1, 0).maxSeq() >= 500);
        bench.answerCommands();
        bench.store.expire(bench.allocator.session());
        bench.passMillis(1_500);
        bench.assign(0, 0);
        assertTrue(bench.next(3) > 500);
    }

    @Test
    void theLeaseIsCheckedAfterTheLift() {
        var step = assertInstanceOf(Step.Taken.class, bench.floorStep(3, 50));
        bench.clock.passMillis(3_000);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, bench.released(step));
    }

    @Test
    void aLiftedUserIsKnownByABoundUntilItsNextSequence() {
        bench.request(3, 7);
        bench.raiseFloor(3, 50);
        assertEquals(new Answer.Reading(3, 50, false, 1), bench.current(3));
        assertEquals(new Answer.Reading(3, 50, false, 1), bench.current(3));
        bench.next(3);
        assertEquals(new Answer.Reading(3, 51, true, 1), bench.current(3));
        bench.request(4, 1, 40, 0);
        assertEquals(new Answer.Reading(4, 40, true, 1), bench.current(4), "a number, not a floor");
    }

    @Test
    void aBoundTravelsInTheTableAsABound() {
        var pair = new Pair();
        pair.alice.request(3, 7);
        pair.alice.request(4, 7);
        pair.alice.raiseFloor(3, 50);
        pair.handOver(0);
        assertEquals(new Answer.Reading(3, 50, false, 2), pair.bob.current(3));
        assertEquals(new Answer.Reading(4, 7, true, 2), pair.bob.current(4));
        assertEquals(51, pair.bob.next(3));
        assertEquals(new Answer.Reading(3, 51, true, 2), pair.bob.current(3));
        pair.bob.handOver(0, pair.alice.allocator.session());
        pair.exchange();
        pair.alice.wake();
        assertEquals(new Answer.Reading(3, 51, true, 3), pair.alice.current(3));
    }

    @Test
    void theLeastNumberIsTheFirstOneThatComes() {
        assertEquals(new Answer.Range(3, 40, 40, 1), bench.request(3, 1, 40, 0));
        assertEquals(new Answer.Range(3, 41, 43, 1), bench.request(3, 3, 41, 0));
        assertEquals(new Answer.Range(3, 44, 44, 1), bench.request(3, 1, 10, 0));
        assertEquals(new Answer.Range(3, 45, 45, 1), bench.request(3, 1, 0, 0));
        assertEquals(new Answer.Range(3, 500, 509, 1), bench.request(3, 10, 500, 0), "above max_seq it waits");
        assertEquals(new Answer.Range(4, 1, 1, 1), bench.request(4, 1, 1, 0));
    }

    @Test
    void aLeastNumberThatIsNoNumberIsRefusedRatherThanForgotten() {
        for (long noNumber : new long[] {-1, Long.MIN_VALUE, Long.MIN_VALUE + 1}) {
            Bench.assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, bench.request(3, 1, noNumber, 0));
            Bench.assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, bench.raiseFloor(3, noNumber));
        }
        assertEquals(1, bench.next(3));
    }

    @Test
    void aCallerThatKnowsANewerEpochIsRefusedByAnOlderOne() {
        Bench.assertRefused(Refusal.NOT_OWNER, bench.request(3, 1, 0, 2));
        assertEquals(new Answer.Range(3, 1, 1, 1), bench.request(3, 1, 0, 1));
        var now = bench.clock.now();
        Bench.assertRefused(Refusal.NOT_OWNER, bench.released(bench.allocator.current("messages", 3, 2, now)));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.released(bench.allocator.raiseFloor("messages", 3, 9, 2, now)));
    }

    @Test
    void noOwnerIsAsNewAsAnEpochAboveAllThatCanBe() {
        for (long beyond : new long[] {-1, Long.MIN_VALUE}) {
            var refused = assertInstanceOf(Answer.Refused.class, bench.request(3, 1, 0, beyond));
            assertEquals(Refusal.NOT_OWNER, refused.refusal());
            assertTrue(refused.message().endsWith(" knows " + Long.toUnsignedString(beyond)), refused::message);
        }
    }

    @Test
    void aJumpThatIsTooFarIsNamedAsItWasGivenAndWithItsBound() {
        var jumper = serving(jumping(MOST));
        assertRefusedWith(
                "floor is 1101; it must lie at most max_jump 1000 above max_seq 100", jumper.raiseFloor(3, 1_101));
        assertRefusedWith(
                "at_least is 1102; it must lie at most max_jump 1000 above max_seq 100",
                jumper.request(3, 1, 1_102, 0));
        assertRefusedWith(
                "at_least is 18446744073709551615; it must lie at most max_jump 1000 above max_seq 100",
                jumper.request(3, 1, -1, 0));
        var shortOne = serving(jumping(500));
        assertRefusedWith("floor is 501; it lies above max_sequence 500", shortOne.raiseFloor(3, 501));
        assertRefusedWith("at_least is 502; it lies above max_sequence 500", shortOne.request(3, 1, 502, 0));
    }

    private static void assertRefusedWith(String message, Answer answer) {
        assertEquals(message, assertInstanceOf(Answer.Refused.class, answer).message());
    }

    @Test
    void aJumpIsBoundedAboveTheDurableMaxSeq() {
        var jumper = serving(jumping(MOST));
        Bench.assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, jumper.raiseFloor(3, 1_101));
        Bench.assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, jumper.request(3, 1, 1_102, 0));
        assertEquals(new Answer.Reading(3, 0, true, 1), jumper.current(3), "a refused jump lifts nobody");
        assertEquals(new Answer.Range(3, 1_101, 1_101, 1), jumper.request(3, 1, 1_101, 0));
        assertEquals(new Answer.Lifted(4, 1_100, 1), jumper.raiseFloor(4, 1_100));
        assertEquals(1, jumper.next(5));
    }

    @Test
    void jumpsNearTheGreatestLongDoNotOverflow() {
        var jumper = serving(jumping(MOST));
        for (long far : new long[] {MOST, MOST - 1, MOST - 100, MOST - 1_000, MOST / 2}) {
            Bench.assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, jumper.raiseFloor(3, far));
            Bench.assertRefused(Refusal.JUMP_OUT_OF_BOUNDS, jumper.request(3, 1_000, far, 0));
        }
        var far = serving(new Namespace(1, "messages", 100, 10, Keying.DIRECT, Order.LEASE, 100, 1_000, MOST, MOST));
        assertEquals(new Answer.Lifted(3, MOST - 5, 1), far.raiseFloor(3, MOST - 5));
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, far.request(3, 10));
        assertEquals(new Answer.Range(3, MOST - 4, MOST, 1), far.request(3, 5));
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, far.request(3, 1));
        assertEquals(new Answer.Range(4, MOST, MOST, 1), far.request(4, 1, MOST, 0));
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, far.request(5, 2, MOST, 0));
        assertEquals(new Answer.Lifted(6, MOST, 1), far.raiseFloor(6, MOST));
    }

    @Test
    void aFloorAboveMaxSequenceIsRefused() {
        var small = serving(jumping(500));
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, small.raiseFloor(3, 501));
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, small.request(3, 1, 501, 0));
        assertEquals(new Answer.Range(3, 500, 500, 1), small.request(3, 1, 500, 0));
        assertEquals(1, small.next(4));
    }

    @Test
    void aLiftThatMustWaitNeedsAPlace() {
        bench.holdCommands();
        for (int i = 0; i < Bench.MAX_WAITING; i++) {
            bench.waitFor(3, i == 0 ? 101 : 1);
        }
        Bench.assertRefused(Refusal.TOO_MANY_WAITING, bench.released(bench.floorStep(4, 150)));
        Bench.assertRefused(Refusal.TOO_MANY_WAITING, bench.released(bench.floorStep(3, 50)));
        assertEquals(Bench.MAX_WAITING, bench.allocator.waiting());
        assertEquals(new Answer.Lifted(4, 50, 1), bench.released(bench.floorStep(4, 50)));
    }

    @Test
    void aFloorAtStoreSvrIsForSegmentsWithoutAnOwner() {
        long session = bench.allocator.session();
        assertEquals(new FloorRefused(session), bench.store.execute(new RaiseFloor(SEGMENT, 5_000)));
        assertEquals(1, bench.next(3));
        bench.store.expire(session);
        assertEquals(new FloorRaised(5_000), bench.store.execute(new RaiseFloor(SEGMENT, 5_000)));
        assertEquals(new FloorRaised(5_000), bench.store.execute(new RaiseFloor(SEGMENT, 4_000)));
        bench.passMillis(1_500);
        bench.assign(0, 0);
        assertEquals(5_001, bench.next(3));
        assertEquals(5_001, bench.next(9));
    }

    @Test
    void aFloorMayComeBeforeTheFirstOwner() {
        var id = new SegmentId(1, 7);
        assertEquals(new FloorRaised(700), bench.store.execute(new RaiseFloor(id, 700)));
        assertTrue(bench.store.view().routes().find(1, 7).isEmpty(), "it has no owner yet");
        bench.assign(7, 7);
        assertEquals(new Answer.Range(73, 701, 701, 1), bench.request(73, 1));
    }

    @Test
    void floorsThatCannotBeAreRejected() {
        for (long floor : new long[] {0, -1, Long.MIN_VALUE}) {
            assertInstanceOf(Rejected.class, bench.store.execute(new RaiseFloor(new SegmentId(1, 7), floor)));
        }
        for (var id : new SegmentId[] {new SegmentId(1, 10), new SegmentId(1, -1), new SegmentId(2, 0)}) {
            assertInstanceOf(Rejected.class, bench.store.execute(new RaiseFloor(id, 5)));
        }
    }

    @Test
    void readingsOfAHashedNamespaceAreBoundsButZeroIsExact() {
        var hashed = serving(new Namespace(1, "messages", 1, 1, Keying.HASHED, Order.LEASE, 100, 1_000, 1_000, MOST));
        assertEquals(new Answer.Reading(-5, 0, true, 1), hashed.current(-5));
        assertEquals(1, hashed.next(-5));
        assertEquals(2, hashed.next(8_000_000_000L), "both share the only counter");
        assertEquals(new Answer.Reading(-5, 2, false, 1), hashed.current(-5), "not the last one of this user");
        assertEquals(3, hashed.next(-5));
    }

    @Test
    void aSegmentThatIsLoadedLaterKnowsItsFloor() {
        bench.holdCommands();
        bench.store.execute(new RaiseFloor(new SegmentId(1, 1), 900));
        bench.assign(1, 1);
        bench.execute(bench.takeHeld(Claim.class));
        for (long uid = 10; uid < 20; uid++) {
            assertEquals(new Answer.Reading(uid, 900, false, 1), bench.current(uid));
            assertEquals(901, bench.next(uid));
        }
    }
}
