package io.seqsvr.allocsvr.role;

import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.AllocatorEffect;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storeclient.Watcher;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an {@link Allocator}: ticks it, carries out its effects, and reads the clocks at the one place where an answer
 * leaves, unless the log has confirmed it. Everything here runs on one event loop.
 */
public final class AllocatorLoop {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorLoop.class);
    private static final long TICK_MILLIS = 10;
    /** How long giving segments back with their counters may take; then the session is closed all the same. */
    private static final long GIVING_BACK_MILLIS = 2_000;

    private final Vertx vertx;
    private final Allocator allocator;
    private final StoreClient store;
    private final Consumer<Throwable> fatal;
    private final Watcher watcher;
    private final AllocatorMeters meters;
    private final Map<Long, Promise<Answer>> waiting = new HashMap<>();
    private final Promise<Void> sessionClosed = Promise.promise();
    private long timer;
    private boolean storeFailing;
    private boolean closing;
    private boolean closeSent;

    /**
     * A loop that does not run yet; call everything on the event loop that creates it.
     *
     * @param fatal stops the process: called when an invariant is broken, after which nothing here can be trusted
     */
    public AllocatorLoop(
            Vertx vertx, Allocator allocator, StoreClient store, MeterRegistry registry, Consumer<Throwable> fatal) {
        this.vertx = vertx;
        this.allocator = allocator;
        this.store = store;
        this.fatal = fatal;
        this.watcher = new Watcher(vertx, store, this::woken);
        this.meters = new AllocatorMeters(registry);
    }

    /** Begins to tick and to watch. */
    public void start() {
        timer = vertx.setPeriodic(0, TICK_MILLIS, fired -> tick());
        watcher.start();
    }

    /** Takes sequences. */
    public Future<Answer> next(String namespace, long uid, long count) {
        return guarded(() -> go(allocator.next(namespace, uid, count, SystemClocks.read())));
    }

    /** Reads a user's last sequence. */
    public Future<Answer> current(String namespace, long uid) {
        return guarded(() -> go(allocator.current(namespace, uid, SystemClocks.read())));
    }

    /** Whether a request for a segment of this allocator would be answered now. */
    public boolean ready() {
        return allocator.ready(SystemClocks.read());
    }

    /**
     * Gives every segment back with its exact counters, then closes the session. If StoreSvr does not take them in
     * time, the session is closed without.
     *
     * @return done when StoreSvr took the close in, failed if it did not answer: then the session expires by itself
     */
    public Future<Void> close() {
        closing = true;
        guarded(() -> allocator.stop(SystemClocks.read()));
        if (!allocator.stopped()) {
            vertx.setTimer(GIVING_BACK_MILLIS, fired -> hurry());
        }
        endIfStopped();
        return sessionClosed.future();
    }

    private void hurry() {
        if (allocator.stopped()) {
            return;
        }
        if (allocator.session() != 0) {
            LOG.warn(
                    "event=counters_not_given_back session={} segments={} waited_ms={}",
                    allocator.session(),
                    allocator.segmentsOwned(),
                    GIVING_BACK_MILLIS);
        }
        guarded(() -> allocator.close(SystemClocks.read()));
        endIfStopped();
    }

    private void endIfStopped() {
        if (closing && allocator.stopped()) {
            vertx.cancelTimer(timer);
            watcher.stop();
            if (!closeSent) {
                sessionClosed.tryComplete();
            }
        }
    }

    private void tick() {
        var now = SystemClocks.readWithBoot();
        guarded(() -> allocator.tick(now));
        meters.show(allocator, now);
        endIfStopped();
    }

    private void woken(StoreView view) {
        guarded(() -> allocator.woken(view, SystemClocks.read()));
    }

    private Future<Answer> go(Step step) {
        if (step instanceof Step.Waiting wait) {
            Promise<Answer> promise = Promise.promise();
            waiting.put(wait.ticket(), promise);
            return promise.future();
        }
        return Future.succeededFuture(finish(step));
    }

    /** The only place where an answer leaves. */
    private Answer finish(Step step) {
        var answer = leaving(step);
        if (answer instanceof Answer.Range range) {
            meters.handedOut(range.last() - range.first() + 1);
        }
        return answer;
    }

    private Answer leaving(Step step) {
        if (step instanceof Step.Taken taken) {
            // The clocks are read here: after the numbers were taken.
            return allocator.release(taken, SystemClocks.read());
        }
        if (step instanceof Step.Confirmed confirmed) {
            return confirmed.answer();
        }
        if (step instanceof Step.Stopped stopped) {
            return stopped.answer();
        }
        throw new IllegalStateException("a request waits twice: " + step);
    }

    private void guarded(Runnable input) {
        guarded(() -> {
            input.run();
            return true;
        });
    }

    /** Gives the allocator one input and carries out what follows from it. */
    private <T> T guarded(Supplier<T> input) {
        try {
            var result = input.get();
            carryOut();
            return result;
        } catch (RuntimeException broken) {
            fatal.accept(broken);
            throw broken;
        }
    }

    private void carryOut() {
        for (var effects = allocator.drain(); !effects.isEmpty(); effects = allocator.drain()) {
            effects.forEach(this::carryOut);
        }
    }

    private void carryOut(AllocatorEffect effect) {
        if (effect instanceof AllocatorEffect.Send send) {
            closeSent |= send.command() instanceof StoreCommand.CloseSession;
            store.execute(send.command()).onComplete(outcome -> told(send, outcome));
        } else if (effect instanceof AllocatorEffect.Resume resume) {
            var promise = waiting.remove(resume.ticket());
            if (promise == null) {
                throw new IllegalStateException("nobody waits with ticket " + resume.ticket());
            }
            promise.complete(finish(resume.step()));
        } else if (effect instanceof AllocatorEffect.WatchElsewhere) {
            watcher.elsewhere();
        } else if (effect instanceof AllocatorEffect.Report report) {
            EventLog.write(report.event());
        } else if (effect instanceof AllocatorEffect.Tell tell) {
            // Only a hand-over makes the allocator tell another one something, and nobody begins one yet.
            throw new IllegalStateException("there is no line to session " + tell.to() + " for segment "
                    + tell.message().segment() + " in epoch " + tell.message().epoch()
                    + ": allocators do not talk to each other yet, so no hand-over may begin");
        } else {
            throw new IllegalStateException("unknown effect " + effect);
        }
    }

    private void told(AllocatorEffect.Send send, AsyncResult<StoreReply> outcome) {
        var now = SystemClocks.read();
        if (send.command() instanceof StoreCommand.Raise) {
            meters.raise(outcome.succeeded());
        }
        if (send.command() instanceof StoreCommand.CloseSession) {
            closed(outcome);
        }
        if (outcome.succeeded()) {
            noteStore(false, "");
            if (outcome.result() instanceof StoreReply.Rejected rejected) {
                LOG.error("event=command_rejected command=\"{}\" reason=\"{}\"", send.command(), rejected.reason());
            }
            guarded(() -> allocator.answered(send.call(), outcome.result(), now));
        } else {
            noteStore(true, String.valueOf(outcome.cause().getMessage()));
            guarded(() -> allocator.unanswered(send.call(), now));
        }
    }

    private void closed(AsyncResult<StoreReply> outcome) {
        if (outcome.succeeded()) {
            sessionClosed.tryComplete();
        } else {
            sessionClosed.tryFail(outcome.cause());
        }
    }

    private void noteStore(boolean failing, String error) {
        if (failing && !storeFailing) {
            LOG.warn("event=store_unreachable session={} error=\"{}\"", allocator.session(), error);
        } else if (!failing && storeFailing) {
            LOG.info("event=store_reachable session={}", allocator.session());
        }
        storeFailing = failing;
    }
}
