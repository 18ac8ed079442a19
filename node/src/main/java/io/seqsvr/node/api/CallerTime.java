package io.seqsvr.node.api;

import java.util.concurrent.TimeUnit;

/** How much of the time that a caller gives is there for its answer. */
public final class CallerTime {
    /** Of a caller's time this part is kept, so that it still hears why there is no answer. */
    private static final int KEPT_PART = 10;

    private static final long KEPT_AT_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A caller may be gone without a word; one that still waits calls again. */
    private static final long LONGEST_MILLIS = 60_000;

    private CallerTime() {}

    /** For how many nanoseconds an answer may be waited for whose caller waits for so many milliseconds. */
    public static long usableNanos(long timeoutMillis) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(Math.min(LONGEST_MILLIS, timeoutMillis));
        return nanos - Math.min(nanos / KEPT_PART, KEPT_AT_MOST_NANOS);
    }
}
