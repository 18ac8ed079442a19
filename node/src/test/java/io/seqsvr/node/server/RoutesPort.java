package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.api.RoutesService;
import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A port that tells the routes of a cluster, which a test changes. */
final class RoutesPort implements AutoCloseable {
    private final Vertx vertx = NodeServer.newVertx();
    private final Context context = vertx.getOrCreateContext();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RoutesService routes;
    private final NodeServer server;

    RoutesPort() {
        this(Long.MAX_VALUE, UnreadReplies.READ_WITHIN_MILLIS);
    }

    /** A port that keeps so many bytes of replies that were not read, each for some time at most. */
    RoutesPort(long unread, long readWithinMillis) {
        vertx.exceptionHandler(uncaught::add);
        routes = TestClient.await(NodeServer.onContext(
                context, () -> Future.succeededFuture(new RoutesService(vertx, registry, "router"))));
        server = TestClient.await(NodeServer.onContext(context, () -> {
            var builder = new NodeServer.Builder(vertx, registry, "router")
                    .keepingUnfinished(unread)
                    .readWithin(readWithinMillis);
            routes.bind(builder);
            return builder.listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true));
        }));
    }

    /** A view in which the first of so many segments changed owner in that version. */
    static StoreView view(long version, int segments) {
        var ranges = new ArrayList<RouteRange>();
        for (int i = 0; i < segments; i++) {
            ranges.add(new RouteRange(1, i, i, 1_024 + i % 2, i == 0 ? version : 1));
        }
        return new StoreView(
                version,
                new LeaseTerms(3_000_000_000L, 100),
                List.of(Namespace.ofDefaults(1, "messages")),
                List.of(
                        new StoreView.Member(
                                1_024, SessionKind.ALLOCATOR, "a1", "10.0.0.1:7721", 1, false, false, true),
                        new StoreView.Member(
                                1_025, SessionKind.ALLOCATOR, "a2", "10.0.0.2:7721", 1, false, false, true),
                        new StoreView.Member(1_026, SessionKind.ROUTER, "r1", "10.0.0.3:7700", 0, false, false, true)),
                version,
                new RouteTable(version, ranges),
                RouteTable.EMPTY);
    }

    void learn(StoreView view) {
        TestClient.await(NodeServer.<Void>onContext(context, () -> {
            routes.learn("cluster-1", view);
            return Future.succeededFuture();
        }));
    }

    /** What who goes by that version is shown beside a refusal. */
    Optional<Buffer> newerThan(long version) {
        return TestClient.await(NodeServer.onContext(context, () -> Future.succeededFuture(routes.newerThan(version))));
    }

    /** Ends the watches as a process does that stops. */
    void stop() {
        TestClient.await(NodeServer.<Void>onContext(context, () -> {
            routes.close();
            return Future.succeededFuture();
        }));
    }

    double watchers() {
        return registry.get("seqsvr.routes.watchers").gauge().value();
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
