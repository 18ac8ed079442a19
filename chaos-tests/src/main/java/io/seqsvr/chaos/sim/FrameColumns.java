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
    private final Frame frame;
    private final FrameCalls calls;

    FrameColumns(Frame frame) {
        this.frame = frame;
        var first = frame.places().get(0).call();
        this.calls = new FrameCalls().namespaceName(first.namespaceName()).verb(verb(first));
        for (var place : frame.places()) {
            add(place);
        }
    }

    private static FrameVerb verb(Call call) {
        if (call instanceof Call.Next) {
            return FrameVerb.NEXT;
        }
        return call instanceof Call.Current ? FrameVerb.CURRENT : FrameVerb.RAISE_FLOOR;
    }

    private void add(Frame.Place place) {
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

    FrameCalls calls() {
        return calls;
    }

    /** The answers to its calls, in their order. */
    List<Answer> answers(FrameAnswers got) {
        int count = frame.places().size();
        var answers = new Answer[count];
        if (!got.seqs().isEmpty()) {
            for (int place = 0; place < count; place++) {
                answers[place] =
                        answer(place, frame.places().get(place).segment().index(), got);
            }
        }
        for (var refused : got.refusals()) {
            for (int i = 0; i < refused.calls(count); i++) {
                answers[refused.places().isEmpty() ? i : refused.places().get(i)] = refused.first();
            }
        }
        return List.of(answers);
    }

    private Answer answer(int at, int segment, FrameAnswers got) {
        long uid = calls.uids().get(at);
        long seq = got.seqs().get(at);
        long epoch = epoch(segment, got);
        return switch (FrameVerb.of(calls.verb()).orElseThrow()) {
            case NEXT -> new Answer.Range(uid, seq, seq + calls.counts().get(at) - 1, epoch);
            case CURRENT -> new Answer.Reading(uid, seq, !contains(got, at), epoch);
            case RAISE_FLOOR -> new Answer.Lifted(uid, seq, epoch);
        };
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
