package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.GetRoutesRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.RoutesReply;
import io.seqsvr.storeclient.fixture.Outcome;
import io.seqsvr.storeclient.fixture.TestCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A real AllocSvr on a free port, and a caller of it that waits with a deadline. */
final class TestAllocSvr implements AutoCloseable {
    static final Duration STORE_TIMEOUT = Duration.ofMillis(150);

    private final Vertx serverLoop = NodeServer.newVertx();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Throwable> defects = new LinkedBlockingQueue<>();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AllocSvr server;
    private final TestCaller caller;
    private boolean broken;

    TestAllocSvr(String name, HostPort store) {
        this(new AllocSvrSettings(
                name,
                new HostPort("127.0.0.1", 0),
                Optional.empty(),
                List.of(store),
                STORE_TIMEOUT,
                1_000,
                Long.MAX_VALUE));
    }

    TestAllocSvr(AllocSvrSettings settings) {
        serverLoop.exceptionHandler(uncaught::add);
        try {
            server = AllocSvr.start(serverLoop, settings, registry, defects::add);
        } catch (StartupException refused) {
            throw new AssertionError(refused);
        }
        caller = new TestCaller(server.address());
    }

    /** A caller with a connection of its own. */
    TestCaller anotherCaller() {
        return new TestCaller(address());
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
        var reply = Outcome.replyOf(next(namespace, uid, count));
        assertEquals(uid, reply.getUid());
        assertEquals(count, reply.getLast() - reply.getFirst() + 1);
        return reply.getLast();
    }

    ServingStatus health() {
        return caller.health("seqsvr.v1.Sequences");
    }

    /** Asks, over and over, until the health is this. */
    void awaitHealth(ServingStatus wanted) {
        TestCaller.awaitHealth(this::health, wanted);
    }

    private RoutesReply routes() {
        return Outcome.replyOf(call(RoutesRpc.GET, GetRoutesRequest.getDefaultInstance()));
    }

    /** Asks, over and over, until it has seen an assignment. */
    RoutesReply awaitRoutes() {
        long startedAt = System.nanoTime();
        var told = routes();
        while (told.getRangesCount() == 0) {
            assertTrue(Outcome.isInTime(startedAt), "the assignment is never told");
            told = routes();
        }
        return told;
    }

    String scrape() {
        return registry.scrape();
    }

    /** What its process ends with; here it goes on, and whatever else it does is nobody's concern. */
    Throwable awaitDefect() {
        broken = true;
        return Outcome.next(defects);
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
        if (!broken) {
            assertEquals(List.of(), List.copyOf(uncaught));
            assertEquals(List.of(), List.copyOf(defects));
        }
    }
}
