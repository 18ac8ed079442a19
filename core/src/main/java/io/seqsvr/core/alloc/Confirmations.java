package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Holding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The answers in QUORUM order that wait until StoreSvr's log confirms that their segments are still held.
 *
 * <p>Invariant: an answer rests only on a confirmation that was sent after its numbers were taken; no clock is asked.
 * One confirmation is under way at a time, and all answers that come up meanwhile share the next one. Of a
 * segment that is being given away none is asked: its hand-over is one, and after that none would be given.
 */
final class Confirmations {
    private final AllocatorOutbox out;
    private final Guards guards;
    private final Map<LoadedSegment, List<LoadedSegment.Waiter>> waiting = new LinkedHashMap<>();
    private final Map<LoadedSegment, List<LoadedSegment.Waiter>> underWay = new LinkedHashMap<>();
    private final RetryPause pause = new RetryPause(RetryPause.FOR_CALLERS_NANOS);

    /** What became of one segment's answers. */
    record Outcome(LoadedSegment segment, List<LoadedSegment.Waiter> waiters, boolean confirmed) {}

    Confirmations(AllocatorOutbox out, Guards guards) {
        this.out = out;
        this.guards = guards;
    }

    /** An answer whose numbers are taken and durable waits for the next confirmation. */
    void join(LoadedSegment segment, LoadedSegment.Waiter waiter) {
        boolean late = !guards.on(Guard.CONFIRMATION_BEGINS_AFTER_TAKING);
        var batch = late && underWay.containsKey(segment) ? underWay : waiting;
        batch.computeIfAbsent(segment, key -> new ArrayList<>()).add(waiter);
    }

    /**
     * Sends the next confirmation if one is wanted and none is under way.
     *
     * @param decidedByItsSeal whose outcome answers who waits there, instead of a confirmation
     */
    void flush(SessionKeeper keeper, Predicate<LoadedSegment> decidedByItsSeal, ClockReading now) {
        if (waiting.isEmpty() || !underWay.isEmpty() || keeper.session() == 0 || pause.isOn(now)) {
            return;
        }
        pause.clear();
        var holdings = new ArrayList<Holding>();
        var batch = waiting.entrySet().iterator();
        while (batch.hasNext() && holdings.size() < StoreCommand.MAX_SEGMENTS) {
            var entry = batch.next();
            if (decidedByItsSeal.test(entry.getKey())) {
                continue;
            }
            holdings.add(
                    new Holding(entry.getKey().id(), entry.getKey().counters().epoch()));
            underWay.put(entry.getKey(), entry.getValue());
            batch.remove();
        }
        if (!holdings.isEmpty()) {
            out.send(keeper.renewal(holdings), now);
        }
    }

    /** The confirmation under way was applied; it stays good however late this is. */
    List<Outcome> confirmed(List<Boolean> confirmed) {
        if (confirmed.size() != underWay.size()) {
            throw new IllegalStateException(
                    underWay.size() + " holdings were answered with " + confirmed.size() + " confirmations");
        }
        var outcomes = new ArrayList<Outcome>();
        int place = 0;
        for (var entry : underWay.entrySet()) {
            outcomes.add(new Outcome(entry.getKey(), entry.getValue(), confirmed.get(place)));
            place++;
        }
        underWay.clear();
        return outcomes;
    }

    /** The outcome is unknown: another one is sent, for the same answers. */
    void failed(ClockReading now) {
        underWay.forEach((segment, waiters) -> {
            if (!waiters.isEmpty()) {
                waiting.computeIfAbsent(segment, key -> new ArrayList<>()).addAll(waiters);
            }
        });
        underWay.clear();
        pause.failed(now);
    }

    /** Takes out everybody who waits for this segment. */
    List<LoadedSegment.Waiter> remove(LoadedSegment segment) {
        var removed = new ArrayList<LoadedSegment.Waiter>();
        var later = waiting.remove(segment);
        if (later != null) {
            removed.addAll(later);
        }
        var asked = underWay.get(segment);
        if (asked != null) {
            // Its place stays, as the answer names holdings by place.
            removed.addAll(asked);
            asked.clear();
        }
        return removed;
    }

    /** Takes those out, of these segments, of whom this holds. */
    void forget(Collection<LoadedSegment> segments, Predicate<LoadedSegment.Waiter> which) {
        for (var segment : segments) {
            var later = waiting.get(segment);
            if (later != null && later.removeIf(which) && later.isEmpty()) {
                waiting.remove(segment);
            }
            var asked = underWay.get(segment);
            if (asked != null) {
                // Its place stays, as the answer names holdings by place.
                asked.removeIf(which);
            }
        }
    }

    /** The session is over: a late answer means nothing. */
    void clear() {
        waiting.clear();
        underWay.clear();
        pause.clear();
    }
}
