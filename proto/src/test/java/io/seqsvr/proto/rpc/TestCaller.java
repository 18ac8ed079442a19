package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.Message;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A {@link UnaryCaller} on an event loop of its own, for a test that waits, with a deadline, on its own thread. */
final class TestCaller implements AutoCloseable {
    /** Far above what any call of a test may take. */
    static final long GENEROUS_MILLIS = 10_000;

    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final UnaryCaller caller;
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    TestCaller() {
        this(UnaryCaller::new);
    }

    TestCaller(Function<Vertx, UnaryCaller> of) {
        caller = of.apply(vertx);
        vertx.exceptionHandler(uncaught::add);
    }

    <Q extends Message, R extends Message> Future<R> call(
            SocketAddress server, RpcMethod<Q, R> method, Q request, long timeoutMillis) {
        Promise<R> reply = Promise.promise();
        context.runOnContext(
                here -> caller.call(server, method, request, timeoutMillis).onComplete(reply));
        return reply.future();
    }

    /** How much Vert.x keeps to close it when it is closed itself; the library tells nobody. */
    int keptByVertx() {
        try {
            var children = CloseFuture.class.getDeclaredField("children");
            children.setAccessible(true);
            var kept = (Map<?, ?>) children.get(((VertxInternal) vertx).closeFuture());
            return kept == null ? 0 : kept.size();
        } catch (ReflectiveOperationException other) {
            return fail("the library has changed", other);
        }
    }

    Future<NextReply> next(BadServer server, long timeoutMillis) {
        return call(server.address(), SequencesRpc.NEXT, REQUEST, timeoutMillis);
    }

    /** Whether a call, once it has ended, has a reply. */
    boolean isAnswered(Future<?> call) {
        try {
            var unused = call.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException refused) {
            return false;
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("the call did not end", hanging);
        }
    }

    NextReply replyOf(Future<NextReply> call) {
        try {
            return call.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException none) {
            return fail("no reply came", none);
        }
    }

    /** The error of a call that must fail; any reply, a default message above all, fails the test. */
    RpcException errorOf(Future<? extends Message> call) {
        try {
            var reply = call.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return fail("a reply came: [" + reply + "]");
        } catch (ExecutionException failed) {
            return assertInstanceOf(RpcException.class, failed.getCause());
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("the call did not end", hanging);
        }
    }

    /** What no handler of the event loop caught. */
    Queue<Throwable> uncaught() {
        return uncaught;
    }

    int servers() {
        return caller.servers();
    }

    Future<Void> closeCaller() {
        return caller.close();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
