package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;

/** The epoch under which an answer was given. */
final class Epochs {
    private Epochs() {}

    /** The epoch, 0 for a refusal. */
    static long of(Answer answer) {
        if (answer instanceof Answer.Range range) {
            return range.epoch();
        }
        if (answer instanceof Answer.Reading reading) {
            return reading.epoch();
        }
        return answer instanceof Answer.Lifted lifted ? lifted.epoch() : 0;
    }
}
