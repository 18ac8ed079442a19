package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.session.SessionKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The last look before answers leave. No other way leads out, but for what StoreSvr's log has confirmed; to that
 * belongs what was taken in a segment before it was given back.
 */
final class Gate {
    private final SessionKeeper keeper;
    private final Guards guards;
    /** Only where the guard is missing that has every look read the clocks. */
    private boolean leaseWasValid;

    Gate(SessionKeeper keeper, Guards guards) {
        this.keeper = keeper;
        this.guards = guards;
    }

    /** What the last tick found. */
    void ticked(boolean leaseValid) {
        leaseWasValid = leaseValid;
    }

    /** What leaves of a single call. */
    Answer release(Step.Taken taken, ClockReading now) {
        var denied = denied(taken.segment(), now);
        return denied == null ? taken.answer() : denied;
    }

    /** What leaves of a frame. */
    FrameAnswers release(OpenFrame frame, ClockReading now) {
        var look = guards.on(Guard.FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER) ? now : frame.begun();
        var denied = new Answer.@Nullable Refused[frame.touchedCount()];
        for (int ordinal = 0; ordinal < denied.length; ordinal++) {
            denied[ordinal] = denied(frame.touched(ordinal), look);
        }
        return frame.leave(denied);
    }

    /** Why nothing that was taken in this segment may leave, null if it may. */
    private Answer.@Nullable Refused denied(LoadedSegment segment, ClockReading now) {
        if (segment.givenBack()) {
            return null;
        }
        if (segment.dropped()) {
            return Requests.notOwner(segment.id());
        }
        return mayLeave(segment, now)
                ? null
                : new Answer.Refused(
                        Refusal.LEASE_EXPIRED, "the lease of session " + keeper.session() + " is not valid");
    }

    private boolean mayLeave(LoadedSegment segment, ClockReading now) {
        if (!guards.on(Guard.LEASE_IS_CHECKED_AFTER_TAKING)) {
            return true;
        }
        return guards.on(Guard.LEASE_IS_READ_EACH_TIME) ? segment.lease().validAt(now) : leaseWasValid;
    }
}
