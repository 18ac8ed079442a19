package io.seqsvr.core.store;

import io.seqsvr.core.namespace.SegmentId;

/**
 * The durable truth about one segment that was assigned at least once, or got a floor.
 *
 * <p>Invariants: {@code epoch} grows by one with each assignment; {@code maxSeq} never goes down; no sequence above
 * {@code maxSeq} was ever handed out in the segment, none above {@code base} before this epoch.
 *
 * @param id the segment
 * @param epoch number of its assignments so far: the fencing token; 0 before the first
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
    /** A segment that was never assigned and never given a floor. */
    static SegmentRecord fresh(SegmentId id) {
        return new SegmentRecord(id, 0, 0, 0, 0, 0, 0, ReleaseMark.NONE);
    }

    SegmentRecord raisedTo(long newMaxSeq) {
        return new SegmentRecord(id, epoch, owner, base, handedBy, newMaxSeq, assignedAt, release);
    }

    SegmentRecord released(ReleaseMark newRelease) {
        return new SegmentRecord(id, epoch, owner, base, handedBy, maxSeq, assignedAt, newRelease);
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
