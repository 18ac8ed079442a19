package io.seqsvr.core.store;

import io.seqsvr.core.lease.BySession;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All that StoreSvr knows, as the log made it. It changes by {@link #apply} alone; every map is sorted, so that each
 * replica sees the same order.
 */
public final class StoreState {
    private static final SegmentId LAST_ID = new SegmentId(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private @Nullable Cluster cluster;
    private final NavigableMap<Integer, Namespace> namespaces = new TreeMap<>();
    private final BySession<Session> sessions;
    private final NavigableMap<SegmentId, SegmentRecord> segments;
    /** What each session owns, and did not give back; none in a copy until it is asked for. */
    private @Nullable Map<Long, NavigableSet<Assigned>> owned;

    private final NavigableMap<SegmentId, StoredTable> tables = new TreeMap<>();
    private long storedUsers;

    /** Kept until a segment moves: most of what a watch shows are sessions that come and go. */
    private @Nullable RouteTable routes;

    private @Nullable RouteTable released;

    /** Nothing. */
    public StoreState() {
        this(new TreeMap<>());
    }

    /** Nothing, to keep segments in an empty map. */
    StoreState(NavigableMap<SegmentId, SegmentRecord> segments) {
        this(new BySession<>(), segments);
        owned = new HashMap<>();
    }

    private StoreState(BySession<Session> sessions, NavigableMap<SegmentId, SegmentRecord> segments) {
        this.sessions = sessions;
        this.segments = segments;
    }

    /** Takes one row in. */
    public void apply(StoreChange change) {
        if (change instanceof StoreChange.PutSegment put) {
            var before = segments.put(put.segment().id(), put.segment());
            if (before == null || !before.isShownAs(put.segment())) {
                routes = null;
                released = null;
            }
            if (owned != null && (before == null || !isOwnedAs(before, put.segment()))) {
                disown(owned, before);
                own(owned, put.segment());
            }
        } else if (change instanceof StoreChange.PutSession put) {
            sessions.put(put.session().id(), put.session());
        } else if (change instanceof StoreChange.RemoveSession remove) {
            sessions.remove(remove.session());
        } else if (change instanceof StoreChange.PutNamespace put) {
            namespaces.put(put.namespace().id(), put.namespace());
        } else if (change instanceof StoreChange.PutCluster put) {
            cluster = put.cluster();
        } else if (change instanceof StoreChange.PutTable put) {
            removed(tables.put(put.table().segment(), put.table()));
            storedUsers += put.table().table().served();
        } else if (change instanceof StoreChange.RemoveTable remove) {
            removed(tables.remove(remove.segment()));
        } else {
            throw new IllegalStateException("unknown change " + change);
        }
    }

    /** A segment in the order in which its owner got it. */
    private record Assigned(long stamp, SegmentId id) implements Comparable<Assigned> {
        Assigned(SegmentRecord segment) {
            this(segment.assignedAt(), segment.id());
        }

        @Override
        public int compareTo(Assigned other) {
            int byStamp = Long.compare(stamp, other.stamp);
            return byStamp != 0 ? byStamp : id.compareTo(other.id);
        }
    }

    private static boolean isOwnedAs(SegmentRecord one, SegmentRecord other) {
        return one.isShownAs(other) && one.assignedAt() == other.assignedAt();
    }

    private static void own(Map<Long, NavigableSet<Assigned>> owned, SegmentRecord segment) {
        if (segment.isAssigned() && !segment.isReleased()) {
            owned.computeIfAbsent(segment.owner(), first -> new TreeSet<>()).add(new Assigned(segment));
        }
    }

    private static void disown(Map<Long, NavigableSet<Assigned>> owned, @Nullable SegmentRecord segment) {
        if (segment != null) {
            owned.computeIfPresent(
                    segment.owner(), (session, its) -> its.remove(new Assigned(segment)) && its.isEmpty() ? null : its);
        }
    }

    private void removed(@Nullable StoredTable table) {
        storedUsers -= table == null ? 0 : table.table().served();
    }

    /** The same state apart from this one: a backup. */
    public StoreState copy() {
        var copy = new StoreState(new BySession<>(sessions), new TreeMap<>(segments));
        copy.cluster = cluster;
        copy.namespaces.putAll(namespaces);
        copy.tables.putAll(tables);
        copy.storedUsers = storedUsers;
        return copy;
    }

    /** The cluster, once CreateCluster was applied. */
    public Optional<Cluster> cluster() {
        return Optional.ofNullable(cluster);
    }

    /** A namespace by id. */
    public Optional<Namespace> namespace(int id) {
        return Optional.ofNullable(namespaces.get(id));
    }

    /** All namespaces, by id. */
    public Collection<Namespace> namespaces() {
        return Collections.unmodifiableCollection(namespaces.values());
    }

    /** A session, while it is open. */
    public Optional<Session> session(long id) {
        return Optional.ofNullable(sessions.get(id));
    }

    /** The same without an object around it: for the way of a renewal. */
    @Nullable
    Session openSession(long id) {
        return sessions.get(id);
    }

    @Nullable
    Cluster createdCluster() {
        return cluster;
    }

    /** All open sessions, oldest first. */
    public Collection<Session> sessions() {
        return sessions.values();
    }

    /** A segment that was assigned at least once, or got a floor. */
    public Optional<SegmentRecord> segment(SegmentId id) {
        return Optional.ofNullable(segments.get(id));
    }

    /** All segments that were assigned at least once or got a floor, in order. */
    public Collection<SegmentRecord> segments() {
        return Collections.unmodifiableCollection(segments.values());
    }

    /**
     * Segments that were assigned to a session last and that it did not give back, as they were assigned; the session
     * may have ended.
     *
     * @param since those only that were assigned after this stamp
     * @param most the first so many of them
     */
    List<SegmentRecord> owned(long session, long since, int most) {
        if (owned == null) {
            owned = new HashMap<>();
            for (var segment : segments.values()) {
                own(owned, segment);
            }
        }
        var its = owned.get(session);
        return its == null
                ? List.of()
                : its.tailSet(new Assigned(since, LAST_ID), false).stream()
                        .limit(most)
                        .map(assigned -> segments.get(assigned.id()))
                        .toList();
    }

    /** The exact counters that are kept for a segment, if any. */
    public Optional<StoredTable> table(SegmentId id) {
        return Optional.ofNullable(tables.get(id));
    }

    /** Users of whom the tables that are kept say something. */
    public long storedUsers() {
        return storedUsers;
    }

    /** The durable bound of a segment, with or without a record, while its namespace and the cluster exist. */
    public long maxSeq(SegmentId id) {
        return segmentOrFresh(id).maxSeq();
    }

    /** The segment's record as the next change finds it; the caller has seen that its namespace exists. */
    SegmentRecord segmentOrFresh(SegmentId id) {
        var segment = segments.get(id);
        return segment != null
                ? segment
                : SegmentRecord.fresh(
                        id, cluster().orElseThrow(), namespace(id.namespaceId()).orElseThrow());
    }

    /** Who owns what, at the version of the last command that moved a segment. */
    public RouteTable routes() {
        var kept = current(routes, SegmentRecord::isAssigned);
        routes = kept;
        return kept;
    }

    /** What its owner gave back and nobody got since: a mark beside the table. */
    public RouteTable released() {
        var kept = current(released, SegmentRecord::isReleased);
        released = kept;
        return kept;
    }

    private RouteTable current(@Nullable RouteTable kept, Predicate<SegmentRecord> shown) {
        long version = cluster == null ? 0 : cluster.tableVersion();
        return kept != null && kept.version() == version ? kept : table(version, shown);
    }

    private RouteTable table(long version, Predicate<SegmentRecord> shown) {
        var table = new RouteTable.Builder();
        for (var segment : segments.values()) {
            if (!shown.test(segment)) {
                continue;
            }
            var index = segment.id().index();
            table.add(new RouteRange(segment.id().namespaceId(), index, index, segment.owner(), segment.epoch()));
        }
        return table.build(version);
    }
}
