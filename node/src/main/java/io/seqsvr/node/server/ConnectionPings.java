package io.seqsvr.node.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Asks over every HTTP/2 connection whether anybody is there, and closes those over which nobody answers. A machine
 * that lost its power or its network says no farewell: its streams and watches would stay for as long as TCP has
 * nothing to send, which is for ever. Use it on one event loop.
 *
 * <p>What a connection over HTTP/1 costs is little, and that protocol has no such question.
 */
final class ConnectionPings {
    /** Whoever does not answer before the next time is gone. */
    static final long EVERY_MILLIS = 30_000;

    private static final Buffer PING = Buffer.buffer("are you?");

    private final Set<HttpConnection> open = new HashSet<>();
    private final Set<HttpConnection> silent = new HashSet<>();

    private final Vertx vertx;
    private final long everyMillis;

    private ConnectionPings(Vertx vertx, long everyMillis) {
        this.vertx = vertx;
        this.everyMillis = everyMillis;
    }

    /** Begins; it goes on as long as Vert.x does. */
    static ConnectionPings begin(Vertx vertx, long everyMillis) {
        var pings = new ConnectionPings(vertx, everyMillis);
        pings.askLater();
        return pings;
    }

    /** Not periodically: a process that stood still would ask twice in a row, and wait for no answer in between. */
    private void askLater() {
        vertx.setTimer(everyMillis, again -> {
            try {
                ask();
            } finally {
                askLater();
            }
        });
    }

    /** From now on over this connection too. */
    void on(HttpConnection connection) {
        open.add(connection);
    }

    private void ask() {
        for (var connection : List.copyOf(open)) {
            if (silent.add(connection)) {
                ask(connection);
            } else {
                forget(connection);
                connection.close();
            }
        }
    }

    private void ask(HttpConnection connection) {
        try {
            connection
                    .ping(PING)
                    .onSuccess(pong -> silent.remove(connection))
                    // It is closed.
                    .onFailure(lost -> forget(connection));
        } catch (UnsupportedOperationException http1) {
            forget(connection);
        }
    }

    private void forget(HttpConnection connection) {
        open.remove(connection);
        silent.remove(connection);
    }
}
