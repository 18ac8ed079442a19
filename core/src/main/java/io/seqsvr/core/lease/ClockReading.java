package io.seqsvr.core.lease;

/**
 * One look at the clocks of a machine. Two readings of the same process may be compared, by subtraction only.
 *
 * @param monotonicNanos a clock that never steps, but stops while a virtual machine is suspended
 * @param wallNanos nanoseconds since 1970; steps when it is set, but goes on through a suspend
 */
public record ClockReading(long monotonicNanos, long wallNanos) {
    /**
     * How far the clocks may differ about one span before neither is trusted. Far above slewing (0.05 % of a lease),
     * far below any lease.
     */
    public static final long MAX_DISAGREEMENT_NANOS = 200_000_000;

    /** Nanoseconds since {@code earlier} on the clock that counted most. */
    public long longestSince(ClockReading earlier) {
        return Math.max(monotonicNanos - earlier.monotonicNanos, wallNanos - earlier.wallNanos);
    }

    /** Nanoseconds since {@code earlier} on the clock that counted least. */
    public long shortestSince(ClockReading earlier) {
        return Math.min(monotonicNanos - earlier.monotonicNanos, wallNanos - earlier.wallNanos);
    }

    /** Whether the clocks tell different stories about the time since {@code earlier}. */
    public boolean disagreesSince(ClockReading earlier) {
        return longestSince(earlier) - shortestSince(earlier) > MAX_DISAGREEMENT_NANOS;
    }
}
