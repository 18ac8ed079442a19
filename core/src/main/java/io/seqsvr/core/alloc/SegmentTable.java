package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The segments that this allocator serves, and the namespaces that it knows.
 *
 * <p>Invariant: an epoch of a segment is loaded at most once in the life of the process: the highest epoch seen is kept
 * for ever, and only a higher one is loaded. So a late answer to a Claim never revives counters.
 */
final class SegmentTable {
    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final Map<Integer, Namespace> namespacesById = new HashMap<>();
    /** The same segments as in {@code loaded}, as frames find them. */
    private final Map<Integer, ServedNamespace> served = new HashMap<>();

    private final Map<SegmentId, LoadedSegment> loaded = new HashMap<>();
    private final Map<SegmentId, Long> highestEpochs = new HashMap<>();
    private final CounterMemory memory;
    private final Guards guards;
    /** Counters of epochs that are over: nothing, unless the guard is missing that makes them die. */
    private final Map<SegmentId, SegmentCounters> left = new HashMap<>();

    private final Map<Integer, Use> used = new HashMap<>();
    private long learnedAt;

    SegmentTable(CounterMemory memory, Guards guards) {
        this.memory = memory;
        this.guards = guards;
    }

    /**
     * Takes in all namespaces as somebody saw them. Settings never go back: of an older picture only what was unknown
     * is taken.
     *
     * @param version of what was seen
     */
    void learn(long version, List<Namespace> seen) {
        boolean newest = version >= learnedAt;
        learnedAt = Math.max(learnedAt, version);
        for (var namespace : seen) {
            if (!newest) {
                namespaces.putIfAbsent(namespace.name(), namespace);
                namespacesById.putIfAbsent(namespace.id(), namespace);
                continue;
            }
            namespaces.put(namespace.name(), namespace);
            var serving = served.get(namespace.id());
            if (serving != null) {
                serving.learn(namespace);
            }
            var known = namespacesById.put(namespace.id(), namespace);
            if (known != null && !known.equals(namespace)) {
                relearn(namespace);
            }
        }
    }

    private void relearn(Namespace settings) {
        for (var segment : loaded.values()) {
            if (segment.id().namespaceId() == settings.id()) {
                segment.learn(settings);
            }
        }
    }

    /** Whether this epoch of the segment was never loaded and is newer than all that were. */
    boolean isNew(ClaimedSegment claimed) {
        if (guards.on(Guard.EPOCH_IS_LOADED_ONCE)) {
            return claimed.epoch() > highestEpochs.getOrDefault(claimed.segment(), 0L);
        }
        var present = loaded.get(claimed.segment());
        return present == null || claimed.epoch() > present.counters().epoch();
    }

    /** Whether the epoch after this one may still be loaded here: a table of it is of use. */
    boolean mayStillCome(SegmentId segment, long epoch) {
        return epoch >= highestEpochs.getOrDefault(segment, 0L);
    }

    /** Whether every user of a table that came from elsewhere exists. */
    boolean holds(SegmentId segment, CounterTable table) {
        var namespace = namespacesById.get(segment.namespaceId());
        return namespace != null && table.fits(namespace.usersIn(segment.index()));
    }

    Beginning load(ClaimedSegment claimed, Optional<CounterTable> table, HolderLease lease) {
        var namespace = namespacesById.get(claimed.segment().namespaceId());
        if (namespace == null) {
            throw new IllegalStateException("claimed " + claimed + " of a namespace that no answer named");
        }
        if (!isNew(claimed) || loaded.containsKey(claimed.segment())) {
            throw new IllegalStateException("claimed " + claimed + " twice");
        }
        // What does not fit begins at base, as if no table had come: a gap, and nobody's end.
        var exact = table.filter(any -> !memory.isFull());
        var counters = counters(claimed, exact, namespace);
        highestEpochs.merge(claimed.segment(), claimed.epoch(), Math::max);
        var segment = new LoadedSegment(claimed.segment(), namespace, counters, lease);
        serve(segment);
        used.computeIfAbsent(namespace.id(), id -> new Use()).segments++;
        raised(segment);
        return Beginning.of(claimed, exact.isPresent());
    }

    /** Only where the guard is missing that makes an owner decide once between a table and its own base. */
    void reload(ClaimedSegment claimed, Optional<CounterTable> table) {
        var present = loaded.get(claimed.segment());
        if (present != null && present.counters().epoch() == claimed.epoch() && table.isPresent()) {
            var counters = counters(claimed, table, present.namespace());
            serve(new LoadedSegment(claimed.segment(), present.namespace(), counters, present.lease()));
        }
    }

    private void serve(LoadedSegment segment) {
        memory.keep(segment.counters().bytes());
        var former = loaded.put(segment.id(), segment);
        if (former != null) {
            memory.forget(former.counters());
        }
        served(segment.namespace()).put(segment.id().index(), segment);
    }

    private SegmentCounters counters(ClaimedSegment claimed, Optional<CounterTable> table, Namespace namespace) {
        int users = namespace.usersIn(claimed.segment().index());
        // A restore may have taken max_sequence back since the Claim was answered.
        long most = Math.max(namespace.maxSequence(), claimed.maxSeq());
        var former = left.remove(claimed.segment());
        if (former != null) {
            return SegmentCounters.continuing(claimed.epoch(), former.table(), claimed.maxSeq(), users, most);
        }
        return table.map(exact -> SegmentCounters.continuing(claimed.epoch(), exact, claimed.maxSeq(), users, most))
                .orElseGet(() -> new SegmentCounters(claimed.epoch(), claimed.base(), claimed.maxSeq(), users, most));
    }

    void drop(LoadedSegment segment) {
        segment.drop();
        if (loaded.get(segment.id()) == segment) {
            loaded.remove(segment.id());
            memory.forget(segment.counters());
            served(segment.namespace()).remove(segment.id().index());
            used.computeIfPresent(segment.id().namespaceId(), (id, use) -> --use.segments == 0 ? null : use);
        }
        if (!guards.on(Guard.COUNTERS_DIE_WITH_THEIR_EPOCH)) {
            left.put(segment.id(), segment.counters());
        }
    }

    Optional<Namespace> namespace(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    /** A namespace with its segments by index; null if there is none of that name. */
    @Nullable
    ServedNamespace served(String name) {
        var namespace = namespaces.get(name);
        return namespace == null ? null : served(namespace);
    }

    private ServedNamespace served(Namespace namespace) {
        // No lambda around the namespace where it is known: every frame asks.
        var known = served.get(namespace.id());
        if (known == null) {
            known = new ServedNamespace(namespace);
            served.put(namespace.id(), known);
        }
        return known;
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

    /** A raise of the segment was accepted. */
    void raised(LoadedSegment segment) {
        var use = used.get(segment.id().namespaceId());
        if (use != null) {
            use.furthestMaxSeq = Math.max(use.furthestMaxSeq, segment.counters().maxSeq());
        }
    }

    /** How far each namespace is used up that has a segment here. */
    List<NamespaceUse> used() {
        return used.entrySet().stream()
                .map(entry -> new NamespaceUse(
                        Objects.requireNonNull(namespacesById.get(entry.getKey())), entry.getValue().furthestMaxSeq))
                .toList();
    }

    /** Of one namespace: the segments here, and the furthest max_seq since it has some. Kept, as segments are many. */
    private static final class Use {
        private int segments;
        private long furthestMaxSeq;
    }
}
