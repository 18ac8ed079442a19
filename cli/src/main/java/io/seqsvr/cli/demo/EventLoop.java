package io.seqsvr.cli.demo;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.function.Supplier;

/** One event loop, on which calls are made for threads that wait for their outcome. */
final class EventLoop implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();

    Vertx vertx() {
        return vertx;
    }

    /** Makes a call on the loop and waits for its outcome; throws what it failed with, checked or not. */
    <T> T await(Supplier<Future<T>> call) {
        Promise<T> done = Promise.promise();
        // What it throws it fails with.
        context.runOnContext(
                here -> Future.succeededFuture().compose(now -> call.get()).onComplete(done));
        return done.future().await();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
