package io.seqsvr.router;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.client.line.CallLoop;
import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.front.CallLimits;
import io.seqsvr.core.front.PicturePatience;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.front.Verifier;
import io.seqsvr.node.ClosingSteps;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.api.RefusedCalls;
import io.seqsvr.node.api.RoutesService;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.router.grpc.FirstCalls;
import io.seqsvr.router.grpc.ProxyMeters;
import io.seqsvr.router.grpc.ProxyService;
import io.seqsvr.router.grpc.ShownPictures;
import io.seqsvr.router.role.ControllerLoop;
import io.seqsvr.router.role.SeenCluster;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One router: wires controller, proxy and public port on one event loop, and takes them down again. */
public final class Router {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private static final long CLOSE_TIMEOUT_SECONDS = 3;
    /** Owners have taken numbers for these calls: they answer within milliseconds, or not at all. */
    private static final long LAST_CALLS_MILLIS = 500;
    /** With a StoreSvr that does not answer it listens all the same: its health tells. */
    private static final long LISTENS_WITHIN_MILLIS = 2_000;
    /** By then the port is closed: nobody waits for an answer any more. */
    private static final long CLOSE_PATIENCE_MILLIS = 1;

    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    /**
     * Frames of a thousand calls: one more at an owner than on the way to it keeps it busy. A quarter of the room for
     * open calls is always left to other namespaces, and half of it by calls that nobody answers.
     */
    private static final CallLimits LIMITS = new CallLimits(4, 1_000, 1 << 17, 1 << 16, TimeUnit.SECONDS.toNanos(1));

    private final Context context;
    private final ControllerLoop loop;
    private final ProxyService proxy;
    private final RoutesService routes;
    private final StoreClient store;
    private final CallLoop owners;
    private final UnaryCaller health;
    private final NodeServer port;

    private Router(
            Context context,
            ControllerLoop loop,
            ProxyService proxy,
            RoutesService routes,
            StoreClient store,
            CallLoop owners,
            UnaryCaller health,
            NodeServer port) {
        this.context = context;
        this.loop = loop;
        this.proxy = proxy;
        this.routes = routes;
        this.store = store;
        this.owners = owners;
        this.health = health;
        this.port = port;
    }

    /**
     * Starts a router; blocks until it listens: when it has seen the cluster and has asked the owners something, as
     * callers who can connect count on an answer.
     */
    public static Router start(Vertx vertx, RouterSettings settings, PrometheusMeterRegistry registry)
            throws StartupException {
        var context = vertx.getOrCreateContext();
        var started = NodeServer.onContext(context, () -> {
            var store = new StoreClient(vertx, settings.store(), settings.storeTimeout());
            var cluster = new SeenCluster(registry);
            var health = new UnaryCaller(vertx);
            var watching = new Watching();
            var owners = owners(vertx, watching);
            new ProxyMeters(owners.counts()).bindTo(registry);
            var proxy = new ProxyService(cluster, owners, health);
            var builder = new NodeServer.Builder(vertx, registry, "router");
            proxy.bind(builder, new RefusedCalls(registry, "router"));
            var routes = new RoutesService(vertx, registry, "router");
            routes.bind(builder);
            owners.listen(new ShownPictures(owners, routes::picture)::told);
            var loop = new ControllerLoop(vertx, store, view -> {
                cluster.learn(view);
                owners.learn(store.cluster(), view);
                routes.learn(store.cluster(), view);
            });
            watching.loop = loop;
            return NodeServer.requireFree(settings.listen())
                    .compose(free -> within(vertx, loop.watch().compose(new FirstCalls(proxy)::make)))
                    .compose(any -> builder.listen(settings.listen(), proxy::healthy))
                    .map(port -> {
                        var address =
                                settings.advertise().orElse(port.address()).toString();
                        loop.start(new Controller(settings.name().orElse(address), address, new SecureRandom()));
                        return new Router(context, loop, proxy, routes, store, owners, health, port);
                    })
                    .onFailure(refused -> loop.leave());
        });
        var router = NodeServer.await(started, settings.listen());
        LOG.info("event=started tier=router listen={}", router.address());
        return router;
    }

    /** Done when that is, or when it took too long. */
    private static Future<Void> within(Vertx vertx, Future<Void> ready) {
        Promise<Void> done = Promise.promise();
        long timer = vertx.setTimer(LISTENS_WITHIN_MILLIS, late -> {
            LOG.warn("event=listens_unready tier=router; no owner was reached within {} ms", LISTENS_WITHIN_MILLIS);
            done.tryComplete();
        });
        ready.onComplete(any -> {
            vertx.cancelTimer(timer);
            done.tryComplete();
        });
        return done.future();
    }

    /** Who fetches a newer picture when owners refuse, from when it exists. */
    private static final class Watching {
        private final PicturePatience patience = new PicturePatience();
        private @Nullable ControllerLoop loop;

        /** That an owner is dead says nothing against StoreSvr: renewals tell whether the watch there is behind. */
        void doubt(RouteBook book) {
            if (loop != null && book.outdated() && patience.isOver(System.nanoTime())) {
                loop.watchElsewhere();
            }
        }
    }

    /** It remembers no user: what it was answered is the callers' business, and they may be very many. */
    private static CallLoop owners(Vertx vertx, Watching watching) {
        var random = new SplittableRandom();
        return new CallLoop(vertx, LIMITS, CONNECT_TIMEOUT_MILLIS, Verifier.NONE, random, watching::doubt);
    }

    /** Whether a request for any user would be answered now. */
    public Future<Boolean> healthy() {
        return NodeServer.onContext(context, proxy::healthy);
    }

    /** Where it listens. */
    public HostPort address() {
        return port.address();
    }

    /**
     * Stops: the port first, once the calls that it took are answered, then the session, so that no other controller
     * waits for this one's turn. Blocks.
     */
    public void close() {
        var steps = new ClosingSteps();
        steps.take(() -> NodeServer.<Void>onContext(context, () -> {
            routes.close();
            return Future.succeededFuture();
        }));
        steps.take(() -> port.closeWhenAnswered(LAST_CALLS_MILLIS));
        steps.take(() -> NodeServer.onContext(context, loop::close)
                .timeout(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .otherwise(failure -> {
                    LOG.warn("event=close_unanswered tier=router; the session ends by its timer");
                    return null;
                }));
        steps.take(() -> NodeServer.onContext(context, store::close));
        steps.take(() -> NodeServer.onContext(context, () -> owners.close(CLOSE_PATIENCE_MILLIS)));
        steps.take(() -> NodeServer.onContext(context, health::close));
        LOG.info("event=stopped tier=router");
        steps.end();
    }
}
