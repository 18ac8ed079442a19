package io.seqsvr.allocsvr;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.allocsvr.grpc.PeersService;
import io.seqsvr.allocsvr.grpc.SequencesService;
import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.node.ClosingSteps;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.api.RefusedCalls;
import io.seqsvr.node.api.RoutesService;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One AllocSvr: wires allocator, store client and public port on one event loop, and takes them down again. */
public final class AllocSvr {
    private static final Logger LOG = LoggerFactory.getLogger(AllocSvr.class);
    /** With a second for StoreSvr to take the end of the session in. */
    private static final long CLOSE_TIMEOUT_MILLIS = AllocatorLoop.CLOSES_WITHIN_MILLIS + 1_000;
    /** How long it waits for its callers to read their last answers. */
    private static final long LAST_ANSWERS_MILLIS = 500;

    private final Context context;
    private final AllocatorLoop loop;
    private final StoreClient store;
    private final RoutesService routes;
    private final NodeServer port;

    private AllocSvr(Context context, AllocatorLoop loop, StoreClient store, RoutesService routes, NodeServer port) {
        this.context = context;
        this.loop = loop;
        this.store = store;
        this.routes = routes;
        this.port = port;
    }

    /**
     * Starts an AllocSvr; blocks until it listens. It serves once StoreSvr gave it segments.
     *
     * @param fatal stops the process: called when an invariant of the allocator is broken
     */
    public static AllocSvr start(
            Vertx vertx, AllocSvrSettings settings, PrometheusMeterRegistry registry, Consumer<Throwable> fatal)
            throws StartupException {
        var context = vertx.getOrCreateContext();
        var started = NodeServer.onContext(context, () -> {
            var service = new SequencesService();
            var peers = new PeersService();
            var builder = new NodeServer.Builder(vertx, registry, "allocsvr");
            var routes = new RoutesService(vertx, registry, "allocsvr");
            service.bind(builder, routes, new RefusedCalls(registry, "allocsvr"));
            peers.bind(builder);
            routes.bind(builder);
            return builder.listen(settings.listen(), () -> Future.succeededFuture(service.ready()))
                    .map(port -> serve(vertx, context, settings, registry, fatal, service, peers, routes, port));
        });
        return NodeServer.await(started, settings.listen());
    }

    private static AllocSvr serve(
            Vertx vertx,
            Context context,
            AllocSvrSettings settings,
            PrometheusMeterRegistry registry,
            Consumer<Throwable> fatal,
            SequencesService service,
            PeersService peers,
            RoutesService routes,
            NodeServer port) {
        var address = settings.advertise().orElse(port.address());
        var allocator = new Allocator(settings.name(), address.toString(), settings.limits(), new SecureRandom());
        var store = new StoreClient(vertx, settings.store(), settings.storeTimeout());
        var loop = new AllocatorLoop(
                vertx,
                allocator,
                settings.maxWaiting(),
                store,
                registry,
                view -> routes.learn(store.cluster(), view),
                fatal);
        service.serve(loop);
        peers.serve(loop);
        loop.start();
        LOG.info(
                "event=started tier=allocsvr name={} listen={} advertise={}", settings.name(), port.address(), address);
        return new AllocSvr(context, loop, store, routes, port);
    }

    /** Whether it owns segments and would answer for them now, asked on its event loop. */
    public Future<Boolean> ready() {
        return NodeServer.onContext(context, () -> Future.succeededFuture(loop.ready()));
    }

    /** Where it listens. */
    public HostPort address() {
        return port.address();
    }

    /**
     * Stops: seals and closes the session first, so that others may own its segments at once, and the port last, when
     * its answers have been read: their numbers are taken. Blocks.
     */
    public void close() {
        var steps = new ClosingSteps();
        steps.take(() -> NodeServer.onContext(context, loop::close)
                .timeout(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .otherwise(failure -> {
                    LOG.warn("event=close_unanswered tier=allocsvr; the session ends by its lease");
                    return null;
                }));
        steps.take(() -> NodeServer.<Void>onContext(context, () -> {
            routes.close();
            return Future.succeededFuture();
        }));
        steps.take(() -> port.closeWhenAnswered(LAST_ANSWERS_MILLIS));
        steps.take(() -> NodeServer.onContext(context, loop::closePeers));
        steps.take(() -> NodeServer.onContext(context, store::close));
        LOG.info("event=stopped tier=allocsvr");
        steps.end();
    }
}
