package io.seqsvr.router.role;

import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.failover.ControllerEffect;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.storeclient.NotSubmittedException;
import io.seqsvr.storeclient.SessionLog;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storeclient.Watcher;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for the front door, and runs a {@link Controller} by what it sees. Everything here runs on one event loop.
 */
public final class ControllerLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final long TICK_MILLIS = 10;

    private final Vertx vertx;
    private final StoreClient store;
    private final Watcher watcher;
    private final Consumer<StoreView> shown;
    private final OrderLine orders;
    private final Promise<StoreView> first = Promise.promise();
    private final Promise<Void> sessionClosed = Promise.promise();
    /** Null until it plans. */
    private @Nullable Controller controller;

    private @Nullable StoreView view;
    private long timer;
    private boolean closeSent;

    /**
     * A loop that does not run yet; call everything on the event loop that creates it.
     *
     * @param shown gets each view for the front door, before the controller plans on it
     */
    public ControllerLoop(Vertx vertx, StoreClient store, Consumer<StoreView> shown) {
        this.vertx = vertx;
        this.store = store;
        this.shown = shown;
        this.watcher = new Watcher(vertx, store, this::viewed);
        this.orders = new OrderLine(vertx);
    }

    /**
     * Begins to watch.
     *
     * @return the first view, once it was shown; never fails
     */
    public Future<StoreView> watch() {
        watcher.start();
        return first.future();
    }

    /** Watches no more; for a router that never planned. */
    public void leave() {
        watcher.stop();
    }

    /** Begins to plan: opens the controller's session, and wakes it with what was seen. */
    public void start(Controller starting) {
        controller = starting;
        if (view != null) {
            starting.woken(view, SystemClocks.read());
        }
        timer = vertx.setPeriodic(0, TICK_MILLIS, fired -> tick(starting));
    }

    private Controller controller() {
        return Objects.requireNonNull(controller, "the controller was not started");
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
        controller().close(SystemClocks.read());
        carryOut(controller());
        endIfNothingToClose();
        return sessionClosed.future().eventually(orders::close);
    }

    private void endIfNothingToClose() {
        if (controller().closed() && !closeSent) {
            sessionClosed.tryComplete();
        }
    }

    private void viewed(StoreView seen) {
        view = seen;
        shown.accept(seen);
        first.tryComplete(seen);
        if (controller != null) {
            controller.woken(seen, SystemClocks.read());
            carryOut(controller);
        }
    }

    private void tick(Controller running) {
        running.tick(SystemClocks.read());
        carryOut(running);
    }

    private void carryOut(Controller running) {
        for (var effects = running.takeEffects(); !effects.isEmpty(); effects = running.takeEffects()) {
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
            controller().answered(send.call(), outcome.result(), now);
        } else if (NotSubmittedException.isMeantBy(outcome.cause())) {
            controller().notSubmitted(send.call(), now);
        } else {
            controller().unanswered(send.call(), now);
        }
        carryOut(controller());
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
