package io.seqsvr.client;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.client.routes.RoutesWatch;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** How a client ends: its calls first, then what they need. */
final class Closing {
    private Closing() {}

    /** Waits for calls that are open, for so long at most, and closes everything; also for whoever is interrupted. */
    static void close(CallLoop loop, RoutesWatch watch, Vertx vertx, Duration patience) {
        boolean interrupted = Thread.interrupted();
        // Not by await(), which refuses the workers of an application that runs on Vert.x itself.
        var ended = loop.close(interrupted ? 1 : patience.toMillis())
                .toCompletionStage()
                .toCompletableFuture();
        try {
            ended.get();
        } catch (InterruptedException | ExecutionException early) {
            interrupted |= early instanceof InterruptedException;
            // Calls that are open must end before nobody is left to end them.
            loop.close(1);
            ended.join();
        } finally {
            try {
                watch.close();
            } finally {
                vertx.close().toCompletionStage().toCompletableFuture().join();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
