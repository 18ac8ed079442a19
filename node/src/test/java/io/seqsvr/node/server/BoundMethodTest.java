package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seqsvr.core.front.Caller;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call whose answer comes later, and who waits for it. */
@Timeout(30)
class BoundMethodTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void whatIsThrownByWhoWaitsForAnAnswerIsTold() throws Exception {
        var told = new CompletableFuture<Throwable>();
        vertx.exceptionHandler(told::complete);
        vertx.runOnContext(here -> {
            Promise<NextReply> later = Promise.promise();
            var method = new BoundMethod<>(
                    vertx,
                    SequencesRpc.NEXT,
                    (request, timeout, caller) -> later.future(),
                    new RequestMetrics(new SimpleMeterRegistry(), "router"),
                    new UnderWay());
            method.call(NextRequest.getDefaultInstance(), 0, Caller.ALONE).onComplete(answer -> {
                throw new IllegalStateException("the answer cannot be sent");
            });
            later.complete(NextReply.getDefaultInstance());
        });
        assertEquals("the answer cannot be sent", told.get(20, TimeUnit.SECONDS).getMessage());
    }
}
