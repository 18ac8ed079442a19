package io.seqsvr.core.store;

import io.seqsvr.core.namespace.Namespace;
import java.util.List;
import java.util.Optional;

/** Everything that a state holds, to compare one moment with another. */
record Rows(
        Optional<Cluster> cluster,
        List<Namespace> namespaces,
        List<Session> sessions,
        List<SegmentRecord> segments,
        List<StoredTable> tables) {
    static Rows of(StoreState state) {
        return new Rows(
                state.cluster(),
                List.copyOf(state.namespaces()),
                List.copyOf(state.sessions()),
                List.copyOf(state.segments()),
                state.segments().stream()
                        .flatMap(segment -> state.table(segment.id()).stream())
                        .toList());
    }
}
