package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;

/** What a caller's {@link Calls} want done. The caller drains these and carries them out in order. */
public sealed interface CallEffect {
    /**
     * Send a frame to its owner, once, and tell the outcome by {@link Calls#answered} or {@link Calls#unanswered}; an
     * answer may still come after the latter.
     *
     * @param frame what to send, and where
     */
    record Send(Frame frame) implements CallEffect {}

    /**
     * A call ended with an answer.
     *
     * @param ticket the one it got when it was put down
     * @param answer a sequence, what is known of one, or a refusal
     */
    record Answered(long ticket, Answer answer) implements CallEffect {}

    /**
     * A call ended as its deadline is over. Its outcome is unknown: sequences may have been taken or not.
     *
     * @param ticket the one it got when it was put down
     */
    record Unanswered(long ticket) implements CallEffect {}
}
