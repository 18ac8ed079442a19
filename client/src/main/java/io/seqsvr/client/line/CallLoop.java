package io.seqsvr.client.line;

import io.seqsvr.client.line.LineCounts.Event;
import io.seqsvr.client.line.LineCounts.Outcome;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.front.CallEffect;
import io.seqsvr.core.front.CallLimits;
import io.seqsvr.core.front.Calls;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.front.Verifier;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.route.Picture;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.RoutesCodec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of one caller on one event loop. Calls come from any thread through a {@link Mailbox}; all that came
 * leaves together, so calls are merged without a timer. Time is looked at while calls are open: an idle line has no
 * timer.
 *
 * <p>Invariant: every call that was taken ends once, by its deadline, or when the loop is closed.
 */
public final class CallLoop {
    private static final long TICK_MILLIS = 5;
    /** An owner may keep frames for long while StoreSvr elects; calls go out again earlier, but the stream stays. */
    private static final int PATIENCES_UNTIL_GONE = 10;

    private final Vertx vertx;
    private final Context context;
    private final CallLimits limits;
    private final Calls<CallEnd> calls;
    private final OwnerStreams streams;
    private final FrameColumns columns = new FrameColumns();
    private final PassedFrames passed;
    private final Mailbox<CallEnd> mailbox;
    private final LineCounts counts = new LineCounts();
    private final BookDoubt doubt;
    /** Null where nobody listens to what owners show. */
    private @Nullable Consumer<RouteChanges> hearsay;

    private final Promise<Void> closed = Promise.promise();
    private volatile boolean closing;
    private volatile boolean over;
    private boolean ticking;
    private boolean carrying;
    /** Whether calls that were made here are about to leave. */
    private boolean leaving;

    private final OwnerTroubles troubles = new OwnerTroubles();
    private volatile String whyBlind = "nobody has shown it yet";

    /**
     * A loop without calls, which knows no owner.
     *
     * @param vertx one event loop of it runs everything
     * @param limits of calls and frames; 1 more than {@code openCalls} is refused at once
     * @param connectTimeoutMillis how long a connection to an owner may take to come about, above 0
     * @param verifier looks at the answers
     * @param random for jitter
     * @param doubt is told on the loop that the picture is {@link RouteBook#doubtful}, at most every 200 ms while it is
     */
    public CallLoop(
            Vertx vertx,
            CallLimits limits,
            int connectTimeoutMillis,
            Verifier verifier,
            RandomGenerator random,
            Consumer<RouteBook> doubt) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.limits = limits;
        this.calls = new Calls<>(limits, random, verifier);
        this.mailbox = new Mailbox<>(
                limits.openCalls(),
                work -> context.runOnContext(here -> work.run()),
                this::work,
                late -> late.unanswered("the client is closed"));
        long patience = PATIENCES_UNTIL_GONE * limits.patienceNanos();
        Supplier<OwnerStreams> newStreams =
                () -> new OwnerStreams(vertx, connectTimeoutMillis, patience, new Replies(), random);
        this.streams = newStreams.get();
        this.passed = new PassedFrames(context, newStreams);
        this.doubt = new BookDoubt(doubt);
    }

    /** What happened so far, in numbers. */
    public LineCounts counts() {
        return counts;
    }

    /** The context on which it runs. */
    public Context context() {
        return context;
    }

    /**
     * Takes a call, from any thread. If too many are open it ends at once, refused; if the loop is closed, unanswered.
     */
    public void call(CallEnd call) {
        if (closing) {
            call.unanswered("the client is closed");
        } else if (!mailbox.put(call)) {
            counts.overloaded();
            call.answered(new Answer.Refused(
                    Refusal.TOO_MANY_WAITING, "more than " + limits.openCalls() + " calls of this caller are open"));
        }
    }

    /**
     * The same on the loop itself, with what else is asked for in the same turn. It takes no room in the box of the
     * other threads, which whoever makes thousands of calls in one turn would fill for everybody.
     */
    public void callHere(CallEnd call) {
        if (closing) {
            call.unanswered("the client is closed");
            return;
        }
        put(call, System.nanoTime());
        if (!leaving) {
            leaving = true;
            context.runOnContext(turn -> {
                leaving = false;
                carryOut();
            });
        }
    }

    private void put(CallEnd call, long now) {
        long leftNanos = call.madeAtNanos() + call.timeoutNanos() - now;
        calls.put(call, call.call(), call.caller(), call.leastEpoch(), leftNanos, now);
    }

    /** Everything that was put down by now leaves together. */
    private void work() {
        if (over) {
            mailbox.close();
            return;
        }
        long now = System.nanoTime();
        mailbox.take(call -> put(call, now));
        carryOut();
    }

    /**
     * Takes in a picture of the cluster, from any thread.
     *
     * @param clusterId which cluster it is; owners of another one refuse what is meant for it
     */
    public void learn(String clusterId, Picture picture) {
        context.runOnContext(here -> {
            if (calls.learn(picture)) {
                keep(clusterId, picture, hearsay == null ? 0 : picture.version());
                carryOut();
            }
        });
    }

    private void keep(String clusterId, Picture picture, long named) {
        streams.keep(clusterId, picture, named);
        passed.keep(clusterId, picture, named);
    }

    /**
     * From the next picture on, owners that refuse are asked to show what they know, if that is newer.
     *
     * @param toHearsay is told of it on the loop, before the calls that were refused; gives the picture that comes of
     *     it to {@link #learn}; throws IllegalArgumentException if none does
     */
    public void listen(Consumer<RouteChanges> toHearsay) {
        context.runOnContext(here -> hearsay = toHearsay);
    }

    private void hear(Buffer routes) {
        if (hearsay == null) {
            return;
        }
        try {
            hearsay.accept(RoutesCodec.decode(routes));
        } catch (IllegalArgumentException nonsense) {
            counts.add(Event.MALFORMED, 1);
        }
    }

    private void carryOut() {
        if (carrying) {
            return;
        }
        carrying = true;
        try {
            long now = System.nanoTime();
            for (var effects = calls.takeEffects(now); !effects.isEmpty(); effects = calls.takeEffects(now)) {
                Each.of(effects, effect -> carryOut(effect, now));
                streams.flush();
            }
        } finally {
            carrying = false;
            if (calls.open() > 0) {
                tickOn();
            }
        }
        publish();
        if (calls.open() == 0) {
            finishIfClosing();
        }
    }

    private void tickOn() {
        if (!ticking) {
            ticking = true;
            vertx.setTimer(TICK_MILLIS, fired -> tick());
        }
    }

    /** Some callers have gone, only on the loop: what they wait for ends soon, and is not sent if it was not before. */
    public void callersLeft() {
        calls.callersLeft(System.nanoTime());
    }

    /** What is known of owners; only on the loop. */
    public RouteBook book() {
        return calls.book();
    }

    /**
     * Sends a frame that somebody else has made, only on the loop. Frames that are passed on together leave together.
     *
     * @param address of the owner, HOST:PORT
     * @param frame is told what becomes of it by then, also if the loop is closed
     * @param throughLog whether its owner confirms it through the log before it answers, as far as is known
     * @param times until when it is waited for
     */
    public void pass(String address, OutgoingFrame frame, boolean throughLog, FrameTimes times) {
        if (over) {
            frame.unanswered("the client is closed");
            return;
        }
        passed.send(address, frame, throughLog, times, System.nanoTime());
        tickOn();
    }

    private void carryOut(CallEffect<CallEnd> effect, long now) {
        if (effect instanceof CallEffect.Answered<CallEnd> answered) {
            end(answered.ticket(), answered.answer(), now);
        } else if (effect instanceof CallEffect.Send<CallEnd> send) {
            counts.add(Event.FRAMES, 1);
            counts.add(Event.FRAMED_CALLS, send.frame().places().size());
            streams.send(send.frame().address(), new SentFrame(send.frame()), now);
        } else if (effect instanceof CallEffect.Unanswered<CallEnd> unanswered) {
            var call = unanswered.ticket();
            counts.ended(call.call().verb(), Outcome.UNKNOWN, now - call.madeAtNanos());
            call.unanswered(over ? "the client was closed" : troubles.of(unanswered.owner()));
        }
    }

    /** Why no picture has come yet, from any thread: a sentence for calls that end meanwhile. */
    public void blind(String why) {
        whyBlind = why;
    }

    private void end(CallEnd call, Answer answer, long now) {
        boolean refused = answer instanceof Answer.Refused;
        counts.ended(call.call().verb(), refused ? Outcome.REFUSED : Outcome.ANSWERED, now - call.madeAtNanos());
        call.answered(refused && calls.book().picture().isEmpty() ? blinded((Answer.Refused) answer) : answer);
    }

    private Answer.Refused blinded(Answer.Refused refused) {
        return new Answer.Refused(refused.refusal(), refused.message() + "; no picture of the cluster: " + whyBlind);
    }

    private void publish() {
        counts.show(calls);
        doubt.look(calls.book(), calls.open() > 0);
    }

    private void tick() {
        ticking = false;
        // First, whatever comes of the rest: without a next tick no deadline would be kept.
        if (calls.open() > 0 || !passed.isEmpty()) {
            tickOn();
        }
        long now = System.nanoTime();
        streams.tick(now);
        passed.tick(now);
        calls.tick(now);
        carryOut();
    }

    /** A frame of these calls. */
    private final class SentFrame implements OutgoingFrame {
        private final Frame frame;

        SentFrame(Frame frame) {
            this.frame = frame;
        }

        @Override
        public FrameCalls calls() {
            // What is not answered by then goes out again, or has ended. A router, to whom nobody listens, is not told:
            // it would keep the answers of all until it has the last one.
            return columns.write(frame).timeoutMillis(hearsay == null ? 0 : waitsMillis());
        }

        private long waitsMillis() {
            long waits = Math.min(limits.patienceNanos(), frame.timeLeftNanos());
            return Math.max(1, TimeUnit.NANOSECONDS.toMillis(waits));
        }

        @Override
        public void answered(FrameReply reply) throws BadReplyException {
            troubles.over(frame.address());
            calls.answered(frame.correlation(), columns.read(frame, reply), System.nanoTime());
        }

        @Override
        public void unanswered(String why) {
            troubles.add(frame.address(), why);
            calls.unanswered(frame.correlation(), System.nanoTime());
        }
    }

    /** What streams say. */
    private final class Replies implements OwnerStream.Listener {
        @Override
        public void malformed() {
            counts.add(Event.MALFORMED, 1);
        }

        @Override
        public void shown(Buffer routes) {
            hear(routes);
        }

        @Override
        public void connecting() {
            counts.add(Event.STREAMS, 1);
        }

        @Override
        public void told() {
            carryOut();
        }
    }

    /**
     * Takes no more calls, lets those that are open end, and closes the connections.
     *
     * @param patienceMillis what is open then ends unanswered; at least 1
     * @return succeeds when all that is done
     */
    public Future<Void> close(long patienceMillis) {
        closing = true;
        context.runOnContext(here -> {
            work();
            vertx.setTimer(patienceMillis, fired -> finish());
        });
        return closed.future();
    }

    private void finishIfClosing() {
        if (closing && mailbox.isEmpty()) {
            finish();
        }
    }

    private void finish() {
        if (over) {
            return;
        }
        over = true;
        try {
            calls.endAll(System.nanoTime());
            passed.endAll();
            carryOut();
        } finally {
            // Whatever comes of the rest: who closes waits for this.
            mailbox.close();
            Future.join(streams.close(), passed.close()).onComplete(left -> closed.complete());
        }
    }
}
