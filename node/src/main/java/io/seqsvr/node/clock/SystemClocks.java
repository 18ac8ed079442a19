package io.seqsvr.node.clock;

import io.seqsvr.core.lease.ClockReading;
import java.nio.file.Path;

/** Reads the machine's clocks; nothing is cached. */
public final class SystemClocks {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final UptimeFile UPTIME = UptimeFile.open(Path.of("/proc/uptime"));

    private SystemClocks() {}

    /** One look at the clocks that are read in no time; the boot-time clock is not among them. */
    public static ClockReading read() {
        return new ClockReading(System.nanoTime(), System.currentTimeMillis() * NANOS_PER_MILLI);
    }

    /**
     * One look at all clocks, the boot-time clock too where the machine shows it. Takes some microseconds: for ticks
     * and renewals, not for requests.
     */
    public static ClockReading readWithBoot() {
        // First: what delays the reading of the file must not stand between the two other clocks.
        long boot = UPTIME.nanos();
        return new ClockReading(System.nanoTime(), System.currentTimeMillis() * NANOS_PER_MILLI, boot);
    }
}
