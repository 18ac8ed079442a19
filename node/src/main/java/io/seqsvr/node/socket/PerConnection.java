package io.seqsvr.node.socket;

import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.function.Supplier;

/**
 * What each connection has one of: kept with its socket, and gone with it. For the event loop of the connection.
 *
 * @param <T> what it is
 */
public final class PerConnection<T> {
    private final AttributeKey<T> key;
    private final Supplier<T> first;

    /**
     * None yet.
     *
     * @param name by which connections tell it from others of theirs
     * @param first makes that of a connection which has none
     */
    public PerConnection(String name, Supplier<T> first) {
        this.key = AttributeKey.valueOf(PerConnection.class, name);
        this.first = first;
    }

    /** That of a connection: the same for all its requests. */
    public T of(HttpConnection connection) {
        var kept = ((ConnectionBase) connection).channel().attr(key);
        var its = kept.get();
        if (its == null) {
            its = first.get();
            kept.set(its);
        }
        return its;
    }
}
