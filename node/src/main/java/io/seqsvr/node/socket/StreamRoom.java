package io.seqsvr.node.socket;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many HTTP/2 streams the callers of a port have open, of how many at most. Each keeps its headers as long as it
 * lasts, and a connection may have thousands: so a few callers who begin calls and never end them would fill the heap.
 *
 * <p>A connection may have as many as there is room left for: one alone has half, of two each has a third, and whoever
 * comes with its first call finds room. For one event loop; any thread may ask for meters.
 */
public final class StreamRoom {
    /** A stream takes some 5 KiB of the heap, and up to 8 KiB more with the longest headers. */
    private static final int MOST_BYTES_EACH = 12 << 10;

    private static final int PART_OF_HEAP = 4;
    /** For a heap that is too small for anything else. */
    private static final int LEAST = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(StreamRoom.class);
    private static final long SAID_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final AttributeKey<OfConnection> OF_CONNECTION = AttributeKey.valueOf(StreamRoom.class, "streams");

    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    private long saidAtNanos = System.nanoTime() - SAID_AGAIN_NANOS;

    /** Room for so many. */
    public StreamRoom(int most) {
        this.most = most;
    }

    /** So many that they take a quarter of the heap if their headers are as long as may be. */
    public static int ofThisProcess() {
        long fit = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / MOST_BYTES_EACH;
        return (int) Math.max(LEAST, Math.min(Integer.MAX_VALUE, fit));
    }

    /**
     * Tells how many there are, and how many were refused.
     *
     * @param tier tag of the meters
     */
    public void show(MeterRegistry registry, String tier) {
        Gauge.builder("seqsvr.streams", open, AtomicInteger::get)
                .description("Calls and streams that callers have open over HTTP/2")
                .tag("tier", tier)
                .register(registry);
        FunctionCounter.builder("seqsvr.streams.refused", refused, AtomicLong::get)
                .description("Calls and streams that were refused, as too many were open")
                .tag("tier", tier)
                .register(registry);
    }

    /** From now on its streams count, with those that it has: a connection that was upgraded has its first. */
    public void on(HttpConnection connection) {
        var channel = channel(connection);
        var http2 = channel.pipeline().get(Http2ConnectionHandler.class);
        if (http2 != null) {
            var streams = new OfConnection(open, http2.connection().numActiveStreams());
            http2.connection().addListener(streams);
            channel.attr(OF_CONNECTION).set(streams);
        }
    }

    /** Why the stream that this connection has just begun is too much; null if it is not. Else it counts as refused. */
    public @Nullable String excess(HttpConnection connection) {
        int before = open.getPlain() - 1;
        if (before < most / 2) {
            return null;
        }
        var streams = channel(connection).attr(OF_CONNECTION).get();
        if (streams == null || streams.open - 1 < most - before) {
            return null;
        }
        refused.incrementAndGet();
        say(streams.open - 1);
        return (streams.open - 1) + " calls and streams of this connection are open, and there is room for "
                + Math.max(0, most - before) + " more of all; a connection may have no more than it leaves to others";
    }

    private static Channel channel(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }

    private void say(int ofThisConnection) {
        long now = System.nanoTime();
        if (now - saidAtNanos >= SAID_AGAIN_NANOS) {
            saidAtNanos = now;
            LOG.warn(
                    "event=streams_refused open={} most={} of_this_connection={} so_far={}; calls are refused until"
                            + " others end",
                    open.get(),
                    most,
                    ofThisConnection,
                    refused.get());
        }
    }

    /** Those of one connection. All of them end with it. */
    private static final class OfConnection extends Http2ConnectionAdapter {
        private final AtomicInteger all;
        private int open;

        OfConnection(AtomicInteger all, int open) {
            this.all = all;
            this.open = open;
            all.addAndGet(open);
        }

        @Override
        public void onStreamActive(Http2Stream begun) {
            open++;
            all.incrementAndGet();
        }

        @Override
        public void onStreamClosed(Http2Stream over) {
            open--;
            all.decrementAndGet();
        }
    }
}
