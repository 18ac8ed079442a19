package io.seqsvr.core.front;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One sending of one frame, with the calls that it serves.
 *
 * <p>Invariant: once it is sent no call joins it, and its answers are for its own calls only, however late they are.
 */
final class Attempt {
    private final long correlation;
    private final OwnerLine line;
    private final List<Frame.Place> places = new ArrayList<>();
    private final List<Joined> joined = new ArrayList<>();
    private @Nullable Map<Call, Integer> readings;
    private long sentAtNanos;
    private int open;
    private boolean givenUp;

    /** A call and the place of its answer. */
    record Joined(OpenCall call, int place) {}

    Attempt(long correlation, OwnerLine line) {
        this.correlation = correlation;
        this.line = line;
    }

    long correlation() {
        return correlation;
    }

    OwnerLine line() {
        return line;
    }

    int size() {
        return places.size();
    }

    Frame.Place place(int index) {
        return places.get(index);
    }

    List<Joined> joined() {
        return joined;
    }

    /** A call gets a place of its own. */
    void add(OpenCall call, Routing.Owner owner) {
        if (call.call() instanceof Call.Current reading) {
            if (readings == null) {
                readings = new HashMap<>();
            }
            readings.put(reading, places.size());
        }
        join(call, places.size());
        places.add(new Frame.Place(call.call(), owner.segment(), owner.epoch()));
    }

    /**
     * A reading may share the place of another one of the same user, if both began before the frame is sent.
     *
     * @return whether it does
     */
    boolean share(OpenCall call) {
        var place = readings == null ? null : readings.get(call.call());
        if (place == null) {
            return false;
        }
        join(call, place);
        return true;
    }

    private void join(OpenCall call, int place) {
        joined.add(new Joined(call, place));
        call.join(this);
        open++;
    }

    Frame send(long nowNanos) {
        sentAtNanos = nowNanos;
        return new Frame(correlation, line.address(), places);
    }

    boolean isOverdue(long nowNanos, long patienceNanos) {
        return nowNanos - sentAtNanos >= patienceNanos;
    }

    /** Its calls go out again; an answer may still come. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** One of its calls has ended. */
    void callEnded() {
        open--;
    }

    /** Whether nobody is interested in its reply any more. */
    boolean isOver() {
        return givenUp && open == 0;
    }
}
