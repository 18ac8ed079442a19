package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import java.util.HashMap;
import java.util.Map;

/** Sealed tables that their receivers have not confirmed: as long as these may wait, this process has to be there. */
final class UntakenTables {
    private final Map<SegmentId, Untaken> tables = new HashMap<>();

    private record Untaken(long epoch, ClockReading since) {}

    /** One was told. */
    void add(PeerMessage.TableSealed message, ClockReading now) {
        tables.put(message.segment(), new Untaken(message.epoch(), now));
    }

    /** The receiver has the whole table. */
    void taken(PeerMessage.TableTaken message) {
        var table = tables.get(message.segment());
        if (table != null && table.epoch == message.epoch()) {
            tables.remove(message.segment());
        }
    }

    /** The receiver will not need it. */
    void remove(SegmentId segment) {
        tables.remove(segment);
    }

    /** Time passes: by then no receiver waits any more. */
    void tick(ClockReading now) {
        if (!tables.isEmpty()) {
            tables.values().removeIf(table -> now.monotonicSince(table.since) >= Arrivals.PATIENCE_NANOS);
        }
    }

    boolean isEmpty() {
        return tables.isEmpty();
    }

    void clear() {
        tables.clear();
    }
}
