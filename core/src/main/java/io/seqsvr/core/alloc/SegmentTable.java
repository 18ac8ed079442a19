package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The segments that this allocator serves, and the namespaces that it knows.
 *
 * <p>Invariant: an epoch of a segment is loaded at most once in the life of the process: the highest epoch seen is kept
 * for ever, and only a higher one is loaded. So a late answer to a Claim never revives counters.
 */
final class SegmentTable {
    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final Map<Integer, Namespace> namespacesById = new HashMap<>();
    private final Map<SegmentId, LoadedSegment> loaded = new HashMap<>();
    private final Map<SegmentId, Long> highestEpochs = new HashMap<>();

    void learn(List<Namespace> seen) {
        for (var namespace : seen) {
            namespaces.put(namespace.name(), namespace);
            namespacesById.put(namespace.id(), namespace);
        }
    }

    /** Whether this epoch of the segment was never loaded and is newer than all that were. */
    boolean isNew(ClaimedSegment claimed) {
        return claimed.epoch() > highestEpochs.getOrDefault(claimed.segment(), 0L);
    }

    void load(ClaimedSegment claimed, HolderLease lease) {
        var namespace = namespacesById.get(claimed.segment().namespaceId());
        if (namespace == null) {
            throw new IllegalStateException("claimed " + claimed + " of a namespace that no answer named");
        }
        if (!isNew(claimed) || loaded.containsKey(claimed.segment())) {
            throw new IllegalStateException("claimed " + claimed + " twice");
        }
        var counters = new SegmentCounters(
                claimed.epoch(),
                claimed.base(),
                claimed.maxSeq(),
                namespace.usersIn(claimed.segment().index()),
                namespace.maxSequence());
        highestEpochs.put(claimed.segment(), claimed.epoch());
        loaded.put(claimed.segment(), new LoadedSegment(claimed.segment(), namespace, counters, lease));
    }

    void drop(LoadedSegment segment) {
        segment.drop();
        loaded.remove(segment.id());
    }

    Optional<Namespace> namespace(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    boolean knowsNamespaces() {
        return !namespaces.isEmpty();
    }

    Optional<LoadedSegment> find(SegmentId id) {
        return Optional.ofNullable(loaded.get(id));
    }

    Collection<LoadedSegment> all() {
        return List.copyOf(loaded.values());
    }

    int size() {
        return loaded.size();
    }
}
