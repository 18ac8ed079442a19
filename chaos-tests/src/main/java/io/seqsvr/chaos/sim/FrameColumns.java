package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import java.util.List;

/** A caller's frame as its owner gets it, as columns; and its answers, one for each call again. */
final class FrameColumns {
    private FrameColumns() {}

    /** Writes a frame into columns, which bore another one before. */
    static void write(Frame frame, FrameCalls calls) {
        var places = frame.places();
        var first = places.get(0).call();
        calls.clear();
        calls.namespaceName(first.namespaceName()).verb(verb(first));
        for (int i = 0; i < places.size(); i++) {
            add(frame, places.get(i), calls);
        }
    }

    private static FrameVerb verb(Call call) {
        if (call instanceof Call.Next) {
            return FrameVerb.NEXT;
        }
        return call instanceof Call.Current ? FrameVerb.CURRENT : FrameVerb.RAISE_FLOOR;
    }

    private static void add(Frame frame, Frame.Place place, FrameCalls calls) {
        var call = place.call();
        if (!call.namespaceName().equals(calls.namespaceName()) || verb(call).number() != calls.verb()) {
            throw new IllegalStateException("a frame of two kinds: " + frame);
        }
        calls.uids().add(call.uid());
        if (call instanceof Call.Next next) {
            calls.counts().add(next.count());
            calls.floors().add(next.atLeast());
        } else if (call instanceof Call.RaiseFloor lift) {
            calls.floors().add(lift.floor());
        }
        if (place.leastEpoch() > 0) {
            calls.segments().add(place.segment().index());
            calls.leastEpochs().add(place.leastEpoch());
        }
    }

    /** The answers to the calls of a frame, in their order. */
    static List<Answer> answers(Frame frame, FrameAnswers got) {
        int count = frame.places().size();
        var answers = new Answer[count];
        if (!got.seqs().isEmpty()) {
            for (int place = 0; place < count; place++) {
                answers[place] = answer(place, frame.places().get(place), got);
            }
        }
        for (var refused : got.refusals()) {
            for (int i = 0; i < refused.calls(count); i++) {
                answers[refused.places().isEmpty() ? i : refused.places().get(i)] = refused.first();
            }
        }
        return List.of(answers);
    }

    private static Answer answer(int at, Frame.Place place, FrameAnswers got) {
        var call = place.call();
        long seq = got.seqs().get(at);
        long epoch = epoch(place.segment().index(), got);
        if (call instanceof Call.Next next) {
            return new Answer.Range(call.uid(), seq, seq + next.count() - 1, epoch);
        }
        return call instanceof Call.Current
                ? new Answer.Reading(call.uid(), seq, !contains(got, at), epoch)
                : new Answer.Lifted(call.uid(), seq, epoch);
    }

    private static boolean contains(FrameAnswers got, int at) {
        for (int i = 0; i < got.bounds().size(); i++) {
            if (got.bounds().get(i) == at) {
                return true;
            }
        }
        return false;
    }

    private static long epoch(int segment, FrameAnswers got) {
        for (int i = 0; i < got.segments().size(); i++) {
            if (got.segments().get(i) == segment) {
                return got.epochs().get(i);
            }
        }
        return 0;
    }
}
