package io.seqsvr.cli.bench;

import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A line to StoreSvr's peers, on an event loop of its own; whoever uses it waits. */
final class StoreLine implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofMillis(20);
    private static final Duration STATUS_WITHIN = Duration.ofSeconds(2);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final StoreClient client;
    private final StatusCaller statuses = new StatusCaller(vertx, STATUS_WITHIN);
    private final HeldSession session;

    StoreLine(List<HostPort> peers) {
        client = new StoreClient(vertx, peers, AllocSvrSettings.DEFAULT_STORE_TIMEOUT);
        session = new HeldSession(vertx, client);
    }

    Vertx vertx() {
        return vertx;
    }

    StoreClient client() {
        return client;
    }

    HeldSession session() {
        return session;
    }

    /** Opens an allocator's session, which is kept from then on. */
    long openSession() throws MeasuringFailed {
        return ask("a session", () -> session.start().timeout(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    /** Does something on the loop and waits for what comes of it. */
    <T> T ask(String what, Supplier<Future<T>> work) throws MeasuringFailed {
        try {
            return NodeServer.onContext(context, work).await();
        } catch (Throwable failed) { // await() throws checked causes undeclared
            throw new MeasuringFailed(what + ": " + failed.getMessage());
        }
    }

    /** Reads something on the loop. */
    <T> T read(Supplier<T> look) throws MeasuringFailed {
        return ask("a look at the load", () -> Future.succeededFuture(look.get()));
    }

    /** Does something on the loop. */
    void act(Runnable act) throws MeasuringFailed {
        this.<Void>ask("the load", () -> {
            act.run();
            return Future.succeededFuture();
        });
    }

    /** Puts a command through the log, tried until there is an answer: for those that a repeat does not harm. */
    StoreReply execute(String what, StoreCommand command) throws MeasuringFailed {
        return insist(what, () -> client.execute(command));
    }

    /** Does something on the loop, again and again until it succeeds. */
    <T> T insist(String what, Supplier<Future<T>> work) throws MeasuringFailed {
        long start = System.nanoTime();
        while (true) {
            try {
                return ask(what, work);
            } catch (MeasuringFailed failed) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw failed;
                }
                pause(BEFORE_NEXT_TRY);
            }
        }
    }

    /** What a peer says of itself. */
    PeerStatus status(HostPort peer) throws MeasuringFailed {
        return ask("the status of " + peer, () -> statuses.status(peer));
    }

    /** Lets some time pass. */
    void pause(Duration time) throws MeasuringFailed {
        this.<Void>ask("a pause", () -> vertx.timer(time.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
