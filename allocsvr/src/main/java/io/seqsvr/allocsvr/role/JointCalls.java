package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.JointSteps;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.node.clock.SystemClocks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The calls of one request on their way through an {@link Allocator}: all numbers are taken first, and when the last
 * call has ended, or the time of their caller is over, the clocks are read once, for all answers together.
 */
final class JointCalls {
    private final Allocator allocator;
    private final List<Wanted> calls;
    private final JointSteps steps;
    private final Promise<List<Answer>> answers = Promise.promise();

    /** Calls that were not begun; at least one. */
    JointCalls(Allocator allocator, List<Wanted> calls) {
        this.allocator = allocator;
        this.calls = calls;
        this.steps = new JointSteps(calls.size(), SystemClocks.read());
    }

    /**
     * Takes the numbers of all calls, one call after the other; of none where there is no room for all.
     *
     * @param waiting takes those that wait
     * @param timeoutMillis how long their caller waits: then those that still wait are refused
     * @param caller once it is gone those that wait wait no longer
     * @return one answer for each call, in order, once all have ended
     */
    Future<List<Answer>> begin(WaitingCalls waiting, long timeoutMillis, Caller caller) {
        var room = waiting.jointly();
        if (!room.take(calls.size())) {
            var refused = new Answer.Refused(Refusal.TOO_MANY_WAITING, room.refusal());
            return Future.succeededFuture(Collections.nCopies(calls.size(), refused));
        }
        var waits = new ArrayList<Step.Waiting>();
        for (int place = 0; place < calls.size(); place++) {
            var step = take(allocator, calls.get(place), steps.begun());
            if (step instanceof Step.Waiting wait) {
                int here = place;
                waiting.put(wait, caller, later -> put(here, later));
                waits.add(wait);
            }
            put(place, step);
        }
        if (waits.isEmpty()) {
            room.leave(calls.size());
            return answers.future();
        }
        var inTime = waiting.atTheEndOf(timeoutMillis, () -> waiting.giveUp(waits));
        return answers.future().onComplete(ended -> {
            inTime.run();
            room.leave(calls.size());
        });
    }

    /** Takes the numbers of one call. */
    static Step take(Allocator allocator, Wanted wanted, ClockReading at) {
        var name = wanted.call().namespaceName();
        long uid = wanted.call().uid();
        if (wanted.call() instanceof Call.Next next) {
            return allocator.next(name, uid, next.count(), next.atLeast(), wanted.minEpoch(), at);
        }
        return wanted.call() instanceof Call.RaiseFloor lift
                ? allocator.raiseFloor(name, uid, lift.floor(), wanted.minEpoch(), at)
                : allocator.current(name, uid, wanted.minEpoch(), at);
    }

    /** The answer of a request of its own, which leaves at once. */
    static Answer leaving(Allocator allocator, Step step) {
        if (step instanceof Step.Taken taken) {
            // The clocks are read here: after the numbers were taken.
            return allocator.release(taken, SystemClocks.read());
        }
        if (step instanceof Step.Confirmed confirmed) {
            return confirmed.answer();
        }
        if (step instanceof Step.Refused refused) {
            return refused.answer();
        }
        throw new IllegalStateException("a request waits twice: " + step);
    }

    private void put(int place, Step step) {
        if (steps.put(place, step)) {
            // The clocks are read here: after the last number was taken.
            answers.complete(steps.release(allocator, SystemClocks.read()));
        }
    }
}
