package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoredTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sealed counters on their way to StoreSvr, where nobody else is there to take them. One command at a time is under
 * way.
 */
final class StoringTables {
    private static final long AGAIN_NANOS = 50_000_000;
    /** Of the tables in one command: it must stay below the 1 MiB that StoreSvr takes. */
    private static final long MOST_BYTES = 1_000_000;

    private final AllocatorOutbox out;
    private final Map<SegmentId, StoredTable> wanted = new LinkedHashMap<>();
    private boolean underWay;
    private @Nullable ClockReading failedAt;

    StoringTables(AllocatorOutbox out) {
        this.out = out;
    }

    /**
     * Queues a table.
     *
     * @return whether there is anything to store: not for users that all stand at the {@code high} of their segment,
     *     where the next epoch starts without a table, and not for more users than a command takes
     */
    boolean add(long session, StoredTable stored) {
        int users = stored.table().served();
        if (users > StoreCommand.MAX_TABLE_USERS || stored.table().mostBytes() > MOST_BYTES) {
            report(session, stored);
            return false;
        }
        if (users > 0) {
            wanted.put(stored.segment(), stored);
        }
        return users > 0;
    }

    /** A segment waits for its table no longer: it is not sent any more; if it is under way, that may be in vain. */
    void giveUp(long session, StoredTable stored) {
        wanted.remove(stored.segment());
        report(session, stored);
    }

    void flush(long session, ClockReading now) {
        if (wanted.isEmpty() || underWay || (failedAt != null && now.longestSince(failedAt) < AGAIN_NANOS)) {
            return;
        }
        var batch = new ArrayList<StoredTable>();
        int users = 0;
        long bytes = 0;
        for (var next : wanted.values()) {
            users += next.table().served();
            bytes += next.table().mostBytes();
            if (batch.size() == StoreCommand.MAX_SEGMENTS
                    || users > StoreCommand.MAX_TABLE_USERS
                    || bytes > MOST_BYTES) {
                break;
            }
            batch.add(next);
        }
        batch.forEach(stored -> wanted.remove(stored.segment()));
        underWay = true;
        out.send(new StoreCommand.StoreTables(session, batch), now);
    }

    void answered() {
        underWay = false;
        failedAt = null;
    }

    /** What still waits of the command under way is sent again. */
    void failed(List<StoredTable> waiting, ClockReading now) {
        underWay = false;
        failedAt = now;
        waiting.forEach(stored -> wanted.put(stored.segment(), stored));
    }

    /** The users of a segment will go on above its {@code high}, not where they stand. */
    private void report(long session, StoredTable stored) {
        out.report(new AllocatorEvent.CountersNotStored(
                session,
                stored.segment().namespaceId(),
                stored.segment().index(),
                stored.table().epoch(),
                stored.table().served()));
    }

    void clear() {
        wanted.clear();
        underWay = false;
        failedAt = null;
    }
}
