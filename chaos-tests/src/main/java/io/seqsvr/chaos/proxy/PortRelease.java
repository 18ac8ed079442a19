package io.seqsvr.chaos.proxy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the system has really taken a port back. A closed server of Vert.x goes on listening until its acceptor
 * thread has looked at its sockets once more: callers would still be connected, and nobody could listen there again.
 */
record PortRelease(Vertx vertx, String host, int port) {
    private static final int LOOKS = 2_000;
    private static final long BETWEEN_LOOKS_MILLIS = 1;

    /** Ends when the port is free, or when somebody else seems to have it. */
    Future<Void> await() {
        return look(LOOKS);
    }

    private Future<Void> look(int looksLeft) {
        return vertx.executeBlocking(this::isFree).compose(free -> {
            if (free || looksLeft == 1) {
                return Future.succeededFuture();
            }
            return vertx.timer(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS).compose(later -> look(looksLeft - 1));
        });
    }

    private boolean isFree() throws IOException {
        var address = InetAddress.getByName(host);
        try (var probe = new ServerSocket(port, 1, address)) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
