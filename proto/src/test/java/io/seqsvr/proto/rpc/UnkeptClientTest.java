package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are left while their Vert.x goes on, and what it has to do with them when it ends. */
@Timeout(20)
class UnkeptClientTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    /** Puts itself down to be closed as the library's clients do, and never closes. */
    private String makeOneThatNeverCloses() {
        var here = ((VertxInternal) vertx).getContext();
        var putDownWith = here == null ? ((VertxInternal) vertx).closeFuture() : here.closeFuture();
        assertTrue(putDownWith.add(closed -> {}));
        return "client";
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void vertxEndsWithoutWaitingForIt() throws Exception {
        var made = new UnkeptClient<>(vertx, this::makeOneThatNeverCloses, client -> Future.succeededFuture());
        assertEquals("client", made.get());
        await(vertx.close());
    }

    @Test
    void theSameOnAnEventLoopOnWhichItIsMade() throws Exception {
        var context = vertx.getOrCreateContext();
        Promise<Thread> ran = Promise.promise();
        context.runOnContext(here -> {
            var thread = Thread.currentThread();
            var unused = new UnkeptClient<>(
                    vertx,
                    () -> {
                        assertSame(thread, Thread.currentThread());
                        return makeOneThatNeverCloses();
                    },
                    client -> Future.succeededFuture());
            assertSame(context, Vertx.currentContext());
            ran.complete(thread);
        });
        await(ran.future());
        await(vertx.close());
    }

    @Test
    void nobodyWaitsForOneThatDoesNotClose() throws Exception {
        var asked = new AtomicInteger();
        var made = new UnkeptClient<>(vertx, () -> "client", client -> {
            asked.incrementAndGet();
            return Promise.<Void>promise().future();
        });
        await(made.close());
        assertEquals(1, asked.get());
        await(vertx.close());
    }

    @Test
    void oneThatClosesIsWaitedFor() throws Exception {
        Promise<Void> closes = Promise.promise();
        var made = new UnkeptClient<>(vertx, () -> "client", client -> closes.future());
        var closed = made.close();
        assertTrue(!closed.isComplete());
        closes.complete();
        await(closed);
        await(vertx.close());
    }

    @Test
    void whoHearsOfItsCloseMayCloseItOnceMore() throws Exception {
        var asked = new AtomicInteger();
        var itself = new ArrayList<UnkeptClient<String>>();
        var again = new ArrayList<Future<Void>>();
        itself.add(new UnkeptClient<>(vertx, () -> "client", client -> {
            asked.incrementAndGet();
            again.add(itself.get(0).close());
            return Future.succeededFuture();
        }));
        await(itself.get(0).close());
        await(again.get(0));
        assertEquals(1, asked.get());
        await(vertx.close());
    }

    @Test
    void itsCloseIsHeardOfWhereItWasClosed() throws Exception {
        Promise<Void> closes = Promise.promise();
        Promise<Thread> told = Promise.promise();
        Promise<Thread> closedOn = Promise.promise();
        vertx.getOrCreateContext().runOnContext(here -> {
            var made = new UnkeptClient<>(vertx, () -> "client", client -> closes.future());
            made.close().onComplete(closed -> told.complete(Thread.currentThread()));
            closedOn.complete(Thread.currentThread());
        });
        var loop = await(closedOn.future());
        closes.complete();
        assertSame(loop, await(told.future()));
        await(vertx.close());
    }
}
