package io.seqsvr.chaos.grpc;

import java.time.Duration;
import java.util.Optional;

/** A call that brought no sequences. The message is what was said of it. */
public final class CallFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is known of the call's effect. */
    public enum Kind {
        /** The server could not be reached: it was never sent. */
        UNSENT,
        /** It may be made again; what was refused in the end may have taken numbers before. */
        REFUSED,
        /** The same, by an allocator that says that it does not own the user's segment. */
        NOT_OWNER,
        /** Nobody knows whether it took sequences. */
        UNKNOWN,
        /** It took nothing, and never will: the call itself is wrong, or its user has no sequences left. */
        FINAL,
        /** The server admits a defect. */
        DEFECT
    }

    private final Kind kind;
    private final transient Optional<Duration> retryAfter;

    CallFailure(Kind kind, String said, Optional<Duration> retryAfter) {
        super(said, null, false, false);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** What is known of its effect. */
    public Kind kind() {
        return kind;
    }

    /** When the server wants to be asked again, if it says so. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
