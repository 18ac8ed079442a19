package io.seqsvr.node.socket;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections the ports of a Vert.x have, of how many at most. Each takes a file of the process, and one
 * without files can neither write its log nor reach others: so callers who connect again and again, and never leave,
 * are turned away before. Any thread may use it.
 */
public final class ConnectionRoom {
    /** One that is idle takes some 7 KiB of the heap. */
    public static final int MOST = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionRoom.class);
    private static final long SAID_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int most;
    private int open;
    private long refused;
    private long saidAtNanos = System.nanoTime() - SAID_AGAIN_NANOS;

    /** Room for so many. */
    ConnectionRoom(int most) {
        this.most = most;
    }

    /** {@link #MOST}, and three quarters of the files that this process may have open at most. */
    public static int ofThisProcess() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        long files = system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : -1;
        return files <= 0 ? MOST : (int) Math.max(1, Math.min(MOST, files / 4 * 3));
    }

    /**
     * Tells how many there are, and how many were turned away.
     *
     * @param tier tag of the meters
     */
    public void show(MeterRegistry registry, String tier) {
        Gauge.builder("seqsvr.connections", this, ConnectionRoom::open)
                .description("Connections of callers")
                .tag("tier", tier)
                .register(registry);
        FunctionCounter.builder("seqsvr.connections.refused", this, ConnectionRoom::refused)
                .description("Connections that were closed at once, as there were too many")
                .tag("tier", tier)
                .register(registry);
    }

    /**
     * Somebody has connected.
     *
     * @return whether there is room; then it is followed by one {@link #leave}
     */
    synchronized boolean enter() {
        if (open < most) {
            open++;
            return true;
        }
        refused++;
        say();
        return false;
    }

    /** Somebody who had entered has gone. */
    synchronized void leave() {
        open--;
    }

    private synchronized int open() {
        return open;
    }

    private synchronized long refused() {
        return refused;
    }

    private void say() {
        long now = System.nanoTime();
        if (now - saidAtNanos >= SAID_AGAIN_NANOS) {
            saidAtNanos = now;
            LOG.warn(
                    "event=connections_refused open={} most={} so_far={}; callers are turned away until others leave",
                    open,
                    most,
                    refused);
        }
    }
}
