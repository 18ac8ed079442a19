package io.seqsvr.chaos.grpc;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The end of a client that has an event loop of its own. */
final class LoopEnd {
    private static final long WITHIN_SECONDS = 10;

    private LoopEnd() {}

    /**
     * Closes connections on the loop that uses them, and the loop in any case. Does nothing the second time. Waits for
     * the end, so never on that loop.
     *
     * @throws IllegalStateException if they fail to close, or do not in time
     */
    static void of(Vertx vertx, Context loop, Supplier<Future<Void>> connections) {
        Promise<Void> closed = Promise.promise();
        try {
            loop.runOnContext(here ->
                    Future.succeededFuture().compose(begun -> connections.get()).onComplete(closed));
            await("the connections of a client", closed.future());
        } catch (RejectedExecutionException before) {
            // It is closed.
            return;
        } finally {
            await("the event loop of a client", vertx.close());
        }
    }

    private static void await(String what, Future<Void> closing) {
        try {
            closing.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(WITHIN_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failure) {
            throw new IllegalStateException(
                    what + " did not close within " + WITHIN_SECONDS + " s: " + failure.getCause(), failure);
        }
    }
}
