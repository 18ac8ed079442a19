package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoredTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sealed counters on their way to StoreSvr, where nobody else is there to take them. One command at a time is under
 * way.
 */
final class StoringTables {
    private static final long AGAIN_NANOS = 50_000_000;

    private final AllocatorOutbox out;
    private final Deque<StoredTable> wanted = new ArrayDeque<>();
    private final List<StoredTable> unfit = new ArrayList<>();
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
    boolean add(StoredTable stored) {
        int users = stored.table().served();
        if (users > StoreCommand.MAX_TABLE_USERS) {
            unfit.add(stored);
            return false;
        }
        if (users > 0) {
            wanted.add(stored);
        }
        return users > 0;
    }

    void flush(long session, ClockReading now) {
        unfit.forEach(stored -> report(session, stored));
        unfit.clear();
        if (wanted.isEmpty() || underWay || (failedAt != null && now.longestSince(failedAt) < AGAIN_NANOS)) {
            return;
        }
        var batch = new ArrayList<StoredTable>();
        int users = 0;
        for (var next = wanted.peek();
                next != null
                        && batch.size() < StoreCommand.MAX_SEGMENTS
                        && users + next.table().served() <= StoreCommand.MAX_TABLE_USERS;
                next = wanted.peek()) {
            batch.add(wanted.remove());
            users += next.table().served();
        }
        underWay = true;
        out.send(new StoreCommand.StoreTables(session, batch), now);
    }

    void answered() {
        underWay = false;
        failedAt = null;
    }

    /** What still waits of the command under way goes with the next one. */
    void failed(List<StoredTable> waiting, ClockReading now) {
        underWay = false;
        failedAt = now;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            wanted.addFirst(waiting.get(i));
        }
    }

    /** The users of a segment will go on above its {@code high}, not where they stand. */
    void report(long session, StoredTable stored) {
        out.report(new AllocatorEvent.CountersNotStored(
                session,
                stored.segment().namespaceId(),
                stored.segment().index(),
                stored.table().epoch(),
                stored.table().served()));
    }

    void clear() {
        wanted.clear();
        unfit.clear();
        underWay = false;
        failedAt = null;
    }
}
