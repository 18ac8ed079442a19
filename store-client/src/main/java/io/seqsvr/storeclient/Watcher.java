package io.seqsvr.storeclient;

import io.seqsvr.core.store.StoreView;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one long poll at StoreSvr and hands every newer view on. Use it from one context. */
public final class Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);
    private static final Duration HOLD = Duration.ofSeconds(20);
    private static final long RETRY_LEAST_MILLIS = 20;
    private static final long RETRY_MOST_MILLIS = 500;

    private final Vertx vertx;
    private final StoreClient store;
    private final Consumer<StoreView> seen;
    private long version;
    /** Counts polls; only what becomes of the last one is followed by another. */
    private long poll;

    private long retryMillis = RETRY_LEAST_MILLIS;
    private boolean failing;
    private boolean stopped;

    /**
     * A watcher that does not poll yet.
     *
     * @param seen gets each view that is newer than the last
     */
    public Watcher(Vertx vertx, StoreClient store, Consumer<StoreView> seen) {
        this.vertx = vertx;
        this.store = store;
        this.seen = seen;
    }

    /** Polls until {@link #stop}. */
    public void start() {
        if (stopped) {
            return;
        }
        poll++;
        long mine = poll;
        store.watch(version, HOLD).onComplete(answer -> {
            if (stopped) {
                return;
            }
            if (answer.succeeded()) {
                // News are news, even from a poll that was given up.
                answer.result().filter(view -> view.version() > version).ifPresent(this::take);
            }
            if (mine == poll) {
                goOn(answer);
            }
        });
    }

    private void goOn(AsyncResult<Optional<StoreView>> answer) {
        if (answer.succeeded()) {
            recovered();
            start();
        } else {
            failed(answer.cause());
        }
    }

    /** Gives up the poll under way, which shows nothing new although there is something, and asks another peer. */
    public void elsewhere() {
        LOG.info("event=watch_elsewhere version={}", version);
        store.watchElsewhere();
        start();
    }

    /** Polls no more; an answer under way is ignored. */
    public void stop() {
        stopped = true;
    }

    private void take(StoreView view) {
        version = view.version();
        try {
            seen.accept(view);
        } catch (RuntimeException defect) {
            // Without this the polling would end silently, and no later change would ever be seen.
            LOG.error("event=defect where=watcher version={} error=\"{}\"", version, defect.getMessage(), defect);
        }
    }

    private void recovered() {
        retryMillis = RETRY_LEAST_MILLIS;
        if (failing) {
            failing = false;
            LOG.info("event=watch_recovered version={}", version);
        }
    }

    private void failed(Throwable cause) {
        if (!failing) {
            failing = true;
            LOG.warn(
                    "event=watch_failed error=\"{}\"",
                    Optional.ofNullable(cause.getMessage()).orElse("unknown"));
        }
        long failed = poll;
        vertx.setTimer(retryMillis, again -> {
            if (failed == poll) {
                start();
            }
        });
        retryMillis = Math.min(RETRY_MOST_MILLIS, retryMillis * 2);
    }
}
