package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.FrameSteps;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.node.clock.SystemClocks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls of one request on their way through an {@link Allocator}: all numbers are taken first, and when the last
 * call has ended the clocks are read once, for all answers together.
 */
final class JointCalls {
    private final Allocator allocator;
    private final List<Wanted> calls;
    private final FrameSteps steps;
    private final Promise<List<Answer>> answers = Promise.promise();

    /** Calls that were not begun; at least one. */
    JointCalls(Allocator allocator, List<Wanted> calls) {
        this.allocator = allocator;
        this.calls = calls;
        this.steps = new FrameSteps(calls.size(), SystemClocks.read());
    }

    /**
     * Takes the numbers of all calls, one call after the other.
     *
     * @param waiting is told of each call that waits, and who goes on with it
     * @return one answer for each call, in order, once all have ended
     */
    Future<List<Answer>> begin(WaitingCalls waiting) {
        for (int place = 0; place < calls.size(); place++) {
            var step = take(calls.get(place), steps.begun());
            if (step instanceof Step.Waiting wait) {
                int here = place;
                waiting.add(wait.ticket(), later -> put(here, later));
            }
            put(place, step);
        }
        return answers.future();
    }

    /** Keeps who goes on with a call that waits. */
    @FunctionalInterface
    interface WaitingCalls {
        void add(long ticket, Consumer<Step> goesOn);
    }

    private Step take(Wanted wanted, ClockReading at) {
        var name = wanted.call().namespaceName();
        long uid = wanted.call().uid();
        if (wanted.call() instanceof Call.Next next) {
            return allocator.next(name, uid, next.count(), next.atLeast(), wanted.minEpoch(), at);
        }
        return wanted.call() instanceof Call.RaiseFloor lift
                ? allocator.raiseFloor(name, uid, lift.floor(), wanted.minEpoch(), at)
                : allocator.current(name, uid, wanted.minEpoch(), at);
    }

    private void put(int place, Step step) {
        if (steps.put(place, step)) {
            // The clocks are read here: after the last number was taken.
            answers.complete(steps.release(allocator, SystemClocks.read()));
        }
    }
}
