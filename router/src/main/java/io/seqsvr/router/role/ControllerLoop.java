package io.seqsvr.router.role;

import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.failover.ControllerEffect;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.storeclient.SessionLog;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storeclient.Watcher;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a {@link Controller}, and watches for it and for the front door. Everything here runs on one event loop. */
public final class ControllerLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final long TICK_MILLIS = 10;

    private final Vertx vertx;
    private final StoreClient store;
    private final Watcher watcher;
    private final Controller controller;
    private final Consumer<StoreView> shown;
    private final OrderLine orders;
    private final Promise<Void> sessionClosed = Promise.promise();
    private long timer;
    private boolean closeSent;

    /**
     * A loop that does not run yet; call everything on the event loop that creates it.
     *
     * @param shown gets each view for the front door, before the controller plans on it
     */
    public ControllerLoop(Vertx vertx, Controller controller, StoreClient store, Consumer<StoreView> shown) {
        this.vertx = vertx;
        this.controller = controller;
        this.store = store;
        this.shown = shown;
        this.watcher = new Watcher(vertx, store, this::viewed);
        this.orders = new OrderLine(vertx);
    }

    /** Begins to watch and to plan. */
    public void start() {
        timer = vertx.setPeriodic(0, TICK_MILLIS, fired -> tick());
        watcher.start();
    }

    /** The picture seems outdated: asks another peer for it. */
    public void watchElsewhere() {
        watcher.elsewhere();
    }

    /**
     * Watches and plans no more, and closes the session.
     *
     * @return done when StoreSvr took the close in, failed if it did not answer: then the session expires by itself
     */
    public Future<Void> close() {
        vertx.cancelTimer(timer);
        watcher.stop();
        controller.close(SystemClocks.read());
        carryOut();
        endIfNothingToClose();
        return sessionClosed.future().eventually(orders::close);
    }

    private void endIfNothingToClose() {
        if (controller.closed() && !closeSent) {
            sessionClosed.tryComplete();
        }
    }

    private void viewed(StoreView view) {
        shown.accept(view);
        controller.woken(view, SystemClocks.read());
        carryOut();
    }

    private void tick() {
        controller.tick(SystemClocks.read());
        carryOut();
    }

    private void carryOut() {
        for (var effects = controller.drain(); !effects.isEmpty(); effects = controller.drain()) {
            effects.forEach(this::carryOut);
        }
    }

    private void carryOut(ControllerEffect effect) {
        if (effect instanceof ControllerEffect.Send send) {
            closeSent |= send.command() instanceof StoreCommand.CloseSession;
            store.execute(send.command()).onComplete(outcome -> told(send, outcome));
        } else if (effect instanceof ControllerEffect.Order ordered) {
            orders.give(store.cluster(), ordered.order());
        } else if (effect instanceof ControllerEffect.WatchElsewhere) {
            watcher.elsewhere();
        } else if (effect instanceof ControllerEffect.Report report && report.event() instanceof SessionEvent session) {
            SessionLog.write(session);
        } else {
            throw new IllegalStateException("unknown effect " + effect);
        }
    }

    private void told(ControllerEffect.Send send, AsyncResult<StoreReply> outcome) {
        if (send.command() instanceof StoreCommand.PublishRoutes publish) {
            log(publish, outcome);
        } else if (send.command() instanceof StoreCommand.CloseSession) {
            sessionClosed.handle(outcome.mapEmpty());
        }
        var now = SystemClocks.read();
        if (outcome.succeeded()) {
            controller.answered(send.call(), outcome.result(), now);
        } else {
            controller.unanswered(send.call(), now);
        }
        carryOut();
        endIfNothingToClose();
    }

    private static void log(StoreCommand.PublishRoutes publish, AsyncResult<StoreReply> outcome) {
        if (outcome.failed()) {
            LOG.warn(
                    "event=publish_unanswered expected={} error=\"{}\"",
                    publish.expectedVersion(),
                    outcome.cause().getMessage());
        } else if (outcome.result() instanceof StoreReply.RoutesPublished done) {
            LOG.info(
                    "event=routes_published version={} moves={}",
                    done.version(),
                    publish.moves().size());
        } else {
            LOG.warn("event=publish_refused expected={} reply=\"{}\"", publish.expectedVersion(), outcome.result());
        }
    }
}
