package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.TestClock;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables that came from others and that nobody may use yet: their memory is bounded. */
class ArrivalsTest {
    private static final long FROM = 7;
    /** One user on a page takes some 93 bytes. */
    private static final long TWO_TABLES = 200;

    private final TestClock clock = new TestClock();
    private final AllocatorOutbox out = new AllocatorOutbox();
    private final Arrivals arrivals = new Arrivals(out, TWO_TABLES, Guards.ALL);

    private void arrive(int segment, int pages) {
        arriveInPart(segment, pages);
        seal(segment, pages);
    }

    private void seal(int segment, int pages) {
        arrivals.sealed(
                FROM,
                new PeerMessage.TableSealed(
                        new SegmentId(1, segment), counters(pages).outline()),
                clock.now());
    }

    private void pass(long nanos) {
        clock.passMillis(nanos / 1_000_000);
        arrivals.tick(clock.now());
    }

    private static SegmentCounters counters(int pages) {
        var counters = new SegmentCounters(1, 0, 10_000, 100 * 1_024, Long.MAX_VALUE);
        for (int page = 0; page < pages; page++) {
            counters.take(page * 1_024, 5);
        }
        return counters;
    }

    private void arriveInPart(int segment, int pages) {
        var copies = new PeerMessage.Pages(
                new SegmentId(1, segment), 1, counters(pages).table().pages());
        arrivals.pages(FROM, copies, true, clock.now());
        // Said twice, it takes the memory once.
        arrivals.pages(FROM, copies, true, clock.now());
    }

    private List<Integer> usable(int... segments) {
        var usable = new ArrayList<Integer>();
        for (int segment : segments) {
            var claimed = new ClaimedSegment(new SegmentId(1, segment), 2, 5, true, 10_000, false);
            arrivals.take(claimed).ifPresent(table -> usable.add(segment));
        }
        return usable;
    }

    /** Its owner keeps the segment, and offers it again: nobody loses anything. */
    @Test
    void whatThereIsNoRoomForIsNotConfirmedAndWhatWasConfirmedIsKept() {
        arrive(1, 1);
        arriveInPart(2, 1);
        out.takeEffects();
        arrive(3, 1);
        assertEquals(List.of(), out.takeEffects());
        seal(2, 1);
        assertEquals(List.of(1, 2), usable(1, 2, 3));
    }

    @Test
    void whatNobodySpeaksOfAnyMoreMakesRoom() {
        arrive(1, 1);
        arriveInPart(2, 1);
        pass(Arrivals.COMING_NANOS);
        arrive(3, 1);
        arrive(4, 1);
        assertEquals(List.of(1, 3), usable(1, 2, 3, 4));
        arrive(5, 1);
        arrive(6, 1);
        pass(Arrivals.CLAIMED_NANOS);
        arrive(7, 1);
        assertEquals(List.of(7), usable(5, 6, 7));
    }

    /** Of an owner that gave up before: late, or doubled on a bad link. */
    @Test
    void copiesOfAnEarlierEpochDoNotReplaceThoseOfALaterOne() {
        var segment = new SegmentId(1, 1);
        var table = new SegmentCounters(5, 0, 10_000, 100 * 1_024, Long.MAX_VALUE);
        table.take(3, 5);
        arrivals.pages(FROM, new PeerMessage.Pages(segment, 5, table.table().pages()), true, clock.now());
        arriveInPart(1, 1);
        arrivals.sealed(FROM, new PeerMessage.TableSealed(segment, table.outline()), clock.now());
        var claimed = new ClaimedSegment(segment, 6, 5, true, 10_000, false);
        assertEquals(5, arrivals.take(claimed).orElseThrow().epoch());
    }

    /** Such a one may be a damaged message of none, and would keep the segment out for ever. */
    @Test
    void whatHasNotGoneOnForAWhileIsReplacedWhateverItsEpoch() {
        var copies = counters(1).table().pages();
        arrivals.pages(FROM, new PeerMessage.Pages(new SegmentId(1, 1), 69, copies), true, clock.now());
        clock.passMillis(Arrivals.PATIENCE_NANOS / 1_000_000);
        arrive(1, 1);
        assertEquals(List.of(1), usable(1));
    }

    @Test
    void whatWasUsedMakesRoom() {
        for (int segment = 0; segment < 10; segment++) {
            arrive(segment, 1);
            arrive(segment + 100, 1);
            assertEquals(List.of(segment, segment + 100), usable(segment, segment + 100));
        }
    }

    @Test
    void aLargeOneIsTakenAlone() {
        arrive(1, 1);
        arrive(2, 50);
        assertEquals(List.of(1), usable(1, 2));
        arrive(2, 50);
        assertEquals(List.of(2), usable(2));
    }

    /** What comes after a seal cannot be told from what comes before: within twice the memory all of it is taken. */
    @Test
    void ofThoseThatGrowTogetherTheFirstGoesOn() {
        arriveInPart(1, 1);
        arriveInPart(2, 1);
        out.takeEffects();
        arriveInPart(2, 50);
        assertEquals(List.of(), out.takeEffects());
        arriveInPart(1, 50);
        seal(1, 50);
        assertEquals(List.of(1), usable(1));
    }

    @Test
    void copiesThatAreNotConfirmedTakeNoRoom() {
        var copies = counters(50).table().pages();
        arrivals.pages(FROM, new PeerMessage.Pages(new SegmentId(1, 1), 1, copies), false, clock.now());
        arrive(2, 1);
        arrive(3, 1);
        assertEquals(List.of(2, 3), usable(1, 2, 3));
    }
}
