package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claimed segments whose exact counters StoreSvr keeps: they are not served before the table has come, or was waited
 * for long enough. One command at a time is under way.
 *
 * <p>Invariant: a segment leaves here once, with its table or without; what comes later finds nothing.
 */
final class FetchingTables {
    /** How long a segment waits for its table; then its users go on above the segment's {@code high}. */
    static final long PATIENCE_NANOS = 2_000_000_000;

    private static final long AGAIN_NANOS = 50_000_000;

    private final AllocatorOutbox out;
    private final Map<SegmentId, Pending> pending = new LinkedHashMap<>();
    private Optional<ClockReading> failedAt = Optional.empty();
    private boolean underWay;

    /** A segment that waits for its table. */
    record Pending(ClaimedSegment claimed, HolderLease lease, ClockReading since) {}

    /** A segment that waits no longer. */
    record Decided(Pending pending, Optional<CounterTable> table) {}

    FetchingTables(AllocatorOutbox out) {
        this.out = out;
    }

    void add(ClaimedSegment claimed, HolderLease lease, ClockReading now) {
        pending.put(claimed.segment(), new Pending(claimed, lease, now));
    }

    /** A newer epoch of the segment was claimed. */
    void forget(SegmentId segment) {
        pending.remove(segment);
    }

    boolean isPending(SegmentId segment) {
        return pending.containsKey(segment);
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    void flush(long session, ClockReading now) {
        if (pending.isEmpty()
                || underWay
                || failedAt.filter(at -> now.longestSince(at) < AGAIN_NANOS).isPresent()) {
            return;
        }
        var holdings = pending.values().stream()
                .limit(StoreCommand.MAX_SEGMENTS)
                .map(one -> new StoreCommand.Holding(
                        one.claimed().segment(), one.claimed().epoch()))
                .toList();
        underWay = true;
        out.send(new StoreCommand.FetchTables(session, holdings), now);
    }

    /** StoreSvr answered with tables for the first of the segments that it was asked for. */
    List<Decided> fetched(List<StoreCommand.Holding> asked, List<Optional<CounterTable>> tables) {
        underWay = false;
        failedAt = Optional.empty();
        var decided = new ArrayList<Decided>();
        for (int i = 0; i < tables.size(); i++) {
            var one = pending.get(asked.get(i).segment());
            if (one != null && one.claimed().epoch() == asked.get(i).epoch()) {
                pending.remove(asked.get(i).segment());
                decided.add(new Decided(one, tables.get(i)));
            }
        }
        return decided;
    }

    void failed(ClockReading now) {
        underWay = false;
        failedAt = Optional.of(now);
    }

    /** What has waited long enough. */
    List<Decided> overdue(ClockReading now) {
        var overdue = pending.values().stream()
                .filter(one -> now.longestSince(one.since()) >= PATIENCE_NANOS)
                .toList();
        overdue.forEach(one -> pending.remove(one.claimed().segment()));
        return overdue.stream().map(one -> new Decided(one, Optional.empty())).toList();
    }

    void clear() {
        pending.clear();
        failedAt = Optional.empty();
        underWay = false;
    }
}
