package io.seqsvr.client.line;

import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.front.Calls;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What happened on the lines, in numbers that only grow. Written by the loop alone, without a lock and per batch where
 * that does; read by anybody.
 */
public final class LineCounts {
    /** How a call ended. */
    public enum Outcome {
        /** With what was asked for. */
        ANSWERED,
        /** With a typed "no". */
        REFUSED,
        /** Without an answer: its outcome is unknown. */
        UNKNOWN
    }

    /** What else is counted. */
    public enum Event {
        /** Frames sent. */
        FRAMES,
        /** Calls in these frames. */
        FRAMED_CALLS,
        /** Calls that were put aside to be tried again. */
        RETRIES,
        /** Answers of an older epoch than one that was seen, none of which was handed out. */
        DISBELIEVED,
        /** Answers that stepped back behind what was seen, none of which was handed out. Anything but 0 is an alarm. */
        BACKWARD,
        /** Replies that came after their calls had been sent again. */
        LATE_REPLIES,
        /** Replies that were none to their frame. */
        MALFORMED,
        /** Streams begun. */
        STREAMS
    }

    /** What is counted of the calls of one verb. */
    private static final class OfVerb {
        final Map<Outcome, AtomicLong> ended = new EnumMap<>(Outcome.class);
        final AtomicLong nanos = new AtomicLong();

        OfVerb() {
            for (var outcome : Outcome.values()) {
                ended.put(outcome, new AtomicLong());
            }
        }
    }

    private final Map<FrameVerb, OfVerb> verbs = new EnumMap<>(FrameVerb.class);
    private final Map<Event, AtomicLong> events = new EnumMap<>(Event.class);
    private final LongAdder overload = new LongAdder();
    private volatile int open;

    LineCounts() {
        for (var verb : FrameVerb.values()) {
            verbs.put(verb, new OfVerb());
        }
        for (var event : Event.values()) {
            events.put(event, new AtomicLong());
        }
    }

    void ended(FrameVerb verb, Outcome outcome, long nanos) {
        var counted = of(verb);
        add(Objects.requireNonNull(counted.ended.get(outcome)), 1);
        add(counted.nanos, nanos);
    }

    void add(Event event, long more) {
        add(of(event), more);
    }

    /** What calls count by themselves. */
    void show(Calls<?> calls) {
        set(Event.RETRIES, calls.retries());
        set(Event.DISBELIEVED, calls.disbelieved());
        set(Event.BACKWARD, calls.backward());
        set(Event.LATE_REPLIES, calls.lateReplies());
        open(calls.open());
    }

    private void set(Event event, long total) {
        of(event).setOpaque(total);
    }

    private OfVerb of(FrameVerb verb) {
        return Objects.requireNonNull(verbs.get(verb));
    }

    private AtomicLong of(Event event) {
        return Objects.requireNonNull(events.get(event));
    }

    private static void add(AtomicLong count, long more) {
        // One writer: no atomic addition.
        count.setOpaque(count.getPlain() + more);
    }

    void open(int calls) {
        if (open != calls) {
            open = calls;
        }
    }

    /** Calls of a verb that ended so. */
    public long calls(FrameVerb verb, Outcome outcome) {
        return Objects.requireNonNull(of(verb).ended.get(outcome)).getOpaque();
    }

    /** Calls of a verb that ended. */
    public long ended(FrameVerb verb) {
        long ended = 0;
        for (var outcome : Outcome.values()) {
            ended += calls(verb, outcome);
        }
        return ended;
    }

    /** How long calls of a verb took from being made to their end, all together, in nanoseconds. */
    public long nanos(FrameVerb verb) {
        return of(verb).nanos.getOpaque();
    }

    /** How often that happened. */
    public long count(Event event) {
        return of(event).getOpaque();
    }

    /** By any thread: a call was refused before the loop saw it. */
    void overloaded() {
        overload.increment();
    }

    /** Calls that were refused at once as too many waited for the loop; these are in no other number. */
    public long overload() {
        return overload.sum();
    }

    /** Calls that have not ended. */
    public int open() {
        return open;
    }
}
