package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.socket.BoundedAccepts;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A real port whose methods and health a test answers; by default each user's sequences begin at 1. */
final class TestPort implements AutoCloseable {
    private final Vertx vertx;
    private final Context loop;
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final NodeServer server;

    private volatile UnaryHandler<NextRequest, NextReply> next =
            (request, timeout, caller) -> Future.succeededFuture(reply(request));
    private volatile UnaryHandler<CurrentRequest, CurrentReply> current =
            (request, timeout, caller) -> Future.succeededFuture(reply(request));
    private volatile StreamHandler stream = TestPort::echo;
    private volatile Supplier<Future<Boolean>> healthy = () -> Future.succeededFuture(true);

    TestPort() {
        this(builder -> builder);
    }

    /** A port that keeps so many bytes of requests that have not ended. */
    TestPort(long unfinished) {
        this(builder -> builder.keepingUnfinished(unfinished));
    }

    /** The same, where long replies are to be read within some time. */
    TestPort(long unfinished, long readWithinMillis) {
        this(builder -> builder.readWithin(readWithinMillis).keepingUnfinished(unfinished));
    }

    /** A port that asks so often whether callers are there. */
    static TestPort pingingEvery(long millis) {
        return new TestPort(builder -> builder.pingingEvery(millis));
    }

    /** A port that takes so many connections. */
    static TestPort takingConnections(int most) {
        return new TestPort(BoundedAccepts.newVertx(most), builder -> builder);
    }

    /** A port that takes so many calls and streams at a time. */
    static TestPort takingStreams(int most) {
        return new TestPort(builder -> builder.takingStreams(most));
    }

    /** A port of a node of that cluster. */
    static TestPort ofCluster(Supplier<Optional<String>> clusterId) {
        return new TestPort(builder -> builder.ofCluster(clusterId));
    }

    /** A port that closes connections over which nothing came for so long. */
    static TestPort closingIdleAfter(int millis) {
        return new TestPort(builder -> builder.idleFor(millis));
    }

    /** A port that tells when callers have left. */
    static TestPort tellingWhenCallersLeave(Runnable told) {
        return new TestPort(builder -> builder.whenCallersLeave(told));
    }

    private TestPort(UnaryOperator<NodeServer.Builder> settings) {
        this(NodeServer.newVertx(), settings);
    }

    private TestPort(Vertx vertx, UnaryOperator<NodeServer.Builder> settings) {
        this.vertx = vertx;
        this.loop = vertx.getOrCreateContext();
        vertx.exceptionHandler(uncaught::add);
        server = NodeServer.onContext(
                        loop,
                        () -> settings
                                .apply(new NodeServer.Builder(vertx, registry, "router"))
                                .method(
                                        SequencesRpc.NEXT,
                                        (request, timeout, caller) -> next.handle(request, timeout, caller))
                                .method(
                                        SequencesRpc.CURRENT,
                                        (request, timeout, caller) -> current.handle(request, timeout, caller))
                                .method(
                                        SequencesRpc.NEXT_MANY,
                                        (request, timeout, caller) ->
                                                Future.succeededFuture(NextManyReply.getDefaultInstance()))
                                .stream(SequencesRpc.ALLOCATE, replies -> stream.open(replies))
                                .listen(new HostPort("127.0.0.1", 0), () -> healthy.get()))
                .await();
    }

    static NextReply reply(NextRequest request) {
        return NextReply.newBuilder()
                .setUid(request.getUid())
                .setFirst(1)
                .setLast(request.hasCount() ? request.getCount() : 1)
                .setEpoch(7)
                .build();
    }

    static CurrentReply reply(CurrentRequest request) {
        return CurrentReply.newBuilder()
                .setUid(request.getUid())
                .setSeq(4711)
                .setExactness(Exactness.UPPER_BOUND)
                .setEpoch(7)
                .build();
    }

    /** From now on, whoever asks for metrics is told as much. */
    void makeMetricsLong(int bytes) {
        Gauge.builder("test.long", () -> 1).description("x".repeat(bytes)).register(registry);
    }

    /** What a meter shows. */
    double meter(String name) {
        return registry.get(name)
                .tag("tier", "router")
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    /** How many requests were turned away for that reason. */
    double refused(ErrorReason reason) {
        return registry.get("seqsvr.requests.refused")
                .tags("tier", "router", "reason", reason.name())
                .counter()
                .count();
    }

    /** A meter shows as much, if not now then soon. */
    void awaitMeter(String name, double value) {
        long sinceNanos = System.nanoTime();
        while (meter(name) != value) {
            assertTrue(
                    System.nanoTime() - sinceNanos < TimeUnit.MILLISECONDS.toNanos(TestClient.GENEROUS_MILLIS),
                    () -> name + " is " + meter(name));
            Thread.onSpinWait();
        }
    }

    void onNext(UnaryHandler<NextRequest, NextReply> handler) {
        next = handler;
    }

    void onCurrent(UnaryHandler<CurrentRequest, CurrentReply> handler) {
        current = handler;
    }

    private static StreamHandler.Receiver echo(StreamReplies replies) {
        return (bytes, from, to) -> {
            replies.begin().put(Arrays.copyOfRange(bytes, from, to));
            replies.sent();
        };
    }

    void onStream(StreamHandler handler) {
        stream = handler;
    }

    void onHealth(Supplier<Future<Boolean>> supplier) {
        healthy = supplier;
    }

    /** Does something on the event loop of the port. */
    void onLoop(Runnable work) {
        onLoop(() -> {
            work.run();
            return true;
        });
    }

    /** Stops as a node does. */
    void stop() {
        server.close().await();
    }

    /** Begins to stop; what was taken has so long to be answered. */
    Future<Void> stopWithin(long graceMillis) {
        return server.closeWhenAnswered(graceMillis);
    }

    <T> T onLoop(Supplier<T> work) {
        return NodeServer.onContext(loop, () -> Future.succeededFuture(work.get()))
                .await();
    }

    HostPort address() {
        return server.address();
    }

    SocketAddress socket() {
        return server.address().socketAddress();
    }

    /** Closes the port; whatever was thrown past every handler of its event loop fails the test. */
    @Override
    public void close() {
        vertx.close().await();
        assertEquals(List.of(), List.copyOf(uncaught));
    }
}
