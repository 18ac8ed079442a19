package io.seqsvr.storesvr;

import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for outcomes, never for ever: a test that hangs fails and says where. */
public final class Deadline {
    /** Longer than anything here takes on a busy machine. */
    public static final long SECONDS = 40;

    private Deadline() {}

    /** The outcome. */
    public static <T> T await(Future<T> future) {
        return await(future.toCompletionStage().toCompletableFuture());
    }

    /** The outcome. */
    public static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Why it failed. */
    public static Throwable failure(Future<?> future) {
        return await(future.transform(ended -> ended.failed()
                ? Future.succeededFuture(ended.cause())
                : Future.<Throwable>failedFuture("it succeeded with " + ended.result())));
    }
}
