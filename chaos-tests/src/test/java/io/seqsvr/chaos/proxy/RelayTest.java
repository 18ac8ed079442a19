package io.seqsvr.chaos.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.chaos.process.Endpoint;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy is of one event loop: whatever follows upon what it does happens there. */
@Timeout(60)
final class RelayTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context loop = vertx.getOrCreateContext();
    private final Proxies proxies = new Proxies(vertx, CallerNames.none(), new SplittableRandom(1));

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private static Thread thread(Promise<Thread> told) throws Exception {
        return told.future().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void whatFollowsUponItsClosingHappensOnItsLoop() throws Exception {
        var plan = new ProxyPlan("some", ProxyPlan.LOOPBACK, 0, new Endpoint(ProxyPlan.LOOPBACK, 1));
        Promise<Thread> follows = Promise.promise();
        Promise<Thread> its = Promise.promise();
        loop.runOnContext(here -> {
            its.complete(Thread.currentThread());
            proxies.create(plan, true)
                    .compose(Relay::disable)
                    .map(closed -> Thread.currentThread())
                    .onComplete(follows);
        });
        assertEquals(thread(its), thread(follows));
    }
}
