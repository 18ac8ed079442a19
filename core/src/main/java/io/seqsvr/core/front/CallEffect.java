package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;

/**
 * What a caller's {@link Calls} want done. The caller takes these and carries them out in order.
 *
 * @param <T> what the caller knows a call by
 */
public sealed interface CallEffect<T> {
    /**
     * Send a frame to its owner, once, and tell the outcome by {@link Calls#answered} or {@link Calls#unanswered}; an
     * answer may still come after the latter.
     *
     * @param frame what to send, and where
     */
    record Send<T>(Frame frame) implements CallEffect<T> {}

    /**
     * A call ended with an answer.
     *
     * @param ticket with which it was put down
     * @param answer a sequence, what is known of one, or a refusal
     */
    record Answered<T>(T ticket, Answer answer) implements CallEffect<T> {}

    /**
     * A call ended as its deadline is over, or its caller gone. Its outcome is unknown: sequences may have been taken
     * or not.
     *
     * @param ticket with which it was put down
     * @param owner HOST:PORT of the owner that was asked last; empty if none was
     */
    record Unanswered<T>(T ticket, String owner) implements CallEffect<T> {}
}
