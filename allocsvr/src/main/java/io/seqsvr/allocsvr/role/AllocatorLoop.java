package io.seqsvr.allocsvr.role;

import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.AllocatorEffect;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.alloc.OpenFrame;
import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.core.namespace.SegmentId;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an {@link Allocator}: ticks it, carries out its effects, and reads the clocks where an answer leaves, after
 * its numbers were taken, unless the log has confirmed it. Everything here runs on one event loop.
 */
public final class AllocatorLoop {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorLoop.class);
    private static final long TICK_MILLIS = 10;
    /** How long StoreSvr may take until it gives nothing more; then the session is closed all the same. */
    private static final long LEAVING_MILLIS = 2_000;
    /** How long it may then take until others have the segments with their counters. */
    private static final long GIVING_AWAY_MILLIS = 8_000;
    /** When, at the latest, a stop sends the end of the session to StoreSvr. */
    public static final long CLOSES_WITHIN_MILLIS = LEAVING_MILLIS + GIVING_AWAY_MILLIS;

    private final Vertx vertx;
    private final Allocator allocator;
    private final StoreClient store;
    private final Consumer<StoreView> shown;
    private final Consumer<Throwable> fatal;
    private final Watcher watcher;
    private final PeerLine peers;
    private final AllocatorMeters meters;
    private final WaitingCalls waiting;
    private final WaitingFrames waitingFrames;

    private final StoreSpells spells = new StoreSpells();
    private final Promise<Void> sessionClosed = Promise.promise();
    private long timer;
    private boolean closing;
    private boolean closeSent;

    /**
     * A loop that does not run yet; call everything on the event loop that creates it.
     *
     * @param mostWaiting requests that may wait at the allocator
     * @param shown gets each view that the allocator was woken with, after it
     * @param fatal stops the process: called when an invariant is broken, after which nothing here can be trusted
     */
    public AllocatorLoop(
            Vertx vertx,
            Allocator allocator,
            int mostWaiting,
            StoreClient store,
            MeterRegistry registry,
            Consumer<StoreView> shown,
            Consumer<Throwable> fatal) {
        this.vertx = vertx;
        this.allocator = allocator;
        this.store = store;
        this.shown = shown;
        this.fatal = fatal;
        this.watcher = new Watcher(vertx, store, this::woken);
        this.peers = new PeerLine(vertx);
        this.meters = new AllocatorMeters(registry);
        this.waiting = new WaitingCalls(vertx, new JointRoom(mostWaiting), over -> guarded(over), allocator::forget);
        this.waitingFrames = new WaitingFrames(vertx, over -> guarded(() -> giveUp(over)));
    }

    /** Begins to tick and to watch. */
    public void start() {
        timer = vertx.setPeriodic(0, TICK_MILLIS, fired -> tick());
        watcher.start();
    }

    /**
     * Serves one call.
     *
     * @param timeoutMillis how long its caller waits; if the call does too, it is refused then
     * @param caller once it is gone the call waits no longer
     */
    public Future<Answer> alone(Wanted wanted, long timeoutMillis, Caller caller) {
        return guarded(() -> go(JointCalls.take(allocator, wanted, SystemClocks.read()), timeoutMillis, caller));
    }

    /**
     * Serves calls that came together: each as if it had come alone, but their answers leave together.
     *
     * @param calls in the order in which numbers are to be taken; at least one
     * @param timeoutMillis how long their caller waits; those that do too are refused then
     * @param caller of all of them
     * @return one answer for each call, in order
     */
    public Future<List<Answer>> together(List<Wanted> calls, long timeoutMillis, Caller caller) {
        return guarded(() -> new JointCalls(allocator, calls).begin(waiting, timeoutMillis, caller))
                .onSuccess(answers -> answers.forEach(this::count));
    }

    /** Some callers have gone: what waits for them goes on soon, with an answer that nobody hears. */
    public void callersLeft() {
        waiting.callersLeft();
    }

    /** What another allocator said together: what follows from it goes to StoreSvr as one command. */
    public void heard(long from, List<PeerMessage> messages) {
        guarded(() -> allocator.heard(from, messages, SystemClocks.read()));
    }

    /**
     * Begins to hand segments over; what is not served here is passed over, and all of them if the receiver is given
     * nothing, as far as was seen.
     *
     * @param to session of the receiver
     * @return how many of them are on their way, or will be
     */
    public int handOver(List<SegmentId> segments, long to) {
        int owned = peers.mayReceive(to)
                ? (int) segments.stream().filter(allocator::owns).count()
                : 0;
        LOG.info("event=hand_over_ordered session={} to={} segments={}", allocator.session(), to, owned);
        guarded(() -> allocator.handOver(segments, to, SystemClocks.read()));
        return owned;
    }

    /**
     * Begins to hand everything over, and takes nothing more.
     *
     * @return segments that are still owned
     */
    public int drain() {
        if (!allocator.leaving()) {
            LOG.info("event=draining session={} segments={}", allocator.session(), allocator.segmentsOwned());
        }
        guarded(() -> allocator.drain(SystemClocks.read()));
        return allocator.segmentsOwned();
    }

    /** The open session, 0 if there is none. */
    public long session() {
        return allocator.session();
    }

    /** The cluster, empty before StoreSvr's first answer. */
    public String cluster() {
        return store.cluster();
    }

    /** Closes the line to other allocators. */
    public Future<Void> closePeers() {
        return peers.close();
    }

    /**
     * Answers a frame.
     *
     * @param calls not kept
     * @param later takes the answers if some of its calls have to wait
     * @return the answers if none has to
     */
    public Optional<FrameAnswers> frame(FrameCalls calls, Consumer<FrameAnswers> later) {
        Optional<OpenFrame> ended = guarded(() -> {
            var frame = allocator.frame(calls, SystemClocks.read());
            if (frame.ended()) {
                return Optional.of(frame);
            }
            waitingFrames.put(frame, calls.timeoutMillis(), over -> later.accept(finish(over)));
            return Optional.empty();
        });
        return ended.map(frame -> guarded(() -> finish(frame)));
    }

    private void giveUp(OpenFrame frame) {
        allocator.giveUp(frame);
        waitingFrames.ended(frame);
    }

    private FrameAnswers finish(OpenFrame frame) {
        // The clocks are read here: after the last number was taken.
        var answers = allocator.release(frame, SystemClocks.read());
        meters.answered(frame.calls(), answers);
        return answers;
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
            vertx.setTimer(LEAVING_MILLIS, fired -> {
                if (allocator.givesAway() && !allocator.stopped()) {
                    vertx.setTimer(GIVING_AWAY_MILLIS, again -> hurry());
                } else {
                    hurry();
                }
            });
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
                    "event=counters_not_given_back session={} segments={}",
                    allocator.session(),
                    allocator.segmentsOwned());
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
        guarded(waiting::giveUpUnheard);
        meters.show(allocator, now);
        endIfStopped();
    }

    private void woken(StoreView view) {
        peers.seen(view);
        guarded(() -> allocator.woken(view, SystemClocks.read()));
        shown.accept(view);
    }

    private Future<Answer> go(Step step, long timeoutMillis, Caller caller) {
        if (step instanceof Step.Waiting wait) {
            Promise<Answer> promise = Promise.promise();
            waiting.put(wait, caller, later -> promise.complete(finish(later)));
            var inTime = waiting.atTheEndOf(timeoutMillis, () -> waiting.giveUp(List.of(wait)));
            return promise.future().onComplete(ended -> inTime.run());
        }
        return Future.succeededFuture(finish(step));
    }

    /** The only place where the answer of a request of its own leaves. */
    private Answer finish(Step step) {
        var answer = JointCalls.leaving(allocator, step);
        count(answer);
        return answer;
    }

    private void count(Answer answer) {
        if (answer instanceof Answer.Range range) {
            meters.handedOut(range.last() - range.first() + 1);
        }
    }

    private void guarded(Runnable input) {
        guarded(() -> {
            input.run();
            return true;
        });
    }

    /** Gives the allocator one input and carries out what follows; an Error too may leave something half done. */
    private <T> T guarded(Supplier<T> input) {
        try {
            var result = input.get();
            carryOut();
            return result;
        } catch (Throwable broken) {
            fatal.accept(broken);
            throw broken;
        }
    }

    private void carryOut() {
        for (var effects = allocator.takeEffects(); !effects.isEmpty(); effects = allocator.takeEffects()) {
            effects.forEach(this::carryOut);
            tell(effects);
        }
    }

    /** What is said to one allocator at a time goes in one call. */
    private void tell(List<AllocatorEffect> effects) {
        List<AllocatorEffect.Tell> told = List.of();
        for (var effect : effects) {
            if (effect instanceof AllocatorEffect.Tell tell) {
                if (told.isEmpty()) {
                    told = new ArrayList<>();
                }
                told.add(tell);
            }
        }
        if (!told.isEmpty()) {
            peers.tell(store.cluster(), allocator.session(), told);
        }
    }

    private void carryOut(AllocatorEffect effect) {
        if (effect instanceof AllocatorEffect.Send send) {
            closeSent |= send.command() instanceof StoreCommand.CloseSession;
            store.execute(send.command()).onComplete(outcome -> told(send, outcome));
        } else if (effect instanceof AllocatorEffect.Resume resume) {
            waiting.goesOn(resume.ticket(), resume.step());
        } else if (effect instanceof AllocatorEffect.FrameEnded ended) {
            waitingFrames.ended(ended.frame());
        } else if (effect instanceof AllocatorEffect.WatchElsewhere) {
            watcher.elsewhere();
        } else if (effect instanceof AllocatorEffect.Report report) {
            EventLog.write(report.event());
            meters.note(report.event());
        } else if (!(effect instanceof AllocatorEffect.Tell)) {
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
            spells.answered(now, allocator.session());
            // A session that is refused has its own line.
            if (outcome.result() instanceof StoreReply.Rejected rejected
                    && !(send.command() instanceof StoreCommand.OpenSession)) {
                LOG.error("event=command_rejected command=\"{}\" reason=\"{}\"", send.command(), rejected.reason());
            }
            guarded(() -> allocator.answered(send.call(), outcome.result(), now));
        } else {
            spells.failed(
                    now, allocator.session(), String.valueOf(outcome.cause().getMessage()));
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
}
