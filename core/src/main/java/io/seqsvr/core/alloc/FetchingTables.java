package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Claimed segments whose exact counters StoreSvr keeps: they are not served before the table has come, or was waited
 * for long enough. One command at a time is under way.
 */
final class FetchingTables {
    /** How long a segment waits for its table. */
    static final long PATIENCE_NANOS = 2_000_000_000;

    private final AllocatorOutbox out;
    private final PendingSegments pending;
    private final RetryPause pause = new RetryPause(RetryPause.FOR_SEGMENTS_NANOS);
    private boolean underWay;

    /** A segment that waits no longer. */
    record Decided(PendingSegments.Pending pending, Optional<CounterTable> table) {}

    /**
     * Nothing is fetched yet.
     *
     * @param pending those whose table StoreSvr keeps
     */
    FetchingTables(AllocatorOutbox out, PendingSegments pending) {
        this.out = out;
        this.pending = pending;
    }

    void flush(long session, ClockReading now) {
        if (pending.isEmpty() || underWay || pause.isOn(now)) {
            return;
        }
        var holdings = pending.all().stream()
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
        pause.clear();
        var decided = new ArrayList<Decided>();
        for (int i = 0; i < tables.size(); i++) {
            var table = tables.get(i);
            var holding = asked.get(i);
            pending.find(holding.segment())
                    .filter(one -> one.claimed().epoch() == holding.epoch())
                    .flatMap(one -> pending.remove(holding.segment()))
                    .ifPresent(one -> decided.add(new Decided(one, table)));
        }
        return decided;
    }

    void failed(ClockReading now) {
        underWay = false;
        pause.failed(now);
    }

    void clear() {
        pause.clear();
        underWay = false;
    }
}
