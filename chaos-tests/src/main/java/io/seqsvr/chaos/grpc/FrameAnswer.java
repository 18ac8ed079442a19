package io.seqsvr.chaos.grpc;

import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.FrameRefusal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToIntFunction;

/** What a frame was answered, user by user. */
final class FrameAnswer {
    private final AllocateReply reply;
    private final long[] uids;
    private final LongToIntFunction segmentOf;
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final BitSet refused = new BitSet();

    /** One user's part. */
    @FunctionalInterface
    interface Part<R> {
        /** Makes something of it. */
        R of(long uid, long seq, long epoch);
    }

    /** Throws {@link IllegalArgumentException} for a reply that no server may send. */
    FrameAnswer(AllocateReply reply, long[] uids, LongToIntFunction segmentOf) {
        this.reply = reply;
        this.uids = uids;
        this.segmentOf = segmentOf;
        if (reply.getSegmentsCount() != reply.getEpochsCount()) {
            throw new IllegalArgumentException(
                    reply.getSegmentsCount() + " segments with " + reply.getEpochsCount() + " epochs");
        }
        for (int i = 0; i < reply.getSegmentsCount(); i++) {
            epochs.put(reply.getSegments(i), reply.getEpochs(i));
        }
        reply.getRefusalsList().forEach(this::refuse);
        if (refused.cardinality() < uids.length && reply.getSeqsCount() != uids.length) {
            throw new IllegalArgumentException(
                    "asked for " + uids.length + " users, but the server answered for " + reply.getSeqsCount());
        }
    }

    private void refuse(FrameRefusal refusal) {
        if (refusal.getReason() == ErrorReason.INTERNAL_DEFECT) {
            throw new IllegalArgumentException("a defect of the server: " + refusal.getMessage());
        }
        if (refusal.getPlacesCount() == 0) {
            refused.set(0, uids.length);
        }
        for (int place : refusal.getPlacesList()) {
            if (place < 0 || place >= uids.length) {
                throw new IllegalArgumentException("place " + place + " of " + uids.length + " was refused");
            }
            refused.set(place);
        }
    }

    /** Something for each user, in order; nothing for those that were refused. */
    <R> List<Optional<R>> each(Part<R> part) {
        var all = new ArrayList<Optional<R>>(uids.length);
        for (int i = 0; i < uids.length; i++) {
            if (refused.get(i)) {
                all.add(Optional.empty());
                continue;
            }
            var epoch = epochs.get(segmentOf.applyAsInt(uids[i]));
            if (epoch == null) {
                throw new IllegalArgumentException(
                        "user " + Long.toUnsignedString(uids[i]) + " was answered under no epoch; there are " + epochs);
            }
            all.add(Optional.of(part.of(uids[i], reply.getSeqs(i), epoch)));
        }
        return all;
    }
}
