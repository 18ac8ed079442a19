package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoredTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sealed counters on their way to StoreSvr, where nobody else is there to take them. One command at a time is under
 * way, and only its tables are copied: the last allocator to stop may have a heap full of counters.
 */
final class StoringTables {
    private final AllocatorOutbox out;
    private final Map<SegmentId, Wanted> wanted = new LinkedHashMap<>();
    private boolean underWay;
    private final RetryPause pause = new RetryPause(RetryPause.FOR_SEGMENTS_NANOS);

    /** A segment whose table is to be sent; sealed, so what it amounts to does not change. */
    private record Wanted(LoadedSegment segment, int users, long mostBytes) {
        static Wanted of(LoadedSegment segment) {
            var counters = segment.counters();
            int users = counters.outline().served();
            return new Wanted(segment, users, CounterTable.mostBytes(counters.touchedPages(), users));
        }

        StoredTable table() {
            return new StoredTable(segment.id(), segment.counters().table());
        }
    }

    StoringTables(AllocatorOutbox out) {
        this.out = out;
    }

    /**
     * Queues a table.
     *
     * @return whether there is anything to store: not for users that all stand at the {@code high} of their segment,
     *     where the next epoch starts without a table, and not for more users than a command takes
     */
    boolean add(long session, LoadedSegment segment) {
        var next = Wanted.of(segment);
        if (next.users() > StoreCommand.MAX_TABLE_USERS || next.mostBytes() > StoreCommand.MAX_TABLE_BYTES) {
            report(session, next);
            return false;
        }
        if (next.users() > 0) {
            wanted.put(segment.id(), next);
        }
        return next.users() > 0;
    }

    /** A segment waits for its table no longer: it is not sent any more; if it is under way, that may be in vain. */
    void giveUp(long session, LoadedSegment segment) {
        wanted.remove(segment.id());
        report(session, Wanted.of(segment));
    }

    void flush(long session, ClockReading now) {
        if (wanted.isEmpty() || underWay || pause.isOn(now)) {
            return;
        }
        var batch = new ArrayList<Wanted>();
        int users = 0;
        long bytes = 0;
        for (var next : wanted.values()) {
            users += next.users();
            bytes += next.mostBytes();
            if (batch.size() == StoreCommand.MAX_SEGMENTS
                    || users > StoreCommand.MAX_TABLE_USERS
                    || bytes > StoreCommand.MAX_TABLE_BYTES) {
                break;
            }
            batch.add(next);
        }
        batch.forEach(next -> wanted.remove(next.segment().id()));
        underWay = true;
        out.send(
                new StoreCommand.StoreTables(
                        session, batch.stream().map(Wanted::table).toList()),
                now);
    }

    void answered() {
        underWay = false;
        pause.clear();
    }

    /** What still waits of the command under way is sent again. */
    void failed(List<LoadedSegment> waiting, ClockReading now) {
        underWay = false;
        pause.failed(now);
        waiting.forEach(segment -> wanted.put(segment.id(), Wanted.of(segment)));
    }

    /** The users of a segment will go on above its {@code high}, not where they stand. */
    private void report(long session, Wanted given) {
        var segment = given.segment();
        out.report(new AllocatorEvent.CountersNotStored(
                session,
                segment.id().namespaceId(),
                segment.id().index(),
                segment.counters().epoch(),
                given.users()));
    }

    void clear() {
        wanted.clear();
        underWay = false;
        pause.clear();
    }
}
