package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.proto.v1.WatchRoutesRequest;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are under way when their reader is closed, at every moment that they may be at. */
@Timeout(60)
class ReplyReaderTest {
    private static final int MOMENTS = 60;
    private static final int CALLS = 3;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    ReplyReaderTest() {
        context.exceptionHandler(uncaught::add);
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** What its calls were told until it was closed, so many turns of the event loop after they were made. */
    private Queue<String> closedAfter(int turns, SocketAddress server) throws Exception {
        var told = new ConcurrentLinkedQueue<String>();
        Promise<Void> closed = Promise.promise();
        context.runOnContext(here -> {
            var reader = new ReplyReader(vertx);
            for (int i = 0; i < CALLS; i++) {
                var unused = reader.read(server, RoutesRpc.WATCH, WatchRoutesRequest.getDefaultInstance(), into(told));
            }
            after(turns, () -> reader.close().onComplete(closed));
        });
        closed.future().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        return told;
    }

    private void after(int turns, Runnable then) {
        context.runOnContext(here -> {
            if (turns == 0) {
                then.run();
            } else {
                after(turns - 1, then);
            }
        });
    }

    private static ReplyReader.Listener into(Queue<String> told) {
        return new ReplyReader.Listener() {
            @Override
            public void begun() {}

            @Override
            public void message(Buffer message) {}

            @Override
            public void ended(String why) {
                told.add(why);
            }
        };
    }

    @Test
    void aReaderIsClosedWhateverItsCallsAreAt() throws Exception {
        try (var server = BadServer.http(request -> BadServer.reply(request).writeHead());
                var deaf = BadServer.tcp(connection -> {})) {
            for (int turns = 0; turns < MOMENTS; turns++) {
                closedAfter(turns, server.address());
                closedAfter(turns, deaf.address());
            }
        }
        assertEquals(List.of(), List.copyOf(uncaught));
    }

    @Test
    void eachCallEndsOnce() throws Exception {
        var server = BadServer.tcp(connection -> {});
        server.close();
        var told = IntStream.range(0, MOMENTS).boxed().flatMap(turns -> {
            try {
                return Stream.of(closedAfter(turns, server.address()).size());
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
        assertEquals(
                List.of(), told.filter(calls -> calls != CALLS).toList(), "calls of which another number was told");
        assertEquals(List.of(), List.copyOf(uncaught));
    }
}
