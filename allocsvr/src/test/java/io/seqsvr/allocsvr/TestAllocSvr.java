package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.Message;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.HealthRpc;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A real AllocSvr on a free port, and a caller of it that waits with a deadline. */
final class TestAllocSvr implements AutoCloseable {
    static final Duration STORE_TIMEOUT = Duration.ofMillis(150);
    private static final long GENEROUS_MILLIS = 10_000;

    private final Vertx serverLoop = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AllocSvr server;
    private final Caller caller;

    TestAllocSvr(String name, HostPort store) {
        this(new AllocSvrSettings(
                name, new HostPort("127.0.0.1", 0), Optional.empty(), List.of(store), STORE_TIMEOUT, 1_000));
    }

    TestAllocSvr(AllocSvrSettings settings) {
        serverLoop.exceptionHandler(uncaught::add);
        try {
            server = AllocSvr.start(serverLoop, settings, registry, uncaught::add);
        } catch (StartupException refused) {
            throw new AssertionError(refused);
        }
        caller = new Caller(server.address());
    }

    /** Calls one AllocSvr over one connection. */
    static final class Caller implements AutoCloseable {
        private final Vertx loop = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        private final Context context = loop.getOrCreateContext();
        private final UnaryCaller caller = new UnaryCaller(loop);
        private final HostPort server;

        Caller(HostPort server) {
            this.server = server;
        }

        <Q extends Message, R extends Message> Future<R> call(RpcMethod<Q, R> method, Q request) {
            return NodeServer.onContext(
                    context, () -> caller.call(server.socketAddress(), method, request, GENEROUS_MILLIS));
        }

        Future<NextReply> next(String namespace, long uid, long count) {
            return call(
                    SequencesRpc.NEXT,
                    NextRequest.newBuilder()
                            .setNamespace(namespace)
                            .setUid(uid)
                            .setCount(count)
                            .build());
        }

        @Override
        public void close() {
            loop.close().await();
        }
    }

    /** A caller with a connection of its own. */
    Caller anotherCaller() {
        return new Caller(address());
    }

    HostPort address() {
        return server.address();
    }

    <Q extends Message, R extends Message> Future<R> call(RpcMethod<Q, R> method, Q request) {
        return caller.call(method, request);
    }

    Future<NextReply> next(String namespace, long uid, long count) {
        return caller.next(namespace, uid, count);
    }

    Future<CurrentReply> current(String namespace, long uid) {
        return call(
                SequencesRpc.CURRENT,
                CurrentRequest.newBuilder().setNamespace(namespace).setUid(uid).build());
    }

    /** The last sequence of a range that must be delivered, of the length asked for. */
    long take(String namespace, long uid, long count) {
        var reply = replyOf(next(namespace, uid, count));
        assertEquals(uid, reply.getUid());
        assertEquals(count, reply.getLast() - reply.getFirst() + 1);
        return reply.getLast();
    }

    static <R extends Message> R replyOf(Future<R> call) {
        try {
            return call.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            return fail("refused", failed.getCause());
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("the call did not end", hanging);
        }
    }

    static RpcException errorOf(Future<? extends Message> call) {
        try {
            var reply = call.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return fail("a reply came: [" + reply + "]");
        } catch (ExecutionException failed) {
            return assertInstanceOf(RpcException.class, failed.getCause());
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("the call did not end", hanging);
        }
    }

    ServingStatus health() {
        return replyOf(call(
                        HealthRpc.CHECK,
                        HealthCheckRequest.newBuilder()
                                .setService("seqsvr.v1.Sequences")
                                .build()))
                .getStatus();
    }

    /** Asks, over and over, until the health is this. */
    void awaitHealth(ServingStatus wanted) {
        long startedAt = System.nanoTime();
        while (health() != wanted) {
            long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
            assertTrue(passedMillis < GENEROUS_MILLIS, () -> "it never was " + wanted);
        }
    }

    String scrape() {
        return registry.scrape();
    }

    /** Stops the AllocSvr as its process would. */
    void stop() {
        server.close();
    }

    /** Takes the event loops down; whatever was thrown past every handler of the server fails the test. */
    @Override
    public void close() {
        caller.close();
        serverLoop.close().await();
        assertEquals(List.of(), List.copyOf(uncaught));
    }
}
