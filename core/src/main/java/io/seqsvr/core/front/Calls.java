package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.route.Picture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one caller, a smart client or a router's proxy, as a role: they are put down, leave in frames, are tried
 * again where that helps, and end; without a clock, a thread or a socket.
 *
 * <p>Calls are merged without a timer. What was put down since the last {@link #takeEffects} leaves at once, one frame
 * for each owner, namespace and verb, as {@link CallLimits} let; what has to wait for one of these shares the next.
 *
 * <p>The caller's duties: call every method from one thread; have one object in a process; {@link #tick} every few
 * milliseconds; after each call or a few carry out what {@link #takeEffects} returns, in order; fetch a picture of the
 * cluster where the book is {@link RouteBook#outdated}.
 *
 * <p>Invariants: a call joins only a frame that has not been sent. Every sending is an attempt of its own, with a
 * correlation id that is never used again and a fixed list of calls; its reply, however late, serves those of them that
 * are still open, and nobody else; but of those given up a call knows only the latest few. A call ends once.
 *
 * @param <T> what the caller knows a call by: its end names it
 */
public final class Calls<T> {
    private static final Answer.Refused DISBELIEVED = new Answer.Refused(
            Refusal.NOT_OWNER, "the answer came under an older epoch than was known when it was asked for");

    private final RouteBook book;
    private final CallLimits limits;
    private final Guards guards;
    private final Verifier verifier;
    private final OpenRoom room;
    private final FirstLook<T> firstLook;
    private final Lines<T> lines;
    private final Whereabouts<T> whereabouts;
    /** Sent and not answered, those that were given up included while they hold an open call. */
    private final Map<Long, Attempt<T>> attempts = new HashMap<>();
    /** To be sent to whoever is the owner when they are. */
    private final Deque<OpenCall<T>> ready = new ArrayDeque<>();

    private final BiConsumer<Attempt<T>, Frame> sending = this::sent;
    private final RestingCalls<T> resting;
    private List<CallEffect<T>> effects = new ArrayList<>();
    private long backward;
    private long retries;
    private long lateReplies;

    /**
     * No calls yet, and nothing known of owners.
     *
     * @param random for jitter
     * @param verifier looks at the answers
     */
    public Calls(CallLimits limits, RandomGenerator random, Verifier verifier) {
        this(limits, random, verifier, Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public Calls(CallLimits limits, RandomGenerator random, Verifier verifier, Guards guards) {
        this.book = new RouteBook(guards);
        this.limits = limits;
        this.resting = new RestingCalls<>(random);
        this.verifier = verifier;
        this.guards = guards;
        this.room = new OpenRoom(limits);
        this.firstLook = new FirstLook<>(book, verifier);
        this.lines = new Lines<>(limits, ready);
        this.whereabouts = new Whereabouts<>(ready, resting, lines);
    }

    /** What is known of owners. Pictures come by {@link #learn}. */
    public RouteBook book() {
        return book;
    }

    /**
     * Takes in a picture of the cluster: what still waits for an owner's frame, or rests because another owner did not
     * answer it, goes to whom the picture shows.
     *
     * @return whether it was taken in, as no newer one is known
     */
    public boolean learn(Picture shown) {
        boolean newer = book.learn(shown);
        if (newer) {
            lines.makeAllReady();
            resting.wake(call -> call.hasNewOwner(book), ready);
        }
        return newer;
    }

    /**
     * Puts a call down: it leaves with the next {@link #takeEffects} that finds room. What comes of it is a
     * {@link CallEffect.Answered} or a {@link CallEffect.Unanswered}, once.
     *
     * @param ticket its end will name it
     * @param leastEpoch answered under no older epoch, read as unsigned; 0 for any. It is not sent before an epoch as
     *     new is known: in a frame it would have the owner refuse the calls of others too
     * @param timeoutNanos when it ends at the latest, from now; some milliseconds later where thousands are open
     */
    public void put(T ticket, Call call, long leastEpoch, long timeoutNanos, long nowNanos) {
        put(ticket, call, Caller.ALONE, leastEpoch, timeoutNanos, nowNanos);
    }

    /**
     * The same for one of many callers. Once it is gone the call ends, and is not sent if it was not before.
     *
     * @param caller looked at while the call is open, on this thread; {@link #callersLeft} says that it is worth it
     */
    public void put(T ticket, Call call, Caller caller, long leastEpoch, long timeoutNanos, long nowNanos) {
        var share = room.of(call.namespaceName());
        var opened = new OpenCall<>(ticket, call, caller, share, leastEpoch, nowNanos + timeoutNanos);
        if (caller.isGone()) {
            effects.add(opened.endUnheard());
            return;
        }
        var refused = room.refusal(opened);
        if (refused != null && !(room.hasReserve(opened) && book.answers(call.namespaceName(), call.uid()))) {
            effects.add(opened.answered(refused));
            return;
        }
        room.admit(opened);
        if (guards.on(Guard.CALL_JOINS_BEFORE_SENDING) || !joinsLate(opened)) {
            ready.add(opened);
        }
    }

    /** Only where the guard is missing that closes a frame when it is sent. */
    private boolean joinsLate(OpenCall<T> call) {
        return find(call) instanceof Routing.Owner && lines.joinsLate(call);
    }

    /**
     * An owner answered a frame. A second reply to it changes nothing.
     *
     * @param correlation of the frame
     * @param answers one for each of its places, in order; any other number of them answers nobody
     */
    public void answered(long correlation, List<Answer> answers, long nowNanos) {
        var attempt = attempts.remove(correlation);
        if (attempt == null) {
            return;
        }
        attempt.lane().line().heard();
        if (answers.size() != attempt.size()) {
            giveUp(attempt, nowNanos);
            attempt.joined().forEach(call -> call.forget(attempt));
            return;
        }
        var served = whomItServes(attempt);
        lines.leave(attempt);
        lateReplies += attempt.isGivenUp() ? 1 : 0;
        verifier.expect(attempt.lane().namespaceId(), answers);
        boolean someRefused = false;
        boolean someAnswered = false;
        var joined = served.joined();
        for (int i = 0; i < joined.size(); i++) {
            int place = served.placeOf(i);
            if (place < answers.size()) {
                var answer = answers.get(place);
                someRefused |= answer instanceof Answer.Refused;
                someAnswered |= !(answer instanceof Answer.Refused);
                serve(served, served.place(place), joined.get(i), answer, nowNanos);
            }
            joined.get(i).forget(attempt);
        }
        if (someRefused) {
            attempt.tell(book, answers, !someAnswered);
        }
    }

    private Attempt<T> whomItServes(Attempt<T> attempt) {
        boolean itself = guards.on(Guard.REPLY_SERVES_ITS_OWN_ATTEMPT) || !attempt.isGivenUp();
        return itself ? attempt : attempt.lane().newestInFlight(attempt);
    }

    private void serve(Attempt<T> attempt, Frame.Place place, OpenCall<T> call, Answer answer, long nowNanos) {
        var route = call.route();
        if (call.hasEnded() || route == null) {
            return;
        }
        if (answer instanceof Answer.Refused refusal) {
            refused(attempt, call, refusal, nowNanos);
        } else if (!book.believes(route, answer.epoch(), place.leastEpoch())) {
            refused(attempt, call, DISBELIEVED, nowNanos);
        } else if (!Verifier.goesForward(answer, call.seen())) {
            backward++;
            refused(attempt, call, Verifier.stepsBack(answer, call.seen()), nowNanos);
        } else {
            verifier.answered(call.namespaceId(), answer);
            end(call, call.answered(answer));
        }
    }

    private void refused(Attempt<T> attempt, OpenCall<T> call, Answer.Refused refusal, long nowNanos) {
        // A namespace of which the picture tells, and its owner not: that one has not heard of it yet.
        boolean passes = refusal.refusal().passes() || refusal.refusal() == Refusal.NAMESPACE_UNKNOWN;
        if (!passes || call.hasWaitedForAll(refusal, nowNanos)) {
            end(call, call.answered(refusal));
        } else if (call.isHeldBy(attempt)) {
            // Else it is on its way again already.
            rest(call, refusal, nowNanos);
        }
    }

    /** No reply to a frame will come, as far as its sender knows: its calls go out again. */
    public void unanswered(long correlation, long nowNanos) {
        var attempt = attempts.get(correlation);
        if (attempt != null && !attempt.isGivenUp()) {
            attempt.segments(any -> true).forEach(book::unreached);
            giveUp(attempt, nowNanos);
        }
    }

    /** Some callers have gone: what they wait for ends with the next {@link #tick}, or one of the next few. */
    public void callersLeft(long nowNanos) {
        room.lookAtAll(nowNanos);
    }

    /** Time passes: attempts lose patience, deadlines end calls, and calls that rested go out again. */
    public void tick(long nowNanos) {
        for (var line : lines.all()) {
            while (!line.inFlight().isEmpty() && line.inFlight().get(0).isOverdue(nowNanos, limits.patienceNanos())) {
                var attempt = line.inFlight().get(0);
                // Who answers others meanwhile is there, and has its reasons.
                if (attempt.hasHeardNothingSince()) {
                    attempt.segments(any -> true).forEach(book::unreached);
                }
                giveUp(attempt, nowNanos);
            }
        }
        if (room.isOverdue(nowNanos)) {
            endWhatIsOver(nowNanos);
        }
        resting.wake(nowNanos, ready);
        lines.forgetIdle();
    }

    /** Ends every call as if its deadline were over. */
    public void endAll(long nowNanos) {
        endWhatIsOver(nowNanos + Long.MAX_VALUE / 2);
    }

    private void endWhatIsOver(long nowNanos) {
        var all = whereabouts.all();
        for (var call : all) {
            var end = call.dueEnd(nowNanos);
            if (end != null) {
                end(call, end);
            }
        }
        all.removeIf(OpenCall::hasEnded);
        room.sweptDownTo(all, nowNanos);
        whereabouts.forgetEnded();
    }

    /** What is to be done since the last call: frames leave now. */
    public List<CallEffect<T>> takeEffects(long nowNanos) {
        // Before the first picture they wait for it, in order.
        if (book.picture().isPresent() && (!ready.isEmpty() || lines.anybodyWaits())) {
            do {
                firstLook.at(ready);
                for (var call = ready.poll(); call != null; call = ready.poll()) {
                    if (!call.hasEnded()) {
                        seat(call, nowNanos);
                    }
                }
                lines.sendFormed(nowNanos, sending);
            } while (lines.freeWaiting());
        }
        if (effects.isEmpty()) {
            return List.of();
        }
        var taken = effects;
        effects = new ArrayList<>(Math.min(taken.size(), limits.callsPerFrame()));
        return taken;
    }

    private void sent(Attempt<T> attempt, Frame frame) {
        attempts.put(attempt.correlation(), attempt);
        effects.add(new CallEffect.Send<>(frame));
    }

    private void seat(OpenCall<T> call, long nowNanos) {
        if (call.caller().isGone()) {
            end(call, call.endUnheard());
            return;
        }
        var target = find(call);
        if (target instanceof Routing.Owner owner) {
            call.ask(owner);
            var older = call.refusalOf(owner);
            if (older == null) {
                lines.seat(call, owner, nowNanos, sending);
            } else {
                book.refused(owner.segment());
                rest(call, older, nowNanos);
            }
            return;
        }
        var answer = ((Routing.Nobody) target).answer();
        if (answer.refusal().passes()) {
            rest(call, answer, nowNanos);
        } else {
            end(call, call.answered(answer));
        }
    }

    private Routing.Target find(OpenCall<T> call) {
        var route = call.route();
        return route == null
                ? book.find(call.call().namespaceName(), call.call().uid())
                : book.find(route);
    }

    /** Nobody waits for its reply any more; what it holds goes out again. */
    private void giveUp(Attempt<T> attempt, long nowNanos) {
        lines.leave(attempt);
        attempt.giveUp();
        for (var call : attempt.joined()) {
            if (call.isHeldBy(attempt)) {
                rest(call, null, nowNanos);
                call.forgetIfTooMany().ifPresent(this::callEnded);
            }
        }
        forget(attempt);
    }

    private void forget(Attempt<T> attempt) {
        if (attempt.isOver()) {
            attempts.remove(attempt.correlation());
        }
    }

    private void rest(OpenCall<T> call, Answer.@Nullable Refused why, long nowNanos) {
        int failures = call.fail(why);
        if (call.hasNewOwner(book)) {
            ready.add(call);
        } else {
            resting.add(call, failures, nowNanos);
        }
        retries++;
    }

    private void end(OpenCall<T> call, CallEffect<T> end) {
        room.release(call);
        effects.add(end);
        if (call.first() != null) {
            callEnded(call.first());
            call.later().forEach(this::callEnded);
        }
        call.end();
    }

    private void callEnded(Attempt<T> attempt) {
        attempt.callEnded();
        forget(attempt);
    }

    /** Calls that have not ended. */
    public int open() {
        return room.open();
    }

    /** Answers so far that were not believed, as a newer epoch was known when they were asked for. */
    public long disbelieved() {
        return book.disbelieved();
    }

    /** Answers so far that stepped back behind what this caller had seen; none was handed out. */
    public long backward() {
        return backward;
    }

    /** How often so far calls came to nothing and were put aside, to be tried again. */
    public long retries() {
        return retries;
    }

    /** Replies so far that came after their attempt had been given up. */
    public long lateReplies() {
        return lateReplies;
    }

    /** Readings so far that came with another call's. */
    public long sharedReadings() {
        return lines.sharedReadings();
    }
}
