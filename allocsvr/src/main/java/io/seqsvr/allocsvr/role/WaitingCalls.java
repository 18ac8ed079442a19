package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.Step;
import io.seqsvr.node.api.CallerTime;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Calls that wait, by their tickets: each goes on once, with what the allocator tells of it, or refused when the time
 * of its caller is over. For one event loop.
 */
final class WaitingCalls {
    private final Vertx vertx;
    private final Consumer<Runnable> guarded;
    private final Consumer<List<Step.Waiting>> forgets;
    private final Map<Long, Consumer<Step>> waiting = new HashMap<>();

    /**
     * None yet.
     *
     * @param guarded runs what a timer does
     * @param forgets has the allocator forget calls that wait
     */
    WaitingCalls(Vertx vertx, Consumer<Runnable> guarded, Consumer<List<Step.Waiting>> forgets) {
        this.vertx = vertx;
        this.guarded = guarded;
        this.forgets = forgets;
    }

    /**
     * A call begins to wait.
     *
     * @param goesOn is given the step with which it goes on
     */
    void put(Step.Waiting call, Consumer<Step> goesOn) {
        waiting.put(call.ticket(), goesOn);
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
        one.accept(step);
    }

    /** The time of the caller of these is over: those that still wait go on refused, and are nobody's any more. */
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
