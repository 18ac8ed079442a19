package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.Order;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests whose numbers are taken, but not durable or not confirmed yet, of all segments together.
 *
 * <p>Invariant: at most {@code most} wait; a request gets its place before a number is taken for it, and leaves it
 * once: when its answer may leave, is refused, or is waited for by nobody.
 */
final class WaitingRoom {
    /** How long nobody may get on while somebody waits: with StoreSvr gone, waiting must come to an end. */
    static final long STUCK_NANOS = 10_000_000_000L;

    /** So many are not worth a look at all. */
    private static final int FORGOTTEN_KEPT = 1_000;

    private final AllocatorOutbox out;
    private final Confirmations confirmations;
    private final Guards guards;
    private final int most;
    /** Of those for whom nobody waits any more, where they still stand among the others. */
    private final Map<Long, LoadedSegment> forgotten = new HashMap<>();

    private int waiting;
    private long lastTicket;
    private long left;
    private long leftBefore;
    private @Nullable ClockReading stillSince;

    WaitingRoom(int most, AllocatorOutbox out, Confirmations confirmations, Guards guards) {
        this.most = most;
        this.out = out;
        this.confirmations = confirmations;
        this.guards = guards;
    }

    boolean isFull() {
        return waiting >= most && guards.on(Guard.PLACE_BEFORE_NUMBER);
    }

    int size() {
        return waiting;
    }

    /** Whether somebody has waited, and nobody has got on, for too long. In LEASE order the lease ends that earlier. */
    boolean isStuck(ClockReading now) {
        if (waiting == 0 || left != leftBefore || stillSince == null) {
            leftBefore = left;
            stillSince = waiting == 0 ? null : now;
            return false;
        }
        return now.monotonicSince(stillSince) >= STUCK_NANOS;
    }

    /** Whether an answer that rests on numbers as far as max_seq has to wait all the same. */
    static boolean mustConfirm(LoadedSegment segment) {
        return segment.namespace().order() == Order.QUORUM;
    }

    /** What happens next to an answer that rests on {@code seq}: it may leave, or it waits. */
    Step admit(LoadedSegment segment, long seq, Answer answer) {
        boolean durable = isDurable(segment, seq);
        if (durable && !mustConfirm(segment)) {
            return new Step.Taken(segment, answer);
        }
        lastTicket++;
        waiting++;
        var waiter = new LoadedSegment.Waiter(lastTicket, seq, answer);
        if (durable) {
            confirmations.join(segment, waiter);
        } else {
            segment.waiters().add(waiter);
        }
        return new Step.Waiting(lastTicket, segment);
    }

    private boolean isDurable(LoadedSegment segment, long seq) {
        return segment.counters().durable(seq) || !guards.on(Guard.NUMBER_WAITS_FOR_MAX_SEQ);
    }

    /** Lets everybody go on whose number max_seq covers by now. */
    void resumeDurable(LoadedSegment segment) {
        var waiters = segment.waiters().iterator();
        while (waiters.hasNext()) {
            var waiter = waiters.next();
            if (!isDurable(segment, waiter.seq())) {
                continue;
            }
            waiters.remove();
            if (mustConfirm(segment) && !forgotten.containsKey(waiter.ticket())) {
                confirmations.join(segment, waiter);
            } else {
                leave(waiter, new Step.Taken(segment, waiter.answer()));
            }
        }
    }

    /** StoreSvr's log confirmed what these answers rest on. */
    void resumeConfirmed(List<LoadedSegment.Waiter> waiters) {
        waiters.forEach(waiter -> leave(waiter, new Step.Confirmed(waiter.answer())));
    }

    /** The segment was given back with a {@code high} that covers all its numbers: that is raise and confirmation. */
    void resumeReleased(LoadedSegment segment) {
        resumeConfirmed(List.copyOf(segment.waiters()));
        segment.waiters().clear();
        resumeConfirmed(confirmations.remove(segment));
    }

    /** Refuses everybody who waits for this segment. */
    void refuse(LoadedSegment segment, Answer.Refused answer) {
        segment.waiters().forEach(waiter -> leave(waiter, new Step.Refused(answer)));
        segment.waiters().clear();
        confirmations.remove(segment).forEach(waiter -> leave(waiter, new Step.Refused(answer)));
    }

    /** Refuses these. */
    void refuse(List<LoadedSegment.Waiter> waiters, Answer.Refused answer) {
        waiters.forEach(waiter -> leave(waiter, new Step.Refused(answer)));
    }

    /** Refuses everybody. */
    void refuseAll(Collection<LoadedSegment> segments, Answer.Refused answer) {
        // Where only forgotten ones stand too: what is kept of them keeps a segment that is gone, with all its
        // counters.
        if (kept() > 0) {
            segments.forEach(segment -> refuse(segment, answer));
        }
    }

    /** Nobody waits for these any more: they leave without a word. Their numbers are taken, and their raises go on. */
    void forget(Collection<Step.Waiting> waits) {
        waits.forEach(wait -> forget(wait.ticket(), wait.segment()));
        forgetForGood();
    }

    /**
     * The same for a call of a frame; {@link #forgetForGood} follows.
     *
     * @param ticket of one that waits
     */
    void forget(long ticket, LoadedSegment segment) {
        waiting--;
        forgotten.put(ticket, segment);
        out.unseat(ticket);
    }

    /**
     * Takes them out of where they wait if they are as many as those that do: one by one would cost a look at all of
     * these for each.
     */
    void forgetForGood() {
        if (forgotten.size() <= FORGOTTEN_KEPT + waiting) {
            return;
        }
        Predicate<LoadedSegment.Waiter> theirs = waiter -> forgotten.containsKey(waiter.ticket());
        var segments = new HashSet<>(forgotten.values());
        segments.forEach(segment -> segment.waiters().removeIf(theirs));
        confirmations.forget(segments, theirs);
        forgotten.clear();
    }

    /** How many are kept that wait, or were forgotten. */
    int kept() {
        return waiting + forgotten.size();
    }

    private void leave(LoadedSegment.Waiter waiter, Step step) {
        if (forgotten.remove(waiter.ticket()) != null) {
            return;
        }
        waiting--;
        left++;
        out.resume(waiter.ticket(), step);
    }
}
