package io.seqsvr.node.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.core.lease.ClockReading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the clocks of this machine say of one span. */
class SystemClocksTest {
    private static void assumeBootClock() {
        assumeTrue(Files.isReadable(Path.of("/proc/uptime")), "this machine shows no boot-time clock");
    }

    /** A span of the clocks: nobody opens this latch. */
    private static void pass(long millis) throws InterruptedException {
        assertFalse(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS));
    }

    @Test
    void theHotReadingLeavesTheBootTimeClockAlone() {
        assertEquals(ClockReading.NOT_READ, SystemClocks.read().bootNanos());
    }

    @Test
    void theFullReadingShowsTheBootTimeClockWhereThereIsOne() {
        assumeBootClock();
        assertTrue(SystemClocks.readWithBoot().bootNanos() > 0);
    }

    @Test
    void theBootTimeClockNeverGoesBack() {
        assumeBootClock();
        long last = SystemClocks.readWithBoot().bootNanos();
        for (int i = 0; i < 10_000; i++) {
            long next = SystemClocks.readWithBoot().bootNanos();
            assertTrue(next >= last, last + " was followed by " + next);
            last = next;
        }
    }

    @Test
    void theBootTimeClockGoesAsFastAsTheOthers() throws InterruptedException {
        assumeBootClock();
        var earlier = SystemClocks.readWithBoot();
        pass(500);
        var later = SystemClocks.readWithBoot();
        long monotonic = later.monotonicNanos() - earlier.monotonicNanos();
        long boot = later.bootNanos() - earlier.bootNanos();
        assertTrue(Math.abs(boot - monotonic) < 100_000_000, boot + " ns against " + monotonic + " ns");
        assertFalse(later.disagreesSince(earlier), earlier + " and " + later);
    }

    @Test
    void anInterruptedThreadReadsAndSpoilsTheClockForNobody() {
        assumeBootClock();
        Thread.currentThread().interrupt();
        assertTrue(SystemClocks.readWithBoot().bootNanos() > 0);
        assertTrue(Thread.interrupted());
        assertTrue(SystemClocks.readWithBoot().bootNanos() > 0);
    }
}
