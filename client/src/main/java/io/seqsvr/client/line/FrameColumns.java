package io.seqsvr.client.line;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frames as the columns that travel, and replies as answers. A reply that does not fit its frame never looks like a
 * sequence: it is refused as a whole. For one thread.
 */
final class FrameColumns {
    private final SegmentPlaces places = new SegmentPlaces();

    /** Writes a frame's calls into columns, in place of what these held. */
    void write(Frame frame, FrameCalls into) {
        into.clear();
        var first = frame.places().get(0).call();
        into.correlation(frame.correlation())
                .namespaceName(first.namespaceName())
                .verb(first.verb());
        places.clear();
        boolean counted = false;
        boolean bounded = false;
        for (var place : frame.places()) {
            var call = place.call();
            into.uids().add(call.uid());
            if (call instanceof Call.Next next) {
                into.counts().add(next.count());
                into.floors().add(next.atLeast());
                counted |= next.count() != 1;
                bounded |= next.atLeast() != 0;
            } else if (call instanceof Call.RaiseFloor lift) {
                into.floors().add(lift.floor());
                bounded = true;
            }
            if (place.leastEpoch() != 0) {
                putEpoch(place.segment().index(), place.leastEpoch(), into);
            }
        }
        if (!counted) {
            into.counts().clear();
        }
        if (!bounded) {
            into.floors().clear();
        }
    }

    private void putEpoch(int segment, long leastEpoch, FrameCalls into) {
        int at = places.get(segment);
        if (at < 0) {
            places.put(segment, into.segments().size());
            into.segments().add(segment);
            into.leastEpochs().add(leastEpoch);
        } else if (into.leastEpochs().get(at) < leastEpoch) {
            into.leastEpochs().set(at, leastEpoch);
        }
    }

    /**
     * Reads what became of a frame's calls.
     *
     * @return one answer for each of its places, in order
     * @throws BadReplyException if the reply is none to this frame
     */
    List<Answer> read(Frame frame, FrameReply reply) throws BadReplyException {
        int size = frame.places().size();
        var refused = reply.refusals().isEmpty() ? null : refusals(reply.refusals(), size);
        boolean wholly = reply.seqs().isEmpty() && refused != null;
        if (!wholly && reply.seqs().size() != size) {
            throw new BadReplyException("the reply has " + reply.seqs().size() + " sequences for " + size + " calls");
        }
        if (reply.segments().size() != reply.epochs().size()) {
            throw new BadReplyException("the reply has " + reply.segments().size() + " segments and "
                    + reply.epochs().size() + " epochs");
        }
        places.clear();
        for (int i = 0; i < reply.segments().size(); i++) {
            places.put(reply.segments().get(i), i);
        }
        var bounds = bounds(reply, size);
        var answers = new ArrayList<Answer>(size);
        for (int i = 0; i < size; i++) {
            var refusal = refused == null ? null : refused[i];
            if (refusal != null) {
                answers.add(refusal);
            } else if (wholly) {
                throw new BadReplyException("the reply says nothing of place " + i);
            } else {
                answers.add(answer(frame.places().get(i), reply, i, bounds == null || !bounds[i]));
            }
        }
        return answers;
    }

    private static Answer.@Nullable Refused[] refusals(List<FrameRefusal> refusals, int size) throws BadReplyException {
        var refused = new Answer.@Nullable Refused[size];
        for (var refusal : refusals) {
            var answer = new Answer.Refused(refusal.refusal().orElse(Refusal.NOT_READY), refusal.message());
            var at = refusal.places();
            for (int i = 0; i < (at.isEmpty() ? size : at.size()); i++) {
                refused[at.isEmpty() ? i : placeIn(at.get(i), size)] = answer;
            }
        }
        return refused;
    }

    private static boolean @Nullable [] bounds(FrameReply reply, int size) throws BadReplyException {
        if (reply.bounds().isEmpty()) {
            return null;
        }
        var bounds = new boolean[size];
        for (int i = 0; i < reply.bounds().size(); i++) {
            bounds[placeIn(reply.bounds().get(i), size)] = true;
        }
        return bounds;
    }

    private static int placeIn(int place, int size) throws BadReplyException {
        if (place < 0 || place >= size) {
            throw new BadReplyException("the reply names place " + Integer.toUnsignedString(place) + " of " + size);
        }
        return place;
    }

    private Answer answer(Frame.Place place, FrameReply reply, int index, boolean exact) throws BadReplyException {
        int at = places.get(place.segment().index());
        long epoch = at < 0 ? 0 : reply.epochs().get(at);
        long seq = reply.seqs().get(index);
        var call = place.call();
        if (epoch > 0 && call instanceof Call.Next next) {
            long last = seq + next.count() - 1;
            if (seq >= 1 && last >= seq && Long.compareUnsigned(seq, next.atLeast()) >= 0) {
                return new Answer.Range(call.uid(), seq, last, epoch);
            }
        } else if (epoch > 0 && call instanceof Call.Current && seq >= 0) {
            return new Answer.Reading(call.uid(), seq, exact, epoch);
        } else if (epoch > 0
                && call instanceof Call.RaiseFloor lift
                && seq >= 0
                && Long.compareUnsigned(seq, lift.floor()) >= 0) {
            return new Answer.Lifted(call.uid(), seq, epoch);
        }
        throw new BadReplyException("the reply answers " + call + " with " + seq + " under epoch " + epoch);
    }
}
