package io.seqsvr.node.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpConnection;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections a port has, of how many at most. Each takes a file of the process, and one without files can
 * neither write its log nor reach others: so callers who connect again and again, and never leave, are turned away
 * before. Use it on one event loop.
 */
final class ConnectionRoom {
    /** One that is idle takes some 7 KiB of the heap. */
    static final int MOST = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionRoom.class);
    private static final long SAID_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int most;
    private final Counter refused;
    private final Set<HttpConnection> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private long saidAtNanos = System.nanoTime() - SAID_AGAIN_NANOS;

    /**
     * Room for so many.
     *
     * @param registry where it is told how many there are, and how many were turned away
     * @param tier tag of the meters
     */
    ConnectionRoom(int most, MeterRegistry registry, String tier) {
        this.most = most;
        Gauge.builder("seqsvr.connections", this, room -> room.open.size())
                .description("Connections of callers")
                .tag("tier", tier)
                .register(registry);
        this.refused = Counter.builder("seqsvr.connections.refused")
                .description("Connections that were closed at once, as there were too many")
                .tag("tier", tier)
                .register(registry);
    }

    /** {@link #MOST}, and three quarters of the files that this process may have open at most. */
    static int ofThisProcess() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        long files = system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : -1;
        return files <= 0 ? MOST : (int) Math.max(1, Math.min(MOST, files / 4 * 3));
    }

    /**
     * A connection has come about. If there are too many it is closed.
     *
     * @return whether it stays
     */
    boolean admit(HttpConnection connection) {
        if (open.size() >= most) {
            refused.increment();
            say();
            connection.close();
            return false;
        }
        open.add(connection);
        connection.closeHandler(closed -> open.remove(connection));
        return true;
    }

    /** Whether it stays. What came in over HTTP/1.1 with a connection that does not is handed on all the same. */
    boolean has(HttpConnection connection) {
        return open.contains(connection);
    }

    private void say() {
        long now = System.nanoTime();
        if (now - saidAtNanos >= SAID_AGAIN_NANOS) {
            saidAtNanos = now;
            LOG.warn(
                    "connections_refused open={} most={} so_far={}: new callers are turned away until others leave",
                    open.size(),
                    most,
                    (long) refused.count());
        }
    }
}
