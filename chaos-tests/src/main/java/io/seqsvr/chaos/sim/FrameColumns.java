package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A caller's frame as its owner gets it: one part for each namespace and verb, as columns; and its answers, put
 * together again.
 */
final class FrameParts {
    private final Frame frame;
    private final List<Part> parts;
    private final Answer[] answers;
    private int open;

    /** The calls of one namespace and verb. */
    record Part(FrameCalls calls, List<Integer> places) {}

    private record Kind(String namespaceName, FrameVerb verb) {}

    FrameParts(Frame frame) {
        this.frame = frame;
        this.answers = new Answer[frame.places().size()];
        var byKind = new LinkedHashMap<Kind, Part>();
        for (int place = 0; place < answers.length; place++) {
            var call = frame.places().get(place).call();
            var kind = new Kind(call.namespaceName(), verb(call));
            var part = byKind.computeIfAbsent(kind, FrameParts::empty);
            part.places().add(place);
            add(frame.places().get(place), part.calls());
        }
        this.parts = List.copyOf(byKind.values());
        this.open = parts.size();
    }

    private static Part empty(Kind kind) {
        return new Part(new FrameCalls().namespaceName(kind.namespaceName()).verb(kind.verb()), new ArrayList<>());
    }

    private static FrameVerb verb(Call call) {
        if (call instanceof Call.Next) {
            return FrameVerb.NEXT;
        }
        return call instanceof Call.Current ? FrameVerb.CURRENT : FrameVerb.RAISE_FLOOR;
    }

    private static void add(Frame.Place place, FrameCalls into) {
        into.uids().add(place.call().uid());
        if (place.call() instanceof Call.Next next) {
            into.counts().add(next.count());
            into.floors().add(next.atLeast());
        } else if (place.call() instanceof Call.RaiseFloor lift) {
            into.floors().add(lift.floor());
        }
        if (place.leastEpoch() > 0) {
            into.segments().add(place.segment().index());
            into.leastEpochs().add(place.leastEpoch());
        }
    }

    List<Part> parts() {
        return parts;
    }

    /**
     * A part was answered.
     *
     * @return all answers of the frame, in order, once the last part was
     */
    Optional<List<Answer>> answered(Part part, FrameAnswers got) {
        for (int i = 0; i < part.places().size(); i++) {
            int place = part.places().get(i);
            if (!got.seqs().isEmpty()) {
                answers[place] = answer(
                        part.calls(), i, frame.places().get(place).segment().index(), got);
            }
        }
        for (var refused : got.refusals()) {
            for (int i = 0; i < refused.calls(part.places().size()); i++) {
                int at = refused.places().isEmpty() ? i : refused.places().get(i);
                answers[part.places().get(at)] = refused.first();
            }
        }
        open--;
        return open > 0 ? Optional.empty() : Optional.of(List.copyOf(Arrays.asList(answers)));
    }

    private static Answer answer(FrameCalls calls, int at, int segment, FrameAnswers got) {
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
        return Arrays.stream(got.bounds().toArray()).anyMatch(bound -> bound == at);
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
