package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of calls that came in one request but are taken one by one: answers are held until the last call has ended,
 * then released under one look at the clocks. Frames have {@link OpenFrame} instead.
 *
 * <p>The caller's duties: take the numbers of all calls, one after the other; put each {@link Step} in its place, and
 * for one that waits the step with which it goes on; when all have ended, read the clocks, once, and {@link #release}.
 *
 * <p>Invariant: that look comes after the last number was taken. So if a segment's lease is not valid then, all answers
 * of the segment are refused; in QUORUM order each answer waited for its own confirmation, and no clock is asked.
 */
public final class JointSteps {
    private final ClockReading begun;
    private final Guards guards;
    private final @Nullable Step[] ended;
    private int open;

    /**
     * Calls of which nothing is known yet.
     *
     * @param calls how many, at least 1
     * @param begun the look at the clocks by which their numbers are taken; no answer leaves by it
     */
    public JointSteps(int calls, ClockReading begun) {
        this(calls, begun, Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public JointSteps(int calls, ClockReading begun, Guards guards) {
        if (calls < 1) {
            throw new IllegalArgumentException(calls + " calls in one request; there must be at least 1");
        }
        this.begun = begun;
        this.guards = guards;
        this.ended = new Step[calls];
        this.open = calls;
    }

    /** The look at the clocks by which their numbers are taken. */
    public ClockReading begun() {
        return begun;
    }

    /**
     * A call came this far.
     *
     * @param place of the call, from 0
     * @return whether all calls have ended
     */
    public boolean put(int place, Step step) {
        if (ended[place] != null) {
            throw new IllegalStateException("the call at " + place + " ended with " + ended[place] + " before " + step);
        }
        if (!(step instanceof Step.Waiting)) {
            ended[place] = step;
            open--;
        }
        return open == 0;
    }

    /**
     * The last look before the answers leave.
     *
     * @param now the clocks, read after all calls had ended
     * @return one answer for each call, in order
     */
    public List<Answer> release(Allocator allocator, ClockReading now) {
        if (open > 0) {
            throw new IllegalStateException(open + " of " + ended.length + " calls have not ended");
        }
        var look = guards.on(Guard.FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER) ? now : begun;
        var answers = new ArrayList<Answer>(ended.length);
        for (var step : ended) {
            answers.add(answer(step, allocator, look));
        }
        return answers;
    }

    private Answer answer(@Nullable Step step, Allocator allocator, ClockReading look) {
        if (step instanceof Step.Refused refused) {
            return refused.answer();
        }
        if (step instanceof Step.Confirmed confirmed) {
            return confirmed.answer();
        }
        if (step instanceof Step.Taken taken) {
            return allocator.release(taken, look);
        }
        throw new IllegalStateException(step + " is no end of a call of " + Arrays.toString(ended));
    }
}
