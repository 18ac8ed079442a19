package io.seqsvr.router;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.failover.Controller;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.api.RoutesService;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.router.grpc.ProxyService;
import io.seqsvr.router.role.ControllerLoop;
import io.seqsvr.router.role.SeenCluster;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One router: wires controller, proxy and public port on one event loop, and takes them down again. */
public final class Router {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private static final long CLOSE_TIMEOUT_SECONDS = 3;

    private final Context context;
    private final ControllerLoop loop;
    private final ProxyService proxy;
    private final RoutesService routes;
    private final StoreClient store;
    private final UnaryCaller owners;
    private final NodeServer port;

    private Router(
            Context context,
            ControllerLoop loop,
            ProxyService proxy,
            RoutesService routes,
            StoreClient store,
            UnaryCaller owners,
            NodeServer port) {
        this.context = context;
        this.loop = loop;
        this.proxy = proxy;
        this.routes = routes;
        this.store = store;
        this.owners = owners;
        this.port = port;
    }

    /** Starts a router; blocks until it listens. */
    public static Router start(Vertx vertx, RouterSettings settings, PrometheusMeterRegistry registry)
            throws StartupException {
        var context = vertx.getOrCreateContext();
        var started = NodeServer.onContext(context, () -> {
            var store = new StoreClient(vertx, settings.store(), settings.storeTimeout());
            var cluster = new SeenCluster(registry);
            var owners = new UnaryCaller(vertx);
            var proxy = new ProxyService(cluster, owners);
            var builder = new NodeServer.Builder(vertx, registry, "router");
            proxy.bind(builder);
            var routes = new RoutesService(vertx, registry, "router");
            routes.bind(builder);
            return builder.listen(settings.listen(), proxy::healthy).map(port -> {
                var address = settings.advertise().orElse(port.address()).toString();
                var controller = new Controller(settings.name().orElse(address), address, new SecureRandom());
                var loop = new ControllerLoop(vertx, controller, store, view -> {
                    cluster.learn(view);
                    routes.learn(store.cluster(), view);
                });
                loop.start();
                return new Router(context, loop, proxy, routes, store, owners, port);
            });
        });
        var router = NodeServer.await(started, settings.listen());
        LOG.info("event=started tier=router listen={}", router.address());
        return router;
    }

    /** Whether a request for any user would be answered now. */
    public Future<Boolean> healthy() {
        return NodeServer.onContext(context, proxy::healthy);
    }

    /** Where it listens. */
    public HostPort address() {
        return port.address();
    }

    /** Stops: the port first, then the session, so that no other controller waits for this one's turn. Blocks. */
    public void close() {
        NodeServer.<Void>onContext(context, () -> {
                    routes.close();
                    return Future.succeededFuture();
                })
                .await();
        port.close().await();
        NodeServer.onContext(context, loop::close)
                .timeout(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .otherwise(failure -> {
                    LOG.warn("event=close_unanswered tier=router; the session ends by its timer");
                    return null;
                })
                .await();
        Future.join(store.close(), owners.close()).await();
        LOG.info("event=stopped tier=router");
    }
}
