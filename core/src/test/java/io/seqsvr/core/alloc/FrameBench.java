package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.LongColumn;
import java.util.Arrays;

/** Frames in a test's hands. */
final class FrameBench {
    private final Bench bench;

    FrameBench(Bench bench) {
        this.bench = bench;
    }

    static FrameCalls calls(FrameVerb verb, long... uids) {
        var calls = new FrameCalls().correlation(77).namespaceName("messages").verb(verb);
        put(calls.uids(), uids);
        return calls;
    }

    static FrameCalls next(long... uids) {
        return calls(FrameVerb.NEXT, uids);
    }

    static void put(LongColumn column, long... values) {
        Arrays.stream(values).forEach(column::add);
    }

    /** The numbers are taken; nothing leaves yet. */
    OpenFrame begin(FrameCalls calls) {
        var frame = bench.allocator.frame(calls, bench.clock.now());
        bench.carryOut();
        return frame;
    }

    /** Taken and released at once. */
    FrameAnswers ask(FrameCalls calls) {
        return release(begin(calls));
    }

    FrameAnswers release(OpenFrame frame) {
        assertTrue(frame.ended(), frame.toString());
        return bench.allocator.release(frame, bench.clock.now());
    }

    static void assertSeqs(FrameAnswers answers, long... expected) {
        assertEquals(Arrays.toString(expected), answers.seqs().toString(), answers.toString());
    }

    /** One reason only, for these places; none for the whole frame. */
    static void assertRefused(Refusal expected, FrameAnswers answers, int... places) {
        assertEquals(1, answers.refusals().size(), answers.toString());
        assertRefused(expected, answers.refusals().get(0), places);
    }

    static void assertRefused(Refusal expected, FrameAnswers.Refused entry, int... places) {
        assertEquals(expected, entry.first().refusal(), entry.toString());
        assertEquals(Arrays.toString(places), entry.places().toString());
    }
}
