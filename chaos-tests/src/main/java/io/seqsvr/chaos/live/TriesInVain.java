package io.seqsvr.chaos.live;

import java.util.concurrent.TimeUnit;

/** How many tries of a call a router may have made before the last one. */
final class TriesInVain {
    /** A router's patience with an owner, and that of who asks it. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A router rests before it tries again: so long at least after the first try, twice as long after each next. */
    private static final long FIRST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(125);

    private TriesInVain() {}

    /** Tries whose time was over, of a call that took this long. */
    static long overdue(long nanos) {
        return nanos / PATIENCE_NANOS;
    }

    /**
     * Tries whose connection broke, of a call that took this long while one owner served: after each of them the router
     * rested.
     */
    static long brokenOff(long nanos) {
        long tries = 0;
        long rest = FIRST_REST_NANOS;
        for (long left = nanos - rest; left >= 0; left -= rest) {
            tries++;
            rest = Math.min(LONGEST_REST_NANOS, 2 * rest);
        }
        return tries;
    }
}
