package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claimed segments that are not served yet, as their exact counters are still to come. They wait so long and no longer.
 *
 * <p>Invariant: a segment leaves here once, with its table or without; what comes later finds nothing.
 */
final class PendingSegments {
    private final long patienceNanos;
    private final Map<SegmentId, Pending> pending = new LinkedHashMap<>();

    /** A segment that waits for its table. */
    record Pending(ClaimedSegment claimed, HolderLease lease, ClockReading since) {}

    /**
     * None yet.
     *
     * @param patienceNanos how long a segment waits for its table; then its users go on above the segment's
     *     {@code high}
     */
    PendingSegments(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    void add(ClaimedSegment claimed, HolderLease lease, ClockReading now) {
        pending.put(claimed.segment(), new Pending(claimed, lease, now));
    }

    /** It waits no longer: its table has come, or never will, or a newer epoch of it was claimed. */
    Optional<Pending> remove(SegmentId segment) {
        return Optional.ofNullable(pending.remove(segment));
    }

    Optional<Pending> find(SegmentId segment) {
        return Optional.ofNullable(pending.get(segment));
    }

    /** In the order in which they were claimed. */
    Collection<Pending> all() {
        return Collections.unmodifiableCollection(pending.values());
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Those that have waited for long enough: they wait no longer. */
    List<Pending> overdue(ClockReading now) {
        if (pending.isEmpty()) {
            return List.of();
        }
        var overdue = pending.values().stream()
                .filter(one -> now.monotonicSince(one.since()) >= patienceNanos)
                .toList();
        overdue.forEach(one -> pending.remove(one.claimed().segment()));
        return overdue;
    }

    void clear() {
        pending.clear();
    }
}
