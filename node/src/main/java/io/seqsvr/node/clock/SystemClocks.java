package io.seqsvr.node.clock;

import io.seqsvr.core.lease.ClockReading;

/** Reads the machine's clocks; nothing is cached. */
public final class SystemClocks {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private SystemClocks() {}

    /** One look at all clocks. */
    public static ClockReading read() {
        return new ClockReading(System.nanoTime(), System.currentTimeMillis() * NANOS_PER_MILLI);
    }
}
