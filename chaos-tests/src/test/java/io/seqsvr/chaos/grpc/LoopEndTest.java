package io.seqsvr.chaos.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's connections are closed where they are used, and its thread ends whatever comes of them. */
@Timeout(60)
final class LoopEndTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context loop = vertx.getOrCreateContext();

    private void assertEnded() {
        assertThrows(RejectedExecutionException.class, () -> loop.runOnContext(here -> {}));
    }

    @Test
    void connectionsAreClosedOnTheLoopAndOnce() {
        var closedOn = new ArrayList<Context>();
        for (int i = 0; i < 2; i++) {
            LoopEnd.of(vertx, loop, () -> {
                closedOn.add(Vertx.currentContext());
                return Future.succeededFuture();
            });
        }
        assertEquals(List.of(loop), closedOn);
        assertEnded();
    }

    @Test
    void theLoopEndsThoughTheyFailToClose() {
        var failure = assertThrows(
                IllegalStateException.class,
                () -> LoopEnd.of(vertx, loop, () -> {
                    throw new IllegalStateException("a defect");
                }));
        assertTrue(String.valueOf(failure.getMessage()).contains("a defect"), failure::toString);
        assertEnded();
    }

    @Test
    void aClientMayBeClosedAgain() {
        var client = new BareClient("127.0.0.1", 1, Duration.ofSeconds(1));
        client.close();
        client.close();
    }
}
