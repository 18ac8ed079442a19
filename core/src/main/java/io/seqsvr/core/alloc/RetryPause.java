package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import org.jspecify.annotations.Nullable;

/**
 * The pause after a command without an outcome: until it is over the same kind of command is not sent again. Else a
 * StoreSvr that refuses at once, as it is busy or has no leader, would be asked at each tick by every allocator.
 */
final class RetryPause {
    /** For what numbers wait that are taken, raises and confirmations: short, as callers wait for them. */
    static final long FOR_CALLERS_NANOS = 20_000_000;
    /** For what segments wait on their way in or out: longer, as no call waits in it, and tables make long commands. */
    static final long FOR_SEGMENTS_NANOS = 50_000_000;

    private final long nanos;
    private @Nullable ClockReading failedAt;

    RetryPause(long nanos) {
        this.nanos = nanos;
    }

    /** A command had no outcome. */
    void failed(ClockReading now) {
        failedAt = now;
    }

    /** There is nothing to wait for any more. */
    void clear() {
        failedAt = null;
    }

    boolean isOn(ClockReading now) {
        return failedAt != null && now.longestSince(failedAt) < nanos;
    }
}
