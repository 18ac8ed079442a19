package io.seqsvr.node.socket;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** Ends connections whose other end does not read. The library's own close waits until what was written is read. */
public final class AbruptEnd {
    private AbruptEnd() {}

    /** What was not sent yet is lost. */
    public static void of(HttpConnection connection) {
        var unused = ((ConnectionBase) connection).channelHandlerContext().close();
    }
}
