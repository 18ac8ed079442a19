package io.seqsvr.core.lease;

import org.jspecify.annotations.Nullable;

/**
 * Tells when a granter's clocks disagree so often that its timers, which start anew each time, never run out: then no
 * session ends while it leads, and nobody takes over from the dead. Safety does not depend on it.
 */
public final class GranterClocks {
    /** Whoever sets a clock, and sets it right again, is no reason yet. */
    private static final int BEARABLE = 2;

    private @Nullable ClockReading since;
    private int disagreements;

    /**
     * Looks at the clocks.
     *
     * @param timerNanos how long a timer runs
     * @return whether they have disagreed three times or more, each time before a timer was over that had begun with
     *     the time before
     */
    public boolean areUnbearable(ClockReading now, long timerNanos) {
        if (since == null) {
            since = now;
        } else if (now.disagreesSince(since)) {
            disagreements++;
            since = now;
        } else if (now.shortestSince(since) >= timerNanos) {
            disagreements = 0;
            since = now;
        }
        return disagreements > BEARABLE;
    }

    /** What was seen so far does not count. */
    public void forget() {
        since = null;
        disagreements = 0;
    }
}
