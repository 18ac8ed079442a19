package io.seqsvr.core;

import io.seqsvr.core.lease.ClockReading;

/** The clocks of one machine in a test's hands; its monotonic clock passes the greatest long after two seconds. */
public final class TestClock {
    private static final long MILLI = 1_000_000;

    private long monotonicNanos = Long.MAX_VALUE - 2_000 * MILLI;
    private long wallNanos = 1_700_000_000_000L * MILLI;
    private long bootNanos = 5_000 * MILLI;

    public ClockReading now() {
        return new ClockReading(monotonicNanos, wallNanos);
    }

    /** With the boot-time clock, which is too slow for each request and is read with the ticks only. */
    public ClockReading nowWithBoot() {
        return new ClockReading(monotonicNanos, wallNanos, bootNanos);
    }

    public void passMillis(long millis) {
        passNanos(millis * MILLI);
    }

    public void passNanos(long nanos) {
        monotonicNanos += nanos;
        wallNanos += nanos;
        bootNanos += nanos;
    }

    /** The virtual machine is suspended: the monotonic clock stops, the wall clock goes on. */
    public void suspendMillis(long millis) {
        wallNanos += millis * MILLI;
        bootNanos += millis * MILLI;
    }

    /** The machine is suspended and its wall clock not set afterwards: only the boot-time clock has gone on. */
    public void sleepUnseenMillis(long millis) {
        bootNanos += millis * MILLI;
    }

    /** Somebody sets the wall clock, forward or back. */
    public void stepWallMillis(long millis) {
        wallNanos += millis * MILLI;
    }
}
