package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Segments that are to go to other allocators and have not set out; they are served as ever. They go in the order in
 * which they were asked for, at a {@link Pace}. Those of receivers that let one wait for too long come last; and for
 * a while after that nobody pauses.
 */
final class DepartureQueue {
    /** For so long nobody pauses who has waited for a silent receiver: a stop is given up by then. */
    static final long HURRY_NANOS = 8_000_000_000L;

    private final Map<SegmentId, Departure> queue = new LinkedHashMap<>();
    /** Receivers that let a segment wait too long, and have taken nothing since. */
    private final Set<Long> silent = new HashSet<>();

    /** When one of them was found to be. */
    private @Nullable ClockReading silentSince;

    private final Pace pace = new Pace();
    /** How many of them somebody asked for. */
    private int touched;
    /** Whether something may have changed since no further segment could set out; asked with every request. */
    private boolean maySetOut;

    void add(Departure departure) {
        queue.put(departure.segment.id(), departure);
        touched += departure.touched ? 1 : 0;
        maySetOut = true;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    boolean contains(SegmentId segment) {
        return queue.containsKey(segment);
    }

    /** The segment is to go no longer. */
    void remove(SegmentId segment) {
        var gone = queue.remove(segment);
        if (gone != null) {
            touched -= gone.touched ? 1 : 0;
            maySetOut = true;
        }
    }

    /** There is room for another one on the way. */
    void hasRoom() {
        maySetOut = true;
    }

    /**
     * As many set out as may.
     *
     * @param fits whether there is room for one more
     * @param setsOut what it does
     */
    void setOut(ClockReading now, Predicate<Departure> fits, Consumer<Departure> setsOut) {
        if (!maySetOut || isFull(now)) {
            return;
        }
        boolean othersWait =
                !silent.isEmpty() && queue.values().stream().anyMatch(waiting -> !silent.contains(waiting.to));
        for (var waiting = queue.values().iterator(); waiting.hasNext(); ) {
            var next = waiting.next();
            if (othersWait && silent.contains(next.to)) {
                continue;
            }
            if (isFull(now)) {
                return;
            }
            next.count();
            if (!fits.test(next)) {
                maySetOut = false;
                return;
            }
            waiting.remove();
            if (next.touched) {
                // By the same as groups are sized: whoever comes while it waits must not make the last ones late.
                touched--;
                pace.count();
            }
            next.since = now;
            next.triedAgain = silent.contains(next.to);
            setsOut.accept(next);
        }
        // All of the others have set out: those of silent receivers are next.
        maySetOut = othersWait;
    }

    /** Who has waited for a silent receiver has no time left for pauses: a stop is given up after a while. */
    private boolean isFull(ClockReading now) {
        boolean hurries = !silent.isEmpty() && silentSince != null && now.monotonicSince(silentSince) < HURRY_NANOS;
        return !hurries && pace.isFull(touched, now);
    }

    /**
     * What waits for a silent receiver keeps what goes to others waiting: so it goes behind that, as one message may
     * have got lost. A receiver that took nothing in between, and lets another one wait, gets nothing more.
     *
     * @param departure it waited for too long
     * @return what goes to that receiver no longer
     */
    List<LoadedSegment> saidNothing(Departure departure, ClockReading now) {
        maySetOut = true;
        silentSince = now;
        if (departure.triedAgain && silent.contains(departure.to)) {
            return removeAll(departure.to);
        }
        silent.add(departure.to);
        return List.of();
    }

    /** A receiver takes something. */
    void speaks(long receiver) {
        maySetOut |= silent.remove(receiver);
    }

    boolean isSilent(long receiver) {
        return silent.contains(receiver);
    }

    /** Whoever was silent once may be asked again. */
    void forgetSilence() {
        maySetOut = true;
        silent.clear();
    }

    /** A receiver gets nothing more; what was to go there. */
    List<LoadedSegment> removeAll(long to) {
        var those = new ArrayList<LoadedSegment>();
        queue.values().stream().filter(waiting -> waiting.to == to).forEach(waiting -> those.add(waiting.segment));
        those.forEach(segment -> remove(segment.id()));
        maySetOut = true;
        return those;
    }

    void clear() {
        queue.clear();
        silent.clear();
        touched = 0;
    }
}
