package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.seqsvr.storeclient.fixture.TestCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A real router on a free port, and a caller of it that waits with a deadline. */
final class TestRouter implements AutoCloseable {
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);
    static final long HASTY_MILLIS = 1_000;

    private final Vertx routerLoop = NodeServer.newVertx();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Router router;
    private final TestCaller caller;

    TestRouter(HostPort store) {
        this(store, Optional.empty());
    }

    TestRouter(HostPort store, Optional<String> name) {
        routerLoop.exceptionHandler(uncaught::add);
        var settings =
                new RouterSettings(name, new HostPort("127.0.0.1", 0), Optional.empty(), List.of(store), STORE_TIMEOUT);
        try {
            router = Router.start(routerLoop, settings, registry);
        } catch (StartupException refused) {
            throw new AssertionError(refused);
        }
        caller = new TestCaller(router.address());
    }

    HostPort address() {
        return router.address();
    }

    <Q extends Message, R extends Message> Future<R> call(RpcMethod<Q, R> method, Q request, long timeoutMillis) {
        return caller.call(method, request, timeoutMillis);
    }

    <Q extends Message, R extends Message> Future<R> call(RpcMethod<Q, R> method, Q request) {
        return caller.call(method, request);
    }

    Future<NextReply> next(String namespace, long uid) {
        return call(
                SequencesRpc.NEXT,
                NextRequest.newBuilder().setNamespace(namespace).setUid(uid).build());
    }

    /** What comes of a call whose caller waits for a second. */
    Future<NextReply> hastyNext(String namespace, long uid) {
        return call(
                SequencesRpc.NEXT,
                NextRequest.newBuilder().setNamespace(namespace).setUid(uid).build(),
                HASTY_MILLIS);
    }

    /**
     * The error of a call whose caller does not wait for long. On a slow machine its own deadline may come first, which
     * tells nothing of the router: then it is made again.
     */
    static RpcException errorOfHasty(Supplier<Future<? extends Message>> call) {
        var error = Outcome.errorOf(call.get());
        return error.reason() == ErrorReason.DEADLINE_PASSED ? errorOfHasty(call) : error;
    }

    /** The reply to such a call. */
    static <R extends Message> R replyOfHasty(Supplier<Future<R>> call) {
        var made = call.get();
        var outcome = Future.join(List.of(made)).otherwiseEmpty().map(made).toCompletionStage();
        var ended = outcome.toCompletableFuture().join();
        return ended.cause() instanceof RpcException error && error.reason() == ErrorReason.DEADLINE_PASSED
                ? replyOfHasty(call)
                : Outcome.replyOf(ended);
    }

    /**
     * The reply to such a call that is meant. What is under way at its end is unknown, whatever was heard before: then
     * it is made again.
     */
    static <R extends Message> R replyOfHasty(Supplier<Future<R>> call, Predicate<R> isMeant) {
        long startedAt = System.nanoTime();
        var reply = replyOfHasty(call);
        while (!isMeant.test(reply)) {
            assertTrue(Outcome.isInTime(startedAt), reply::toString);
            reply = replyOfHasty(call);
        }
        return reply;
    }

    /** Makes such a call until it is refused for this reason. */
    static void awaitRefusal(Supplier<Future<? extends Message>> call, ErrorReason reason) {
        long startedAt = System.nanoTime();
        for (var error = errorOfHasty(call); error.reason() != reason; error = errorOfHasty(call)) {
            assertTrue(Outcome.isInTime(startedAt), error.toString());
        }
    }

    /** What its port says; what its process is told must be the same. */
    ServingStatus health() {
        var told = caller.health("");
        return told == ServingStatus.SERVING && healthyByItself() ? told : ServingStatus.NOT_SERVING;
    }

    /** What its process is told. */
    boolean healthyByItself() {
        return router.healthy().await();
    }

    /** Asks, over and over, until the health is this. */
    void awaitHealth(ServingStatus wanted) {
        TestCaller.awaitHealth(this::health, wanted);
    }

    String scrape() {
        return registry.scrape();
    }

    /** Stops the router as its process would. */
    void stop() {
        router.close();
    }

    /** Takes the event loops down; whatever was thrown past every handler of the router fails the test. */
    @Override
    public void close() {
        caller.close();
        routerLoop.close().await();
        assertEquals(List.of(), List.copyOf(uncaught));
    }
}
