package io.seqsvr.core.store;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;

/**
 * The durable truth about one segment that was assigned at least once, or got a floor, in this life of the cluster or
 * in a former one.
 *
 * <p>Invariants: {@code epoch} grows by one with each assignment; {@code maxSeq} never goes down; no sequence above
 * {@code maxSeq} was ever handed out in the segment, none above {@code base} before this epoch.
 *
 * @param id the segment
 * @param epoch the fencing token: the number of its assignments so far, above {@link Incarnation#epochBefore}
 * @param owner session to which it was assigned last; it may have ended since; 0 before the first assignment
 * @param base where the epoch starts
 * @param handedBy session of the former owner whose {@code high} the base is; 0 if the base is a former max_seq
 * @param maxSeq upper bound of what its owner may hand out
 * @param assignedAt stamp of the command that began the epoch
 * @param release whether the owner gave the epoch back
 */
public record SegmentRecord(
        SegmentId id,
        long epoch,
        long owner,
        long base,
        long handedBy,
        long maxSeq,
        long assignedAt,
        ReleaseMark release) {
    /**
     * A segment that has no record: never assigned and never given a floor in this life of the cluster. In a former
     * one it may have been, which the cluster's floor allows for.
     */
    static SegmentRecord fresh(SegmentId id, Cluster cluster, Namespace namespace) {
        long floor = Math.min(cluster.floor(), namespace.maxSequence());
        return unassigned(id, Incarnation.epochBefore(cluster.incarnation()), floor);
    }

    /** A segment that nobody owned in this life of the cluster yet, with nothing handed out above {@code maxSeq}. */
    static SegmentRecord unassigned(SegmentId id, long epoch, long maxSeq) {
        return new SegmentRecord(id, epoch, 0, maxSeq, 0, maxSeq, 0, ReleaseMark.NONE);
    }

    SegmentRecord raisedTo(long newMaxSeq) {
        return new SegmentRecord(id, epoch, owner, base, handedBy, newMaxSeq, assignedAt, release);
    }

    SegmentRecord released(ReleaseMark newRelease) {
        return new SegmentRecord(id, epoch, owner, base, handedBy, maxSeq, assignedAt, newRelease);
    }

    /** Whether a table of routes, or of what was given back, shows both of a segment's records alike. */
    boolean isShownAs(SegmentRecord other) {
        return owner == other.owner && epoch == other.epoch && isReleased() == other.isReleased();
    }

    /** Whether it was ever assigned in this life of the cluster. */
    boolean isAssigned() {
        return owner != 0;
    }

    /** Whether the owner gave the epoch back. */
    public boolean isReleased() {
        return !release.equals(ReleaseMark.NONE);
    }

    /** Whether the epoch starts at the {@code high} of the one before, so that a hand-over table may fit it. */
    public boolean startsFromHigh() {
        return handedBy != 0;
    }
}
