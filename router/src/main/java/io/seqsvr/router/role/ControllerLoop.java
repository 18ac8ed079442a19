package io.seqsvr.router.role;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storeclient.Watcher;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Controller} and keeps the newest view for the front door. Everything here but the gauges runs on one
 * event loop.
 */
public final class ControllerLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final long TICK_MILLIS = 100;

    private final Vertx vertx;
    private final StoreClient store;
    private final Watcher watcher;
    private final Controller controller = new Controller();
    private final RouteBook routes = new RouteBook();
    private volatile Optional<StoreView> view = Optional.empty();
    private long timer;

    /** A loop that does not run yet; call everything on the event loop that creates it. */
    public ControllerLoop(Vertx vertx, StoreClient store, MeterRegistry registry) {
        this.vertx = vertx;
        this.store = store;
        this.watcher = new Watcher(vertx, store, this::viewed);
        Gauge.builder(
                        "seqsvr.routes.version",
                        this,
                        loop -> loop.view
                                .map(seen -> (double) seen.routes().version())
                                .orElse(0.0))
                .description("Version of the route table that this router uses")
                .tag("tier", "router")
                .register(registry);
        Gauge.builder(
                        "seqsvr.allocators",
                        this,
                        loop -> loop.view.map(seen -> (double) allocators(seen)).orElse(0.0))
                .description("Open sessions of allocators")
                .tag("tier", "router")
                .register(registry);
    }

    /** Begins to watch and to plan. */
    public void start() {
        timer = vertx.setPeriodic(TICK_MILLIS, fired -> plan());
        watcher.start();
    }

    /** What was seen last; nothing before the first answer of a watch. */
    public Optional<StoreView> view() {
        return view;
    }

    /** Whom to ask, and whom to believe. */
    public RouteBook routes() {
        return routes;
    }

    /** Watches and plans no more. */
    public void close() {
        vertx.cancelTimer(timer);
        watcher.stop();
    }

    private static long allocators(StoreView view) {
        return view.sessions().stream()
                .filter(member -> member.kind() == SessionKind.ALLOCATOR)
                .count();
    }

    private void viewed(StoreView seen) {
        routes.learn(seen);
        view = routes.view();
        LOG.debug(
                "event=view_seen version={} table={} ranges={} allocators={}",
                seen.version(),
                seen.routes().version(),
                seen.routes().ranges().size(),
                allocators(seen));
        controller.viewed(seen);
        plan();
    }

    private void plan() {
        controller
                .plan(SystemClocks.read())
                .ifPresent(publish -> store.execute(publish).onComplete(outcome -> published(publish, outcome)));
    }

    private void published(StoreCommand.PublishRoutes publish, AsyncResult<StoreReply> outcome) {
        if (outcome.failed()) {
            LOG.warn(
                    "event=publish_unanswered expected={} error=\"{}\"",
                    publish.expectedVersion(),
                    outcome.cause().getMessage());
            controller.published(Optional.empty());
            return;
        }
        if (outcome.result() instanceof StoreReply.RoutesPublished done) {
            LOG.info(
                    "event=routes_published version={} moves={}",
                    done.version(),
                    publish.moves().size());
        } else {
            LOG.warn("event=publish_refused expected={} reply=\"{}\"", publish.expectedVersion(), outcome.result());
        }
        controller.published(Optional.of(outcome.result()));
        // The watch may have shown the outcome before this reply came.
        plan();
    }
}
