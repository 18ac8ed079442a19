package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A segment while this allocator owns it: its counters, the lease of the session under which it was claimed, and the
 * requests that wait for its raise.
 *
 * <p>Invariant: once dropped, it is never served again; a later epoch of the segment is another object.
 */
public final class LoadedSegment {
    private final SegmentId id;
    private final Namespace namespace;
    private final SegmentCounters counters;
    private final HolderLease lease;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private boolean raising;
    private boolean dropped;

    /** A request whose numbers are taken, but not durable yet. */
    record Waiter(long ticket, long seq, Answer answer) {}

    LoadedSegment(SegmentId id, Namespace namespace, SegmentCounters counters, HolderLease lease) {
        this.id = id;
        this.namespace = namespace;
        this.counters = counters;
        this.lease = lease;
    }

    SegmentId id() {
        return id;
    }

    Namespace namespace() {
        return namespace;
    }

    SegmentCounters counters() {
        return counters;
    }

    HolderLease lease() {
        return lease;
    }

    Deque<Waiter> waiters() {
        return waiters;
    }

    /** Whether a raise of this segment is wanted or under way; at most one is. */
    boolean raising() {
        return raising;
    }

    void raising(boolean now) {
        raising = now;
    }

    boolean dropped() {
        return dropped;
    }

    void drop() {
        dropped = true;
    }
}
