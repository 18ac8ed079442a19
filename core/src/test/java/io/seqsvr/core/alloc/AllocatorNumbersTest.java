package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a caller gets from an allocator whose store answers: sequences, or a typed "no" that takes none. */
class AllocatorNumbersTest {
    @Test
    void firstSequenceOfAUserIsOne() {
        var bench = Bench.serving(0, 1);
        assertEquals(new Answer.Range(3, 1, 1, 1), bench.request(3, 1));
        assertEquals(new Answer.Range(13, 1, 1, 1), bench.request(13, 1));
    }

    @Test
    void sequencesGrowByOneThroughManyRaises() {
        var bench = Bench.serving(0, 0);
        for (long expected = 1; expected <= 10_000; expected++) {
            assertEquals(expected, bench.next(3));
        }
        assertEquals(1, bench.next(4));
    }

    @Test
    void aRangeTellsItsFirstAndItsLast() {
        var bench = Bench.serving(0, 0);
        assertEquals(new Answer.Range(3, 1, 20, 1), bench.request(3, 20));
        assertEquals(new Answer.Range(3, 21, 21, 1), bench.request(3, 1));
        assertEquals(new Answer.Range(3, 22, 31, 1), bench.request(3, 10));
    }

    @Test
    void aSequenceNeverPassesTheDurableMaxSeq() {
        var bench = Bench.serving(0, 0);
        for (int i = 0; i < 2_000; i++) {
            var range = assertInstanceOf(Answer.Range.class, bench.request(i % 10, 1 + i % 7));
            assertTrue(range.last() <= bench.store.segment(1, 0).maxSeq());
        }
    }

    @Test
    void anUnknownNamespaceIsNamed() {
        var bench = Bench.serving(0, 0);
        var step = assertInstanceOf(Step.Refused.class, bench.allocator.next("mesages", 3, 1, 0, 0, bench.clock.now()));
        assertEquals(new Answer.Refused(Refusal.NAMESPACE_UNKNOWN, "there is no namespace 'mesages'"), step.answer());
    }

    @Test
    void aUidOutsideTheNamespaceIsNamedAsUnsigned() {
        var bench = Bench.serving(0, 9);
        bench.assertRefused(Refusal.UID_OUT_OF_RANGE, 100);
        assertEquals(
                new Answer.Refused(
                        Refusal.UID_OUT_OF_RANGE, "uid is 18446744073709551615; namespace 'messages' holds 0 to 99"),
                bench.request(-1, 1));
        assertEquals(1, bench.next(99));
    }

    @Test
    void aCountOutsideItsBoundsTakesNothing() {
        var bench = Bench.serving(0, 0);
        for (long count : new long[] {0, -1, 1_001, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Bench.assertRefused(Refusal.COUNT_OUT_OF_BOUNDS, bench.request(3, count));
        }
        assertEquals(1, bench.next(3));
    }

    @Test
    void aSegmentOfAnotherOwnerIsRefused() {
        var bench = Bench.serving(0, 0);
        bench.assertRefused(Refusal.NOT_OWNER, 10);
        assertEquals(1, bench.next(9));
    }

    @Test
    void anAllocatorThatHasLearnedNothingIsNotReady() {
        var bench = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES), new TestClock(), "alloc-1");
        bench.assertRefused(Refusal.NOT_READY, 3);
        bench.wake();
        bench.assertRefused(Refusal.NOT_READY, 3);
        bench.tick();
        bench.assertRefused(Refusal.NOT_OWNER, 3);
        assertFalse(bench.allocator.ready(bench.clock.now()));
        bench.assign(0, 0);
        assertTrue(bench.allocator.ready(bench.clock.now()));
        assertEquals(1, bench.next(3));
    }

    @Test
    void theLastSequencesOfASmallNamespaceAreServedAndThenNoMore() {
        var small = new Namespace(1, "messages", 100, 10, 100, 1_000, 250);
        var bench = new Bench(new FakeStore(Bench.LEASE, small), new TestClock(), "alloc-1");
        bench.tick();
        bench.assign(0, 0);
        for (long expected = 1; expected <= 248; expected++) {
            assertEquals(expected, bench.next(3));
        }
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, bench.request(3, 3));
        assertEquals(new Answer.Range(3, 249, 250, 1), bench.request(3, 2));
        bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, 3);
        assertEquals(1, bench.next(4));
        assertEquals(250, bench.store.segment(1, 0).maxSeq());
    }

    @Test
    void tenMoreNearTheGreatestLongAreRefusedAndFiveMoreAreServed() {
        var bench = Bench.serving(0, 0);
        long session = bench.allocator.session();
        var item = new StoreCommand.RaiseItem(new SegmentId(1, 0), 1, Long.MAX_VALUE - 5);
        bench.store.execute(new StoreCommand.Raise(session, List.of(item)));
        bench.store.expire(session);
        bench.passMillis(1_000);
        bench.assign(0, 0);
        Bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, bench.request(3, 10));
        assertEquals(new Answer.Range(3, Long.MAX_VALUE - 4, Long.MAX_VALUE, 2), bench.request(3, 5));
        bench.assertRefused(Refusal.SEQUENCE_EXHAUSTED, 3);
        assertEquals(new Answer.Reading(3, Long.MAX_VALUE, true, 2), bench.current(3));
    }

    @Test
    void aSequenceIsNeverZero() {
        var bench = Bench.serving(0, 9);
        for (long uid = 0; uid < 100; uid++) {
            assertEquals(1, bench.next(uid));
        }
    }
}
