package io.seqsvr.proto.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of the library's that is made and left often, while its Vert.x goes on. Vert.x keeps every client that it
 * knows of until it is closed itself, whether that one was closed or not; and then it waits for them all, also for one
 * whose connection never ends. This one it does not know of: who made it closes it. Used from one context.
 */
public final class UnkeptClient<C> {
    /** By then nobody waits any more for what does not end. */
    private static final long LEFT_WITHIN_MILLIS = 2_000;

    private final Vertx vertx;
    private final Function<C, Future<Void>> closing;
    private final C client;
    private @Nullable Future<Void> left;

    /**
     * A client.
     *
     * @param maker makes it, here and now
     * @param closing closes it; asked for that once
     */
    public UnkeptClient(Vertx vertx, Supplier<C> maker, Function<C, Future<Void>> closing) {
        this.vertx = vertx;
        this.closing = closing;
        this.client = make((VertxInternal) vertx, maker);
    }

    /** Clients are put down with the context that they are made on: here with one that nobody closes. */
    private static <C> C make(VertxInternal vertx, Supplier<C> maker) {
        var context = vertx.contextBuilder().withCloseFuture(new CloseFuture());
        var here = vertx.getContext();
        if (here != null) {
            context.withEventLoop(here.nettyEventLoop());
        }
        var made = new ArrayList<C>(1);
        context.build().dispatch(() -> made.add(maker.get()));
        return made.get(0);
    }

    /** The client. */
    public C get() {
        return client;
    }

    /**
     * Closes it; done when it is closed, and in any case within two seconds. It may be closed again, also by who is
     * told of its end while it closes: all wait for the same, and hear of it where it was closed first.
     */
    public Future<Void> close() {
        if (left == null) {
            Promise<Void> leaving = ((VertxInternal) vertx).getOrCreateContext().promise();
            // Before it closes, which ends calls, and who hears of those closes it again.
            left = leaving.future();
            long timer = vertx.setTimer(LEFT_WITHIN_MILLIS, passed -> leaving.tryComplete());
            closing.apply(client).onComplete(ended -> {
                vertx.cancelTimer(timer);
                leaving.tryComplete();
            });
        }
        return left;
    }
}
