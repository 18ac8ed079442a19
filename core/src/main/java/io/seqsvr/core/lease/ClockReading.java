package io.seqsvr.core.lease;

/**
 * One look at the clocks of a machine. Two readings of the same process may be compared, by subtraction only.
 *
 * @param monotonicNanos a clock that never steps, but stops while a virtual machine is suspended
 * @param wallNanos nanoseconds since 1970; steps when it is set, but goes on through a suspend
 * @param bootNanos nanoseconds since the machine started, suspends included; {@link #NOT_READ} where this clock is too
 *     slow to be read, or does not exist
 */
public record ClockReading(long monotonicNanos, long wallNanos, long bootNanos) {
    /** In place of the boot-time clock when it was not read. */
    public static final long NOT_READ = Long.MIN_VALUE;

    /**
     * How far the clocks may differ about one span before none is trusted. Far above slewing (0.05 % of a lease) and
     * the grain of the boot-time clock (10 ms), far below any lease.
     */
    public static final long MAX_DISAGREEMENT_NANOS = 200_000_000;

    /** A look at the two clocks that are read in no time. */
    public ClockReading(long monotonicNanos, long wallNanos) {
        this(monotonicNanos, wallNanos, NOT_READ);
    }

    /** Nanoseconds since {@code earlier} on the clock that counted most. */
    public long longestSince(ClockReading earlier) {
        long longest = Math.max(monotonicNanos - earlier.monotonicNanos, wallNanos - earlier.wallNanos);
        return bothReadBoot(earlier) ? Math.max(longest, bootNanos - earlier.bootNanos) : longest;
    }

    /** Nanoseconds since {@code earlier} on the clock that counted least. */
    public long shortestSince(ClockReading earlier) {
        long shortest = Math.min(monotonicNanos - earlier.monotonicNanos, wallNanos - earlier.wallNanos);
        return bothReadBoot(earlier) ? Math.min(shortest, bootNanos - earlier.bootNanos) : shortest;
    }

    /**
     * Nanoseconds since {@code earlier} on the clock that is never set, and that stands still while the machine does:
     * for what is no lease.
     */
    public long monotonicSince(ClockReading earlier) {
        return monotonicNanos - earlier.monotonicNanos;
    }

    /** Whether the clocks tell different stories about the time since {@code earlier}. */
    public boolean disagreesSince(ClockReading earlier) {
        return longestSince(earlier) - shortestSince(earlier) > MAX_DISAGREEMENT_NANOS;
    }

    /** What every clock will show after {@code nanos} if none of them fails. */
    public ClockReading plus(long nanos) {
        return new ClockReading(
                monotonicNanos + nanos, wallNanos + nanos, bootNanos == NOT_READ ? NOT_READ : bootNanos + nanos);
    }

    /** The same with the least that the boot-time clock can show, if it was read at {@code earlier} but not now. */
    public ClockReading withBootAfter(ClockReading earlier) {
        return bootNanos != NOT_READ || earlier.bootNanos == NOT_READ
                ? this
                : new ClockReading(
                        monotonicNanos, wallNanos, earlier.bootNanos + (monotonicNanos - earlier.monotonicNanos));
    }

    private boolean bothReadBoot(ClockReading earlier) {
        return bootNanos != NOT_READ && earlier.bootNanos != NOT_READ;
    }
}
