package io.seqsvr.core.alloc;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.seqsvr.core.lease.ClockReading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A frame at its owner: how far each of its calls came, until all have ended and their answers leave together by
 * {@link Allocator#release(OpenFrame, ClockReading)}.
 *
 * <p>Invariant: a call ends once; until all have ended, nothing of the frame leaves. Those that wait end, refused, when
 * the time of the frame's caller is over.
 */
public final class OpenFrame {
    private static final int REFUSED = -1;
    private static final int STATE_BITS = 2;

    private static final int TAKEN = 0;
    private static final int CONFIRMED = 1;
    private static final int WAITING = 2;

    private final long correlation;
    private final FrameVerb verb;
    private final ClockReading begun;
    private final LongColumn seqs = new LongColumn();
    /**
     * For each call {@link #REFUSED}, or its segment's ordinal, its place in {@link #touched}, shifted left by
     * {@link #STATE_BITS}, with {@link #TAKEN}, {@link #CONFIRMED} or {@link #WAITING} in the low bits.
     */
    private final int[] states;

    private final IntColumn bounds = new IntColumn();
    /** How many sequences each call wants; empty for 1 each. */
    private final long[] counts;

    private LoadedSegment[] touched = new LoadedSegment[4];
    private int touchedCount;
    /** Of calls that are refused, by their places; those of one reason keep one between them, as only one is told. */
    private Answer.@Nullable Refused @Nullable [] refused;
    /** What was said first for each reason; null while nothing was. */
    private @Nullable Map<Refusal, Answer.Refused> said;

    private Answer.@Nullable Refused whole;
    private int open;
    /** Of calls that wait, by their places; empty while none has waited. */
    private long[] tickets = {};

    /**
     * A frame of which nothing is taken yet.
     *
     * @param calls its columns fit each other; not kept
     * @param begun the look at the clocks by which its numbers are taken; no answer leaves by it
     */
    OpenFrame(FrameCalls calls, FrameVerb verb, ClockReading begun) {
        this(calls.correlation(), verb, calls.uids().size(), calls.counts().toArray(), begun);
    }

    private OpenFrame(long correlation, FrameVerb verb, int calls, long[] counts, ClockReading begun) {
        this.correlation = correlation;
        this.verb = verb;
        this.begun = begun;
        this.states = new int[calls];
        this.counts = counts;
        seqs.extend(calls);
    }

    /** A frame that is refused as a whole. */
    static OpenFrame refused(long correlation, ClockReading begun, Answer.Refused why) {
        var frame = new OpenFrame(correlation, FrameVerb.NEXT, 0, new long[0], begun);
        frame.whole = why;
        return frame;
    }

    /** Whether all its calls have ended: it may be released. */
    public boolean ended() {
        return open == 0;
    }

    /** How many calls it has; 0 if it was refused as a whole. */
    public int calls() {
        return states.length;
    }

    ClockReading begun() {
        return begun;
    }

    long[] seqs() {
        return seqs.array();
    }

    int[] states() {
        return states;
    }

    /** What {@link #states} holds for a call whose numbers were taken in the segment of that ordinal. */
    static int taken(int ordinal) {
        return ordinal << STATE_BITS;
    }

    /** Numbers of a segment are about to be taken for this frame: it gets the next ordinal. */
    int touch(LoadedSegment segment) {
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, 2 * touchedCount);
        }
        touched[touchedCount] = segment;
        return touchedCount++;
    }

    int touchedCount() {
        return touchedCount;
    }

    LoadedSegment touched(int ordinal) {
        return touched[ordinal];
    }

    /** A call begins to wait in the segment of that ordinal. */
    void waits(int place, int ordinal, long ticket) {
        states[place] = ordinal << STATE_BITS | WAITING;
        open++;
        if (tickets.length == 0) {
            tickets = new long[states.length];
        }
        tickets[place] = ticket;
    }

    /** A call was refused at once, or ends so. */
    void refuse(int place, Answer.Refused why) {
        var all = refused;
        var firsts = said;
        if (all == null || firsts == null) {
            all = new Answer.Refused[states.length];
            firsts = new EnumMap<>(Refusal.class);
            refused = all;
            said = firsts;
        }
        var first = firsts.putIfAbsent(why.refusal(), why);
        all[place] = first == null ? why : first;
        states[place] = REFUSED;
        seqs.set(place, 0);
    }

    /** A call that did not wait has its numbers, in the segment of that ordinal. */
    void take(int place, int ordinal, Answer answer) {
        states[place] = ordinal << STATE_BITS | TAKEN;
        keep(place, answer);
    }

    /** The time of the frame's caller is over: calls that wait leave the room and are refused; the others may leave. */
    void giveUp(WaitingRoom room) {
        for (int place = 0; place < states.length; place++) {
            if (states[place] != REFUSED && (states[place] & WAITING) != 0) {
                room.forget(tickets[place], touched[states[place] >> STATE_BITS]);
                refuse(place, Step.LATE.answer());
            }
        }
        open = 0;
        room.forgetForGood();
    }

    /**
     * A call that waited has got to its end.
     *
     * @return whether it was the last of the frame
     */
    boolean end(int place, Step step) {
        int state = states[place];
        if (state == REFUSED || (state & WAITING) == 0) {
            throw new IllegalStateException(
                    "the call at " + place + " of frame " + correlation + " does not wait; it cannot end with " + step);
        }
        open--;
        int ordinal = state >> STATE_BITS;
        if (step instanceof Step.Refused refusal) {
            refuse(place, refusal.answer());
        } else if (step instanceof Step.Taken taken) {
            take(place, ordinal, taken.answer());
        } else if (step instanceof Step.Confirmed confirmed) {
            states[place] = ordinal << STATE_BITS | CONFIRMED;
            keep(place, confirmed.answer());
        } else {
            throw new IllegalStateException(step + " is no end of a call");
        }
        return open == 0;
    }

    private void keep(int place, Answer answer) {
        if (answer instanceof Answer.Range range) {
            seqs.set(place, range.first());
        } else if (answer instanceof Answer.Reading reading) {
            seqs.set(place, reading.seq());
            if (!reading.exact()) {
                bounds.add(place);
            }
        } else if (answer instanceof Answer.Lifted lifted) {
            seqs.set(place, lifted.seq());
        } else {
            throw new IllegalStateException(answer + " is no answer to " + verb);
        }
    }

    /**
     * All answers, but for calls of segments that may not answer: these are refused.
     *
     * @param denied for the segment of each ordinal why none of its answers may leave, null where they may
     */
    FrameAnswers leave(Answer.@Nullable Refused[] denied) {
        if (open > 0) {
            throw new IllegalStateException(open + " of " + states.length + " calls have not ended");
        }
        var segments = new IntColumn();
        var epochs = new LongColumn();
        boolean allMay = true;
        for (int ordinal = 0; ordinal < touchedCount; ordinal++) {
            if (denied[ordinal] == null) {
                segments.add(touched[ordinal].id().index());
                epochs.add(touched[ordinal].counters().epoch());
            } else {
                allMay = false;
            }
        }
        if (!allMay) {
            deny(denied, segments, epochs);
        }
        return new FrameAnswers(
                correlation, seqs, segments, epochs, allMay ? bounds : answeredBounds(), refusals(), sequences());
    }

    private long sequences() {
        if (verb != FrameVerb.NEXT) {
            return 0;
        }
        if (refused == null && counts.length == 0) {
            return states.length;
        }
        long sum = 0;
        for (int place = 0; place < states.length; place++) {
            if (states[place] != REFUSED) {
                sum += counts.length == 0 ? 1 : counts[place];
            }
        }
        return sum;
    }

    private void deny(Answer.@Nullable Refused[] denied, IntColumn segments, LongColumn epochs) {
        var named = new boolean[touchedCount];
        for (int place = 0; place < states.length; place++) {
            int state = states[place];
            if (state == REFUSED) {
                continue;
            }
            int ordinal = state >> STATE_BITS;
            var why = denied[ordinal];
            if (why == null) {
                continue;
            }
            if ((state & CONFIRMED) == 0) {
                refuse(place, why);
            } else if (!named[ordinal]) {
                named[ordinal] = true;
                segments.add(touched[ordinal].id().index());
                epochs.add(touched[ordinal].counters().epoch());
            }
        }
    }

    private IntColumn answeredBounds() {
        var answered = new IntColumn();
        for (int i = 0; i < bounds.size(); i++) {
            if (states[bounds.get(i)] != REFUSED) {
                answered.add(bounds.get(i));
            }
        }
        return answered;
    }

    private List<FrameAnswers.Refused> refusals() {
        if (whole != null) {
            return List.of(new FrameAnswers.Refused(whole, new IntColumn()));
        }
        if (refused == null) {
            return List.of();
        }
        var byReason = new EnumMap<Refusal, FrameAnswers.Refused>(Refusal.class);
        var inOrder = new ArrayList<FrameAnswers.Refused>();
        for (int place = 0; place < refused.length; place++) {
            var why = refused[place];
            if (why == null) {
                continue;
            }
            var entry = byReason.get(why.refusal());
            if (entry == null) {
                entry = new FrameAnswers.Refused(why, new IntColumn());
                byReason.put(why.refusal(), entry);
                inOrder.add(entry);
            }
            entry.places().add(place);
        }
        return inOrder;
    }

    @Override
    public String toString() {
        return "frame " + correlation + " of " + states.length + " calls, " + open + " of which wait";
    }
}
