package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A segment while this allocator owns it: its counters, the lease of the session under which it was claimed, and the
 * requests that wait for its max_seq to cover their numbers.
 *
 * <p>Invariant: once sealed or dropped, it is never served again; a later epoch of the segment is another object.
 */
public final class LoadedSegment {
    private final SegmentId id;
    private Namespace namespace;
    private final SegmentCounters counters;
    private HolderLease lease;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private boolean raising;
    private boolean sealed;
    private boolean dropped;
    private boolean givenBack;
    /** The frame that touched it last, and this segment's ordinal in it; negative: its calls go the long way. */
    private long touchedIn;

    private int ordinal;
    /** The frame that named an epoch of it last, and the greatest that it named. */
    private long namedIn;

    private long leastEpoch;

    /**
     * A request whose numbers are taken: it waits for max_seq to cover them, or, in QUORUM order, for a confirmation.
     */
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

    /** The namespace's settings as they are now. */
    void learn(Namespace settings) {
        namespace = settings;
        counters.allow(settings.maxSequence());
    }

    SegmentCounters counters() {
        return counters;
    }

    HolderLease lease() {
        return lease;
    }

    /** Only where the guard is missing that binds a segment to the lease under which it was claimed. */
    void adopt(HolderLease other) {
        lease = other;
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

    /** Whether it answers nothing more in this epoch; final. */
    boolean sealed() {
        return sealed;
    }

    void seal() {
        sealed = true;
    }

    /** Only where the guard is missing that makes a seal final. */
    void unseal() {
        sealed = false;
    }

    boolean touchedIn(long frame) {
        return touchedIn == frame;
    }

    int ordinal() {
        return ordinal;
    }

    void touch(long frame, int newOrdinal) {
        touchedIn = frame;
        ordinal = newOrdinal;
    }

    /** A frame takes no answer of an older epoch from this segment. */
    void leastEpoch(long frame, long epoch) {
        leastEpoch = namedIn == frame ? Math.max(leastEpoch, epoch) : epoch;
        namedIn = frame;
    }

    /** The least epoch that a frame takes, 0 for any. */
    long leastEpochIn(long frame) {
        return namedIn == frame ? leastEpoch : 0;
    }

    boolean dropped() {
        return dropped;
    }

    void drop() {
        dropped = true;
    }

    /**
     * Whether StoreSvr's log took it back, or gave it to another allocator, with a {@code high} that covers every
     * number that was taken here: all of them were this owner's to take.
     */
    boolean givenBack() {
        return givenBack;
    }

    void giveBack() {
        givenBack = true;
    }
}
