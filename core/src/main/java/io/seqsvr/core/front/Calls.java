package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one caller, a smart client or a router's proxy, as a role: they are put down, leave in frames, are tried
 * again where that helps, and end; without a clock, a thread or a socket.
 *
 * <p>Calls are merged without a timer. What was put down since the last {@link #drain} leaves at once, one frame for
 * each owner, while less than the bound are in flight there; what has to wait for one of these shares the next.
 *
 * <p>The caller's duties: call every method from one thread; have one object in a process; {@link #tick} every few
 * milliseconds; after each call or a few carry out what {@link #drain} returns, in order; fetch a picture of the
 * cluster where the book is {@link RouteBook#outdated}.
 *
 * <p>Invariants: a call joins only a frame that has not been sent. Every sending is an attempt of its own, with a
 * correlation id that is never used again and a fixed list of calls; its reply, however late, serves those of them that
 * are still open, and nobody else. A call ends once.
 */
public final class Calls {
    private static final long FIRST_REST_NANOS = 10_000_000;
    private static final long LONGEST_REST_NANOS = 250_000_000;

    private final RouteBook book;
    private final CallLimits limits;
    private final RandomGenerator random;
    private final Guards guards;
    private final Map<String, OwnerLine> lines = new LinkedHashMap<>();
    /** Sent and not answered, those that were given up included while they hold an open call. */
    private final Map<Long, Attempt> attempts = new HashMap<>();
    /** To be sent to whoever is the owner when they are. */
    private final Deque<OpenCall> ready = new ArrayDeque<>();

    private final PriorityQueue<OpenCall> resting =
            new PriorityQueue<>((one, other) -> Long.signum(one.dueNanos() - other.dueNanos()));
    private final List<OwnerLine> forming = new ArrayList<>();
    private List<CallEffect> effects = new ArrayList<>();
    private long lastTicket;
    private long lastCorrelation;
    private int open;
    private long earliestDeadlineNanos;
    private long disbelieved;
    private long lateReplies;
    private long sharedReadings;

    /**
     * No calls yet, and nothing known of owners.
     *
     * @param random for jitter
     */
    public Calls(CallLimits limits, RandomGenerator random) {
        this(limits, random, Guards.ALL);
    }

    /** The same with guards taken away. */
    public Calls(CallLimits limits, RandomGenerator random, Guards guards) {
        this.book = new RouteBook(guards);
        this.limits = limits;
        this.random = random;
        this.guards = guards;
    }

    /** What is known of owners. Pictures come by {@link #learn}. */
    public RouteBook book() {
        return book;
    }

    /** Takes in a picture of the cluster: what still waits for an owner's frame goes to whom the picture shows. */
    public void learn(StoreView view) {
        if (book.learn(view)) {
            lines.values().forEach(line -> makeReady(line, line.waiting().size()));
        }
    }

    /**
     * Puts a call down: it leaves with the next {@link #drain} that finds room. What comes of it is a
     * {@link CallEffect.Answered} or a {@link CallEffect.Unanswered}, once.
     *
     * @param timeoutNanos when it ends at the latest, from now
     * @return the ticket that its end will name
     */
    public long put(Call call, long timeoutNanos, long nowNanos) {
        lastTicket++;
        if (open >= limits.openCalls()) {
            var refused = new Answer.Refused(
                    Refusal.TOO_MANY_WAITING, open + " calls of this caller are open; no more may be");
            effects.add(new CallEffect.Answered(lastTicket, refused));
            return lastTicket;
        }
        var opened = new OpenCall(lastTicket, call, nowNanos + timeoutNanos);
        if (open == 0 || opened.deadlineNanos() - earliestDeadlineNanos < 0) {
            earliestDeadlineNanos = opened.deadlineNanos();
        }
        open++;
        if (guards.on(Guard.CALL_JOINS_BEFORE_SENDING) || !joinsLate(opened)) {
            ready.add(opened);
        }
        return lastTicket;
    }

    /** Only where the guard is missing that closes a frame when it is sent. */
    private boolean joinsLate(OpenCall call) {
        return lines.values().stream().flatMap(line -> line.inFlight().stream()).anyMatch(sent -> sent.share(call));
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
        if (answers.size() != attempt.size()) {
            giveUp(attempt, nowNanos);
            return;
        }
        var served = whomItServes(attempt);
        leaveLine(attempt);
        lateReplies += attempt.isGivenUp() ? 1 : 0;
        boolean notOwner = false;
        for (var joined : served.joined()) {
            if (joined.place() < answers.size()) {
                var answer = answers.get(joined.place());
                notOwner |= isNotOwner(answer);
                serve(served, joined, answer, nowNanos);
            }
        }
        if (notOwner) {
            countRefusals(attempt, answers);
        }
    }

    private static boolean isNotOwner(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.refusal() == Refusal.NOT_OWNER;
    }

    /** Several refusals in one reply are one. */
    private void countRefusals(Attempt attempt, List<Answer> answers) {
        var segments = new HashSet<SegmentId>();
        for (int place = 0; place < answers.size(); place++) {
            if (isNotOwner(answers.get(place))) {
                segments.add(attempt.place(place).segment());
            }
        }
        segments.forEach(book::refused);
    }

    private Attempt whomItServes(Attempt attempt) {
        var line = lines.get(attempt.line().address());
        return guards.on(Guard.REPLY_SERVES_ITS_OWN_ATTEMPT)
                        || !attempt.isGivenUp()
                        || line == null
                        || line.inFlight().isEmpty()
                ? attempt
                : line.inFlight().get(line.inFlight().size() - 1);
    }

    private void serve(Attempt attempt, Attempt.Joined joined, Answer answer, long nowNanos) {
        var call = joined.call();
        if (call.hasEnded()) {
            return;
        }
        if (answer instanceof Answer.Refused refusal) {
            refused(attempt, call, refusal, nowNanos);
        } else if (book.believes(attempt.place(joined.place()).segment(), answer.epoch())) {
            end(call, new CallEffect.Answered(call.ticket(), answer));
        } else {
            disbelieved++;
            var late = new Answer.Refused(
                    Refusal.NOT_OWNER, "the answer came under an older epoch than one that was seen");
            refused(attempt, call, late, nowNanos);
        }
    }

    private void refused(Attempt attempt, OpenCall call, Answer.Refused refusal, long nowNanos) {
        if (!refusal.refusal().passes()) {
            end(call, new CallEffect.Answered(call.ticket(), refusal));
        } else if (call.isHeldBy(attempt)) {
            // Else it is on its way again already.
            rest(call, refusal, nowNanos);
        }
    }

    /** No reply to a frame will come, as far as its sender knows: its calls go out again. */
    public void unanswered(long correlation, long nowNanos) {
        var attempt = attempts.get(correlation);
        if (attempt != null && !attempt.isGivenUp()) {
            giveUp(attempt, nowNanos);
        }
    }

    /** Time passes: attempts lose patience, deadlines end calls, and calls that rested go out again. */
    public void tick(long nowNanos) {
        for (var line : lines.values()) {
            while (!line.inFlight().isEmpty() && line.inFlight().get(0).isOverdue(nowNanos, limits.patienceNanos())) {
                giveUp(line.inFlight().get(0), nowNanos);
            }
        }
        if (open > 0 && nowNanos - earliestDeadlineNanos >= 0) {
            endOverdue(nowNanos);
        }
        for (var next = resting.peek(); next != null && nowNanos - next.dueNanos() >= 0; next = resting.peek()) {
            ready.add(resting.remove());
        }
        lines.values().removeIf(OwnerLine::isIdle);
    }

    private void endOverdue(long nowNanos) {
        var all = new ArrayList<>(ready);
        all.addAll(resting);
        for (var line : lines.values()) {
            all.addAll(line.waiting());
            line.inFlight().forEach(attempt -> attempt.joined().forEach(joined -> all.add(joined.call())));
        }
        all.removeIf(OpenCall::hasEnded);
        earliestDeadlineNanos = nowNanos + Long.MAX_VALUE / 2;
        for (var call : all) {
            if (!call.isOverdue(nowNanos)) {
                earliestDeadlineNanos += Math.min(0, call.deadlineNanos() - earliestDeadlineNanos);
            } else if (!call.hasEnded()) {
                end(call, call.endAtDeadline());
            }
        }
        resting.removeIf(OpenCall::hasEnded);
        lines.values().forEach(line -> line.waiting().removeIf(OpenCall::hasEnded));
    }

    /** What is to be done since the last call: frames leave now. */
    public List<CallEffect> drain(long nowNanos) {
        do {
            for (var call = ready.poll(); call != null; call = ready.poll()) {
                if (!call.hasEnded()) {
                    seat(call, nowNanos);
                }
            }
            for (var line : forming) {
                send(line, nowNanos);
            }
            forming.clear();
        } while (freesWaiting());
        if (effects.isEmpty()) {
            return List.of();
        }
        var drained = effects;
        effects = new ArrayList<>();
        return drained;
    }

    /** Those that were to leave may have ended, or gone to another owner: then others wait for no reply. */
    private boolean freesWaiting() {
        for (var line : lines.values()) {
            if (!line.waiting().isEmpty() && line.inFlight().size() < limits.framesInFlight()) {
                makeReady(line, limits.callsPerFrame());
            }
        }
        return !ready.isEmpty();
    }

    private void seat(OpenCall call, long nowNanos) {
        var target = book.find(call.call().namespaceName(), call.call().uid());
        if (target instanceof Routing.Nobody nobody) {
            if (nobody.answer().refusal().passes()) {
                rest(call, nobody.answer(), nowNanos);
            } else {
                end(call, new CallEffect.Answered(call.ticket(), nobody.answer()));
            }
            return;
        }
        var owner = (Routing.Owner) target;
        var line = lines.computeIfAbsent(owner.address(), OwnerLine::new);
        var frame = frameOf(line, nowNanos);
        if (frame == null) {
            line.waiting().add(call);
        } else if (frame.share(call)) {
            sharedReadings++;
        } else {
            frame.add(call, owner);
        }
    }

    /** The frame with room that a call may join, null if as many as may be are in flight. */
    private @Nullable Attempt frameOf(OwnerLine line, long nowNanos) {
        var frame = line.forming();
        if (frame != null && frame.size() < limits.callsPerFrame()) {
            return frame;
        }
        if (frame != null) {
            send(line, nowNanos);
        }
        if (line.inFlight().size() >= limits.framesInFlight()) {
            return null;
        }
        var next = new Attempt(++lastCorrelation, line);
        line.form(next);
        forming.add(line);
        return next;
    }

    private void send(OwnerLine line, long nowNanos) {
        var attempt = line.forming();
        if (attempt != null) {
            line.form(null);
            line.inFlight().add(attempt);
            attempts.put(attempt.correlation(), attempt);
            effects.add(new CallEffect.Send(attempt.send(nowNanos)));
        }
    }

    /** Nobody waits for its reply any more; what it holds goes out again. */
    private void giveUp(Attempt attempt, long nowNanos) {
        leaveLine(attempt);
        attempt.giveUp();
        for (var joined : attempt.joined()) {
            if (joined.call().isHeldBy(attempt)) {
                rest(joined.call(), null, nowNanos);
            }
        }
        forget(attempt);
    }

    private void forget(Attempt attempt) {
        if (attempt.isOver()) {
            attempts.remove(attempt.correlation());
        }
    }

    /** There is room in flight for calls that wait. */
    private void leaveLine(Attempt attempt) {
        if (attempt.line().inFlight().remove(attempt)) {
            makeReady(attempt.line(), limits.callsPerFrame());
        }
    }

    /** Calls that waited longest go first, before everything that was put down later. */
    private void makeReady(OwnerLine line, int most) {
        if (line.waiting().isEmpty()) {
            return;
        }
        var first = new ArrayDeque<OpenCall>();
        while (first.size() < most && !line.waiting().isEmpty()) {
            first.push(line.waiting().remove());
        }
        first.forEach(ready::addFirst);
    }

    private void rest(OpenCall call, Answer.@Nullable Refused why, long nowNanos) {
        long longest = Math.min(LONGEST_REST_NANOS, FIRST_REST_NANOS << Math.min(call.fail(why), 10));
        call.restUntil(nowNanos + longest / 2 + random.nextLong(longest / 2));
        resting.add(call);
    }

    private void end(OpenCall call, CallEffect end) {
        open--;
        effects.add(end);
        call.end(attempt -> {
            attempt.callEnded();
            forget(attempt);
        });
    }

    /** Calls that have not ended. */
    public int open() {
        return open;
    }

    /** Answers so far that were not believed, as a newer epoch was known. */
    public long disbelieved() {
        return disbelieved;
    }

    /** Replies so far that came after their attempt had been given up. */
    public long lateReplies() {
        return lateReplies;
    }

    /** Readings so far that came with another call's. */
    public long sharedReadings() {
        return sharedReadings;
    }
}
