package io.seqsvr.core.store;

import io.seqsvr.core.namespace.SegmentId;

/**
 * The durable truth about one segment that was assigned at least once.
 *
 * <p>Invariants: {@code epoch} grows by one with each assignment; {@code maxSeq} never goes down; no sequence above
 * {@code maxSeq} was ever handed out in the segment, none above {@code base} before this epoch.
 *
 * @param id the segment
 * @param epoch number of its assignments so far: the fencing token
 * @param owner session to which it was assigned last; it may have ended since
 * @param base where the epoch starts
 * @param maxSeq upper bound of what its owner may hand out
 * @param assignedAt stamp of the PublishRoutes that began the epoch
 */
public record SegmentRecord(SegmentId id, long epoch, long owner, long base, long maxSeq, long assignedAt) {
    SegmentRecord raisedTo(long newMaxSeq) {
        return new SegmentRecord(id, epoch, owner, base, newMaxSeq, assignedAt);
    }
}
