package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call from being put down to its end.
 *
 * <p>Invariant: it ends once. Until then it is in one place: ready or waiting to be sent, resting, or held by the
 * attempt made last; earlier attempts may still answer it.
 */
final class OpenCall {
    private final long ticket;
    private final Call call;
    private final long deadlineNanos;
    private @Nullable Attempt first;
    private List<Attempt> later = List.of();
    private @Nullable Attempt heldBy;
    private Answer.@Nullable Refused refused;
    private int failures;
    private long dueNanos;
    private boolean ended;

    OpenCall(long ticket, Call call, long deadlineNanos) {
        this.ticket = ticket;
        this.call = call;
        this.deadlineNanos = deadlineNanos;
    }

    long ticket() {
        return ticket;
    }

    Call call() {
        return call;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean isOverdue(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    /** An attempt takes it along. */
    void join(Attempt attempt) {
        if (first == null) {
            first = attempt;
        } else {
            if (later.isEmpty()) {
                later = new ArrayList<>();
            }
            later.add(attempt);
        }
        heldBy = attempt;
        refused = null;
    }

    boolean isHeldBy(Attempt attempt) {
        return heldBy == attempt && !ended;
    }

    /**
     * The attempt that held it came to nothing, or there was nobody to send it to.
     *
     * @param why a refusal; null if nobody knows
     * @return how often that has happened before
     */
    int fail(Answer.@Nullable Refused why) {
        heldBy = null;
        refused = why;
        return failures++;
    }

    /** How it ends when its time is over: with the last thing heard of it, if that was a refusal. */
    CallEffect endAtDeadline() {
        return refused == null ? new CallEffect.Unanswered(ticket) : new CallEffect.Answered(ticket, refused);
    }

    /** It rests until then. */
    void restUntil(long due) {
        dueNanos = due;
    }

    long dueNanos() {
        return dueNanos;
    }

    boolean hasEnded() {
        return ended;
    }

    /**
     * Ends it: its attempts have one call less to answer.
     *
     * @param forget gets each of them
     */
    void end(Consumer<Attempt> forget) {
        ended = true;
        heldBy = null;
        if (first != null) {
            forget.accept(first);
        }
        later.forEach(forget);
    }
}
