package io.seqsvr.node.socket;

import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Replies that come out one after the other leave by one write to the socket. The library merges only what is said
 * while it reads: a reply that waited for a disk or another node would be flushed, and written, by itself.
 */
public final class MergedFlushes {
    /** Longer than what comes out together is; more of it goes out in parts. */
    private static final int MOST = 1_024;

    private MergedFlushes() {}

    /** From now on, on this connection. What is written is on its way when the event loop has done what waits. */
    public static void on(HttpConnection connection) {
        ((ConnectionBase) connection).channel().pipeline().addFirst(new FlushConsolidationHandler(MOST, true));
    }
}
