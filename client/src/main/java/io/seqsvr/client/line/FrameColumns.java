package io.seqsvr.client.line;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import io.seqsvr.proto.codec.FrameReply;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames as the columns that travel, and replies as answers. A reply that does not fit its frame never looks like a
 * sequence: it is refused as a whole. For one thread.
 */
final class FrameColumns {
    private final FrameCalls into = new FrameCalls();
    private final SegmentPlaces places = new SegmentPlaces();

    /** A frame's calls as columns, which are used again for the next one. */
    FrameCalls write(Frame frame) {
        into.clear();
        var first = frame.places().get(0).call();
        into.namespaceName(first.namespaceName()).verb(first.verb());
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
                putEpoch(place.segment().index(), place.leastEpoch());
            }
        }
        if (!counted) {
            into.counts().clear();
        }
        if (!bounded) {
            into.floors().clear();
        }
        return into;
    }

    private void putEpoch(int segment, long leastEpoch) {
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
        var told = ReplyPlaces.of(reply, size);
        places.clear();
        for (int i = 0; i < reply.segments().size(); i++) {
            places.put(reply.segments().get(i), i);
        }
        var answers = new ArrayList<Answer>(size);
        for (int i = 0; i < size; i++) {
            var refusal = told.refusal(i);
            answers.add(refusal == null ? answer(frame.places().get(i), reply, i, told.isExact(i)) : refusal);
        }
        return answers;
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
