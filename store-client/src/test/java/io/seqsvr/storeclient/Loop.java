package io.seqsvr.storeclient;

import io.seqsvr.node.server.NodeServer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The event loop of a test: work runs on its one context, the test waits for the outcome, never for ever. */
final class Loop implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 10;

    private final Vertx vertx = NodeServer.newVertx();
    private final Context context = vertx.getOrCreateContext();

    Vertx vertx() {
        return vertx;
    }

    /** Starts work whose outcome the test looks at later. */
    <T> Future<T> start(Supplier<Future<T>> work) {
        return NodeServer.onContext(context, work);
    }

    /** What the work came to. */
    <T> T result(Supplier<Future<T>> work) {
        return result(DEADLINE_SECONDS, work);
    }

    /** The same where the work may take long on a busy machine. */
    <T> T result(long deadlineSeconds, Supplier<Future<T>> work) {
        return await(deadlineSeconds, start(work));
    }

    /** Why the work failed. */
    Throwable failure(Supplier<? extends Future<?>> work) {
        return await(start(() -> work.get()
                .transform(ended -> ended.failed()
                        ? Future.succeededFuture(ended.cause())
                        : Future.<Throwable>failedFuture("it succeeded with " + ended.result()))));
    }

    static <T> T await(Future<T> future) {
        return await(DEADLINE_SECONDS, future);
    }

    private static <T> T await(long deadlineSeconds, Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(deadlineSeconds, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
