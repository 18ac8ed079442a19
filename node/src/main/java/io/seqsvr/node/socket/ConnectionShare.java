package io.seqsvr.node.socket;

import io.netty.util.AttributeKey;
import io.seqsvr.core.front.OpenShare;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** What all calls of a connection take together of the room for open calls: kept with its socket, and gone with it. */
public final class ConnectionShare {
    private static final AttributeKey<OpenShare> KEY = AttributeKey.valueOf(ConnectionShare.class, "share");

    private ConnectionShare() {}

    /** The same for all requests that come over a connection. */
    public static OpenShare of(HttpConnection connection) {
        var kept = ((ConnectionBase) connection).channel().attr(KEY);
        var share = kept.get();
        if (share == null) {
            share = new OpenShare();
            kept.set(share);
        }
        return share;
    }
}
