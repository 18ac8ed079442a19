package io.seqsvr.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call that delivered no sequence. Calling again is always safe: a retry may skip numbers, it never repeats one. */
public final class SequenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the caller may do next. */
    public enum Kind {
        /** The request is wrong, or names what does not exist: the same call will fail again. */
        INVALID,
        /** The user's sequences are used up: the same call will fail again. */
        EXHAUSTED,
        /** A typed "not now": call again, after {@link #retryAfter()} where it is given, then with less at once. */
        UNAVAILABLE,
        /** No answer came in time or the connection broke: numbers may have been used up. Call again. */
        UNKNOWN_OUTCOME
    }

    private final Kind kind;
    private final String reason;
    /** Null for none: unlike an Optional it can be serialized, as every exception is. */
    private final @Nullable Duration retryAfter;

    SequenceException(Kind kind, String reason, String message, Optional<Duration> retryAfter) {
        super(message);
        this.kind = kind;
        this.reason = reason;
        this.retryAfter = retryAfter.orElse(null);
    }

    /** What the caller may do next. */
    public Kind kind() {
        return kind;
    }

    /** Name of the {@code ErrorReason} of the API, for logs. */
    public String reason() {
        return reason;
    }

    /** How long to wait before the next try, where too much was asked for at once. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
