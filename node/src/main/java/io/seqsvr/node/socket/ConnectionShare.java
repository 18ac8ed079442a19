package io.seqsvr.node.socket;

import io.seqsvr.core.front.OpenShare;
import io.vertx.core.http.HttpConnection;

/** What all calls of a connection take together of the room for open calls. */
public final class ConnectionShare {
    private static final PerConnection<OpenShare> SHARES = new PerConnection<>("open calls", OpenShare::new);

    private ConnectionShare() {}

    /** The same for all requests that come over a connection. */
    public static OpenShare of(HttpConnection connection) {
        return SHARES.of(connection);
    }
}
