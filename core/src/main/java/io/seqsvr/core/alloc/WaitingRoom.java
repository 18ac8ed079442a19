package io.seqsvr.core.alloc;

import java.util.Collection;

/**
 * The requests whose numbers are taken, but not durable yet, of all segments together.
 *
 * <p>Invariant: at most {@code most} wait; a request gets its place before a number is taken for it, and leaves it
 * once: when its number is durable, or refused.
 */
final class WaitingRoom {
    private final Outbox out;
    private final int most;
    private int waiting;
    private long lastTicket;

    WaitingRoom(int most, Outbox out) {
        this.most = most;
        this.out = out;
    }

    boolean isFull() {
        return waiting >= most;
    }

    int size() {
        return waiting;
    }

    /** What happens next to an answer that rests on {@code seq}: it may leave, or it waits for the raise. */
    Step whenDurable(LoadedSegment segment, long seq, Answer answer) {
        if (segment.counters().durable(seq)) {
            return new Step.Taken(segment, answer);
        }
        lastTicket++;
        waiting++;
        segment.waiters().add(new LoadedSegment.Waiter(lastTicket, seq, answer));
        return new Step.Waiting(lastTicket);
    }

    /** Lets everybody go whose number max_seq covers by now. */
    void resumeDurable(LoadedSegment segment) {
        var waiters = segment.waiters().iterator();
        while (waiters.hasNext()) {
            var waiter = waiters.next();
            if (segment.counters().durable(waiter.seq())) {
                waiters.remove();
                waiting--;
                out.resume(waiter.ticket(), new Step.Taken(segment, waiter.answer()));
            }
        }
    }

    /** Refuses everybody who waits for this segment. */
    void refuse(LoadedSegment segment, Answer.Refused answer) {
        for (var waiter : segment.waiters()) {
            waiting--;
            out.resume(waiter.ticket(), new Step.Stopped(answer));
        }
        segment.waiters().clear();
    }

    /** Refuses everybody. */
    void refuseAll(Collection<LoadedSegment> segments, Answer.Refused answer) {
        if (waiting > 0) {
            segments.forEach(segment -> refuse(segment, answer));
        }
    }
}
