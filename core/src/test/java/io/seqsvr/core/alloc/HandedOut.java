package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every range that ever left an allocator. The mark is kept over sessions, processes and moves: for each user, ranges
 * never overlap, and each lies above all that had left before its request began.
 */
final class HandedOut {
    private final Map<Long, TreeMap<Long, Long>> rangesOf = new HashMap<>();
    private final Map<Long, Long> highestOf = new HashMap<>();

    /** Greatest sequence that was handed out or shown to anybody. */
    long highest(long uid) {
        return highestOf.getOrDefault(uid, 0L);
    }

    /**
     * An answer leaves.
     *
     * @param floor the user's {@link #highest} when the request began
     * @param durable max_seq of the user's segment at StoreSvr now
     */
    void leaves(Answer answer, long floor, long durable) {
        if (answer instanceof Answer.Range range) {
            leaves(range, floor, durable);
        } else if (answer instanceof Answer.Reading reading) {
            assertTrue(reading.seq() >= floor, () -> reading + " though " + floor + " was known before");
            assertTrue(reading.seq() <= durable, () -> reading + " above max_seq " + durable);
            highestOf.merge(reading.uid(), reading.seq(), Math::max);
        } else if (answer instanceof Answer.Lifted lift) {
            assertTrue(lift.seq() >= floor, () -> lift + " though " + floor + " was asked for");
            assertTrue(lift.seq() <= durable, () -> lift + " above max_seq " + durable);
            lifted(lift.uid(), lift.seq());
        }
    }

    /** From now on every request gets more than this. */
    void lifted(long uid, long floor) {
        highestOf.merge(uid, floor, Math::max);
    }

    private void leaves(Answer.Range range, long floor, long durable) {
        assertTrue(range.first() >= 1 && range.last() >= range.first(), range::toString);
        assertTrue(range.first() > floor, () -> range + " though " + floor + " was known before the request began");
        assertTrue(range.last() <= durable, () -> range + " above max_seq " + durable);
        var ranges = rangesOf.computeIfAbsent(range.uid(), uid -> new TreeMap<>());
        var below = ranges.floorEntry(range.last());
        assertTrue(below == null || below.getValue() < range.first(), () -> range + " overlaps " + below);
        ranges.put(range.first(), range.last());
        highestOf.merge(range.uid(), range.last(), Math::max);
    }
}
