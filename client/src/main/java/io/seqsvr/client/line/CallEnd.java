package io.seqsvr.client.line;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;

/**
 * A call, and who waits for its end. It ends once, on the loop's thread or on that of its caller; its
 * end must not throw.
 */
public interface CallEnd {
    /** What is wanted. */
    Call call();

    /** Who waits for it. */
    default Caller caller() {
        return Caller.ALONE;
    }

    /** Answered under no older epoch, read as unsigned; 0 for any. */
    default long leastEpoch() {
        return 0;
    }

    /** When it was made, by {@link System#nanoTime}. */
    long madeAtNanos();

    /** When it ends at the latest, from when it was made, above 0. */
    long timeoutNanos();

    /** It ended with an answer: a sequence, what is known of one, or a refusal. */
    void answered(Answer answer);

    /**
     * It ended without one; sequences may have been taken or not.
     *
     * @param why a sentence
     */
    void unanswered(String why);
}
