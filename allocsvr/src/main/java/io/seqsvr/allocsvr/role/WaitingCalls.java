package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.front.Caller;
import io.seqsvr.node.api.CallerTime;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Calls that wait, by their tickets: each goes on once, with what the allocator tells of it, or refused when the time
 * of its caller is over, or its caller gone. For one event loop.
 */
final class WaitingCalls {
    private final Vertx vertx;
    private final JointRoom jointly;
    private final Consumer<Runnable> guarded;
    private final Consumer<List<Step.Waiting>> forgets;
    private final Map<Long, Waiting> waiting = new HashMap<>();
    /** Whether callers have left since those that wait were looked at. */
    private boolean someLeft;

    /** One of them: who waits for it, and who goes on with it. */
    private record Waiting(Step.Waiting call, Caller caller, Consumer<Step> goesOn) {}

    /**
     * None yet.
     *
     * @param jointly room for all items of calls that came together
     * @param guarded runs what a timer does
     * @param forgets has the allocator forget calls that wait
     */
    WaitingCalls(Vertx vertx, JointRoom jointly, Consumer<Runnable> guarded, Consumer<List<Step.Waiting>> forgets) {
        this.vertx = vertx;
        this.jointly = jointly;
        this.guarded = guarded;
        this.forgets = forgets;
    }

    /** Room for all items of calls that came together, those that wait and the others. */
    JointRoom jointly() {
        return jointly;
    }

    /**
     * A call begins to wait.
     *
     * @param goesOn is given the step with which it goes on
     */
    void put(Step.Waiting call, Caller caller, Consumer<Step> goesOn) {
        waiting.put(call.ticket(), new Waiting(call, caller, goesOn));
    }

    /** Some callers have left. */
    void callersLeft() {
        someLeft = true;
    }

    /** What waits for callers that have left goes on, so that it takes no room here; to be called now and then. */
    void giveUpUnheard() {
        if (someLeft) {
            someLeft = false;
            giveUp(waiting.values().stream()
                    .filter(one -> one.caller().isGone())
                    .map(Waiting::call)
                    .toList());
        }
    }

    /**
     * The time of a caller begins to count.
     *
     * @param timeoutMillis how long it waits, above 0
     * @param over is run when there is no more time than for its answer
     * @return cancels that
     */
    Runnable atTheEndOf(long timeoutMillis, Runnable over) {
        long usable = TimeUnit.NANOSECONDS.toMillis(CallerTime.usableNanos(timeoutMillis));
        long timer = vertx.setTimer(Math.max(1, usable), fired -> guarded.accept(over));
        return () -> vertx.cancelTimer(timer);
    }

    /** The allocator tells how far a call that waited came. */
    void goesOn(long ticket, Step step) {
        var one = waiting.remove(ticket);
        if (one == null) {
            throw new IllegalStateException("nobody waits with ticket " + ticket);
        }
        one.goesOn().accept(step);
    }

    /** The caller of these waits no longer, or is gone: those that still wait go on refused, as nobody's. */
    void giveUp(List<Step.Waiting> calls) {
        var late = calls.stream()
                .filter(call -> waiting.containsKey(call.ticket()))
                .toList();
        forgets.accept(late);
        for (var call : late) {
            goesOn(call.ticket(), Step.LATE);
        }
    }
}
