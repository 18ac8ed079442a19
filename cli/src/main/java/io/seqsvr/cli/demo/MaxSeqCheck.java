package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.LiveRecord;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.storeclient.SegmentFacts;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Function;

/**
 * Holds what users were shown against what StoreSvr keeps: nobody is ever given a sequence above max_seq of its
 * segment, nor told of one, and max_seq never falls.
 */
final class MaxSeqCheck {
    private final LiveRecord record;
    private final Namespace namespace;

    MaxSeqCheck(LiveRecord record, Namespace namespace) {
        this.record = record;
        this.namespace = namespace;
    }

    private record Shown(long uid, long seq) {}

    /**
     * Tells the record of each segment in which a user was shown more.
     *
     * @param store what it keeps of a segment now, if it tells
     * @return whether it told of every segment
     */
    boolean hold(Function<SegmentId, Optional<SegmentFacts>> store) {
        // Asked for first: what comes later may have been raised for.
        var bySegment = new HashMap<Integer, Shown>();
        record.greatest()
                .forEach((uid, seq) -> bySegment.merge(
                        namespace.segmentOf(uid),
                        new Shown(uid, seq),
                        (one, other) -> one.seq() >= other.seq() ? one : other));
        boolean all = true;
        for (var entry : bySegment.entrySet()) {
            var kept = store.apply(new SegmentId(namespace.id(), entry.getKey()));
            all &= kept.isPresent();
            var shown = entry.getValue();
            if (kept.isPresent() && shown.seq() > kept.get().maxSeq()) {
                record.violated(
                        "BELOW_MAX_SEQ",
                        "user " + Long.toUnsignedString(shown.uid()) + " was shown " + shown.seq()
                                + ", and max_seq of its" + " segment " + entry.getKey() + " is "
                                + kept.get().maxSeq());
            }
        }
        return all;
    }
}
