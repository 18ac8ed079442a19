package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.namespace.SegmentId;
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

    @Test
    void aTableThatDoesNotFitBeginsAboveWhatWasGivenOut() {
        var clock = bench.clock;
        var other = new Bench(bench.store, clock, "alloc-2");
        other.tick();
        other.assign(5, 5);
        assertEquals(1, other.next(50));
        bench.wake();
        other.wake();
        other.handOver(5, bench.allocator.session());
        bench.hear(other, other.takeTold(PeerMessage.Pages.class));
        other.hear(bench, bench.takeTold(PeerMessage.PagesTaken.class));
        bench.hear(other, other.takeTold(PeerMessage.TableSealed.class));
        other.hear(bench, bench.takeTold(PeerMessage.TableTaken.class));
        bench.wake();
        assertTrue(bench.allocator.owns(new SegmentId(1, 5)));
        bench.assertRefused(Refusal.TOO_MANY_USERS, 50);
        assertTrue(bench.current(50).seq() >= 1);
    }
}
