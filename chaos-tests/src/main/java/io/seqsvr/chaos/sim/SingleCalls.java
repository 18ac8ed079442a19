package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.JointSteps;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A frame whose calls come to their owner one by one, as from callers that send no frames: each is taken by itself.
 * Driven as AllocSvr drives what comes alone or together in one request.
 */
final class SingleCalls {
    private final Allocator allocator;
    private final Frame frame;
    private final JointSteps steps;
    /** How the only call ended, if there is one only: it has a last look of its own. */
    private @Nullable Step only;

    /**
     * Calls that were not begun.
     *
     * @param begun the look at the clocks by which numbers are taken
     */
    SingleCalls(Allocator allocator, Frame frame, ClockReading begun, Guards guards) {
        this.allocator = allocator;
        this.frame = frame;
        this.steps = new JointSteps(frame.places().size(), begun, guards);
    }

    /** Keeps who goes on with a call that waits. */
    @FunctionalInterface
    interface WaitingCalls {
        void add(Step.Waiting call, Consumer<Step> goesOn);
    }

    /**
     * Takes the numbers of all calls, one call after the other.
     *
     * @param waiting is told of each call that waits
     * @param ended happens when the last of those that wait has ended
     * @return whether all have ended already
     */
    boolean begin(WaitingCalls waiting, Runnable ended) {
        boolean over = false;
        for (int place = 0; place < frame.places().size(); place++) {
            var step = take(frame.places().get(place));
            if (step instanceof Step.Waiting wait) {
                int here = place;
                waiting.add(wait, later -> {
                    if (put(here, later)) {
                        ended.run();
                    }
                });
            }
            over = put(place, step);
        }
        return over;
    }

    private Step take(Frame.Place place) {
        var call = place.call();
        var at = steps.begun();
        if (call instanceof Call.Next next) {
            return allocator.next(
                    call.namespaceName(), call.uid(), next.count(), next.atLeast(), place.leastEpoch(), at);
        }
        return call instanceof Call.RaiseFloor lift
                ? allocator.raiseFloor(call.namespaceName(), call.uid(), lift.floor(), place.leastEpoch(), at)
                : allocator.current(call.namespaceName(), call.uid(), place.leastEpoch(), at);
    }

    private boolean put(int place, Step step) {
        only = step;
        return steps.put(place, step);
    }

    /**
     * The last look before the answers leave.
     *
     * @param now the clocks, read after all calls had ended
     */
    List<Answer> release(ClockReading now) {
        return frame.places().size() == 1 ? List.of(released(now)) : steps.release(allocator, now);
    }

    private Answer released(ClockReading now) {
        if (only instanceof Step.Taken taken) {
            return allocator.release(taken, now);
        }
        if (only instanceof Step.Confirmed confirmed) {
            return confirmed.answer();
        }
        if (only instanceof Step.Refused refused) {
            return refused.answer();
        }
        throw new IllegalStateException("a call waits twice: " + only);
    }
}
