package io.seqsvr.storesvr;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoredTable;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything that a state or a database holds, to compare one with another.
 *
 * @param cluster the cluster's row
 * @param namespaces all namespaces
 * @param sessions all open sessions
 * @param segments all segments that were assigned or got a floor
 * @param tables all exact counters that are kept
 */
public record Rows(
        Optional<Cluster> cluster,
        List<Namespace> namespaces,
        List<Session> sessions,
        List<SegmentRecord> segments,
        List<StoredTable> tables) {
    /** Nothing at all. */
    public static final Rows NONE = of(new StoreState());

    /**
     * What a checkpoint holds.
     *
     * @param rows all its rows
     * @param applied the last entry in them
     */
    public record At(Rows rows, Applied applied) {}

    /** The rows of a state. */
    public static Rows of(StoreState state) {
        return new Rows(
                state.cluster(),
                List.copyOf(state.namespaces()),
                List.copyOf(state.sessions()),
                List.copyOf(state.segments()),
                state.segments().stream()
                        .flatMap(segment -> state.table(segment.id()).stream())
                        .toList());
    }

    /** The last renewal of every open session. */
    public static Map<Long, Long> renewals(Replica replica) {
        return replica.look(state -> {
            var renewals = new TreeMap<Long, Long>();
            state.sessions().forEach(session -> renewals.put(session.id(), session.renewal()));
            return renewals;
        });
    }

    /** The rows of a checkpoint, read with a database opened on it. */
    public static At inCheckpoint(Path checkpoint) throws IOException {
        try (var database = StoreDatabase.open(checkpoint)) {
            var state = new StoreState();
            database.load(state);
            return new At(of(state), database.applied());
        }
    }
}
