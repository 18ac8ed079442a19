package io.seqsvr.core.store;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;

/**
 * Exact counters of a segment that nobody was there to take: kept until the epoch after theirs ends.
 *
 * @param segment the segment
 * @param table its counters as they were sealed
 */
public record StoredTable(SegmentId segment, CounterTable table) {
    /** Tables of more users together are not kept: the gap is allowed then. */
    static final int MAX_USERS = 1 << 20;

    /** Whether the segment's present epoch begins where the table ends. */
    boolean fits(SegmentRecord present) {
        return table.epoch() + 1 == present.epoch() && present.startsFromHigh() && table.high() == present.base();
    }
}
