package io.seqsvr.client;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Stands before a server on a free port, and can lose everything on its connections, or on the next one. */
public final class StallingRelay implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final NetClient client = vertx.createNetClient();
    private final Set<NetSocket> stalled = new HashSet<>();
    private final Set<NetSocket> open = new HashSet<>();
    private final NetServer server;
    private volatile boolean stallsNext;

    /** In front of a server, HOST:PORT. */
    public StallingRelay(String address) {
        var place = address.split(":", -1);
        server = vertx.createNetServer()
                .connectHandler(caller -> {
                    caller.pause();
                    client.connect(Integer.parseInt(place[1]), place[0]).onSuccess(owner -> {
                        pass(caller, owner);
                        pass(owner, caller);
                        if (stallsNext) {
                            stallsNext = false;
                            stalled.add(caller);
                        }
                        caller.resume();
                    });
                })
                .listen(0, "127.0.0.1")
                .await();
    }

    private void pass(NetSocket from, NetSocket to) {
        open.add(from);
        from.handler(bytes -> {
            if (!stalled.contains(from)) {
                to.write(bytes);
            }
        });
        from.closeHandler(closed -> to.close());
    }

    /** Where it listens, HOST:PORT. */
    public String address() {
        return "127.0.0.1:" + server.actualPort();
    }

    /** From now on nothing comes through on the connections that are open, and nobody is told. */
    public void stall() {
        var done = new CompletableFuture<Void>();
        vertx.runOnContext(here -> {
            stalled.addAll(open);
            done.complete(null);
        });
        done.join();
    }

    /** The next connection comes about, and nothing that is said on it comes through. */
    public void stallNext() {
        stallsNext = true;
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
