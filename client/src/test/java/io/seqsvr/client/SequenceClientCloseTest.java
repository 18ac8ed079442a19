package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.client.SequenceException.Kind;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that is closed on threads on which an application may well close it. */
@Timeout(60)
class SequenceClientCloseTest {
    private static final int GENEROUS_SECONDS = 30;

    private final FakeOwner owner = new FakeOwner();
    private final Vertx application = Vertx.vertx();

    private SequenceClient client(Duration timeout) {
        return SequenceClient.builder()
                .endpoint(owner.address())
                .namespace("messages")
                .timeout(timeout)
                .patience(Duration.ofSeconds(GENEROUS_SECONDS))
                .build();
    }

    @AfterEach
    void close() {
        application.close().await();
        owner.close();
    }

    private static <T> T ended(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(GENEROUS_SECONDS, TimeUnit.SECONDS);
    }

    private static Kind failureOf(CompletableFuture<?> call) {
        return assertThrows(
                        SequenceException.class,
                        () -> SequenceClient.join(call.orTimeout(GENEROUS_SECONDS, TimeUnit.SECONDS)))
                .kind();
    }

    /** Vert.x lets none of its workers wait for a future of its own. */
    @Test
    void aWorkerOfAnApplicationOnVertxClosesItAndCallsThatAreOpenEnd() throws Exception {
        var client = client(Duration.ofSeconds(1));
        var call = client.next(7).toCompletableFuture();
        owner.frame();
        ended(application.executeBlocking(() -> {
            client.close();
            return true;
        }));
        assertEquals(Kind.UNKNOWN_OUTCOME, failureOf(call));
        assertThrows(IllegalStateException.class, () -> client.next(7));
    }

    @Test
    void soDoesAVerticleThatIsStopped() throws Exception {
        var client = client(Duration.ofSeconds(1));
        var call = client.next(7).toCompletableFuture();
        owner.frame();
        var verticle = new AbstractVerticle() {
            @Override
            public void stop() {
                client.close();
            }
        };
        var worker = new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER);
        ended(application.undeploy(ended(application.deployVerticle(verticle, worker))));
        assertEquals(Kind.UNKNOWN_OUTCOME, failureOf(call));
    }

    @Test
    void whoIsInterruptedTwiceClosesAllTheSameAndStaysInterrupted() throws Exception {
        var client = client(Duration.ofSeconds(GENEROUS_SECONDS));
        var goOn = new CountDownLatch(1);
        // The client's thread is kept busy: whoever closes the client waits for it, interrupted or not.
        var busy = client.next(1).thenRun(() -> assertTrue(isOver(goOn))).toCompletableFuture();
        owner.frame().serve();
        var open = client.next(2).toCompletableFuture();
        var stillInterrupted = new CompletableFuture<Boolean>();
        var closing = new Thread(() -> {
            try {
                client.close();
                stillInterrupted.complete(Thread.currentThread().isInterrupted());
            } catch (Throwable failure) {
                stillInterrupted.completeExceptionally(failure);
            }
        });
        closing.start();
        for (int i = 0; i < 2; i++) {
            await(() -> closing.getState() == Thread.State.WAITING);
            closing.interrupt();
            await(() -> !closing.isInterrupted());
        }
        goOn.countDown();
        assertTrue(stillInterrupted.get(GENEROUS_SECONDS, TimeUnit.SECONDS), "it is for whoever called");
        busy.get(GENEROUS_SECONDS, TimeUnit.SECONDS);
        assertTrue(open.isCompletedExceptionally());
    }

    private static boolean isOver(CountDownLatch latch) {
        try {
            return latch.await(GENEROUS_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static void await(BooleanSupplier seen) {
        long overAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(GENEROUS_SECONDS);
        while (!seen.getAsBoolean()) {
            assertTrue(System.nanoTime() - overAt < 0, "it was not seen in time");
            Thread.onSpinWait();
        }
    }
}
