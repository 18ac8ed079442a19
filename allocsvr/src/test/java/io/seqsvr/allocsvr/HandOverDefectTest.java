package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hand-over while allocators have no line to each other: it must not be lost in silence. */
@Timeout(30)
class HandOverDefectTest {
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(new LeaseTerms(20_000_000_000L, 100), MESSAGES);
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final Allocator allocator = new Allocator("alloc-1", "127.0.0.1:1", 10, new SplittableRandom(1));
    private final Promise<Throwable> fatal = Promise.promise();

    @AfterEach
    void close() {
        vertx.close().await();
        store.close();
    }

    @Test
    void aMessageThatNobodyCanCarryStopsTheProcessWithASentenceThatNamesIt() throws Exception {
        vertx.exceptionHandler(thrownOn -> {});
        NodeServer.onContext(context, () -> {
                    var client = new StoreClient(vertx, List.of(store.address()), Duration.ofSeconds(2));
                    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
                    new AllocatorLoop(vertx, allocator, client, registry, fatal::tryComplete).start();
                    vertx.setPeriodic(5, tick -> handOver());
                    return Future.succeededFuture();
                })
                .await();
        store.assignAll("alloc-1");
        var defect = fatal.future().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertInstanceOf(IllegalStateException.class, defect);
        assertEquals(
                "there is no line to session 99 for segment 1/3 in epoch 1: allocators do not talk to each other yet,"
                        + " so no hand-over may begin",
                defect.getMessage());
    }

    /** As soon as it serves the segment; before, it is passed over in silence. */
    private void handOver() {
        allocator.handOver(List.of(new SegmentId(1, 3)), 99, SystemClocks.read());
    }
}
