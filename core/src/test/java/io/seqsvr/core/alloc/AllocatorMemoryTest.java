package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.namespace.SegmentId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An allocator whose memory for counters is used up: users who have one are served as ever, others get no number. */
class AllocatorMemoryTest {
    private final Bench bench = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES), new TestClock(), "alloc-1", 1);

    @BeforeEach
    void oneUserTakesAllOfIt() {
        bench.tick();
        bench.assign(0, 1);
        assertEquals(0, bench.allocator.counterMemory().kept(), "segments without users take nothing");
        assertEquals(1, bench.next(3));
    }

    @Test
    void whoeverHasACounterIsServedAndNobodyElse() {
        bench.assertRefused(Refusal.TOO_MANY_USERS, 4);
        bench.assertRefused(Refusal.TOO_MANY_USERS, 13);
        assertEquals(2, bench.next(3));
        var refused = assertInstanceOf(Answer.Refused.class, bench.request(13, 1));
        assertTrue(refused.message().startsWith("user 13 was never served here"), refused::message);
        assertFalse(refused.refusal().passes(), "callers do not try it over and over");
    }

    @Test
    void whatNeedsNoCounterIsAnswered() {
        assertEquals(0, bench.current(13).seq());
        assertInstanceOf(Answer.Lifted.class, bench.raiseFloor(13, 0));
        Bench.assertRefused(Refusal.TOO_MANY_USERS, bench.raiseFloor(13, 5));
        assertInstanceOf(Answer.Lifted.class, bench.raiseFloor(3, 50));
        assertEquals(51, bench.next(3));
    }

    @Test
    void aCallOfAFrameIsRefusedByItself() {
        var calls = new FrameCalls();
        calls.namespaceName("messages");
        for (long uid : new long[] {3, 13, 3}) {
            calls.uids().add(uid);
        }
        var frame = bench.allocator.frame(calls, bench.clock.now());
        bench.carryOut();
        var answers = bench.allocator.release(frame, bench.clock.now());
        assertEquals(2, answers.seqs().get(0));
        assertEquals(0, answers.seqs().get(1));
        assertEquals(3, answers.seqs().get(2));
        assertEquals(Refusal.TOO_MANY_USERS, answers.refusals().get(0).first().refusal());
    }

    @Test
    void memoryComesBackWithTheSegment() {
        assertTrue(bench.allocator.counterMemory().kept() > 0);
        bench.allocator.close(bench.clock.now());
        bench.carryOut();
        assertEquals(0, bench.allocator.counterMemory().kept());
    }

    private Bench ownerOfTheFifth() {
        var owner = new Bench(bench.store, bench.clock, "alloc-2");
        owner.tick();
        owner.assign(5, 5);
        assertEquals(1, owner.next(50));
        bench.wake();
        owner.wake();
        return owner;
    }

    @Test
    void whoHasNoMemoryForTheCountersLeavesThemToTheirOwner() {
        var owner = ownerOfTheFifth();
        owner.handOver(5, bench.allocator.session());
        Pair.exchange(owner, bench);
        bench.wake();
        assertFalse(bench.allocator.owns(new SegmentId(1, 5)));
        assertEquals(2, owner.next(50));
    }

    @Test
    void aStopGoesToOneThatHasMemory() {
        var owner = ownerOfTheFifth();
        var heir = new Bench(bench.store, bench.clock, "alloc-3");
        heir.tick();
        // So it would be the other's turn first.
        heir.assign(6, 9);
        owner.wake();
        owner.allocator.stop(bench.clock.now());
        owner.wake();
        for (int ticks = 0; ticks < 1_000 && !owner.allocator.stopped(); ticks++) {
            exchange(owner, heir);
            bench.clock.passMillis(Bench.TICK_MILLIS);
            owner.tick();
            bench.tick();
            heir.tick();
        }
        heir.wake();
        assertEquals(2, heir.next(50), "without a gap");
    }

    private void exchange(Bench owner, Bench heir) {
        while (!owner.told.isEmpty()) {
            var told = List.copyOf(owner.told);
            owner.told.clear();
            for (var tell : told) {
                (tell.to() == heir.allocator.session() ? heir : bench).hear(owner, tell.message());
            }
            for (var other : List.of(bench, heir)) {
                var said = List.copyOf(other.told);
                other.told.clear();
                said.forEach(tell -> owner.hear(other, tell.message()));
            }
        }
    }

    /** There was memory when its copies came. */
    @Test
    void aTableThatDoesNotFitBeginsAboveWhatWasGivenOut() {
        var heir = new Bench(bench.store, bench.clock, "alloc-3", 130);
        heir.tick();
        heir.assign(6, 6);
        var owner = ownerOfTheFifth();
        owner.handOver(5, heir.allocator.session());
        heir.hear(owner, owner.takeTold(PeerMessage.Pages.class));
        assertEquals(1, heir.next(60));
        owner.hear(heir, heir.takeTold(PeerMessage.PagesTaken.class));
        heir.hear(owner, owner.takeTold(PeerMessage.TableSealed.class));
        owner.hear(heir, heir.takeTold(PeerMessage.TableTaken.class));
        heir.wake();
        assertTrue(heir.allocator.owns(new SegmentId(1, 5)));
        heir.assertRefused(Refusal.TOO_MANY_USERS, 50);
        assertTrue(heir.current(50).seq() >= 1);
    }
}
