package io.seqsvr.core.front;

import io.seqsvr.core.frame.FrameVerb;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one address: the frames in flight, and the lanes, each with the frame that is being filled and the calls
 * that wait for one.
 *
 * <p>All lanes share the bound of frames in flight: it protects the owner and the stream to it, which do not care what
 * is in a frame. A lane without any may begin one beyond it, a few in all: what is in flight may wait for StoreSvr, as
 * in QUORUM order, and others need not. Lanes that wait take turns, so that a busy one holds no other up.
 *
 * <p>Invariant: calls of a lane are seated in the order in which they came. So none joins a frame while others of its
 * lane wait, but for those whose turn it is.
 */
final class OwnerLine<T> {
    /** Frames beyond the bound. An owner reads no more from a stream of which it holds 32. */
    private static final int MOST_BEYOND = 8;

    private final String address;
    private final List<Attempt<T>> inFlight = new ArrayList<>();
    private final Map<Integer, List<Lane<T>>> lanesByNamespace = new HashMap<>();
    /** Those with calls that wait, the one whose turn it is first. */
    private final Deque<Lane<T>> turns = new ArrayDeque<>(1);

    /** Those whose turn it is: what was taken out of them is about to be seated, in a frame that they may begin. */
    private final List<Lane<T>> seating = new ArrayList<>(1);

    private @Nullable Lane<T> lastLane;
    private int forming;
    private long replies;

    OwnerLine(String address) {
        this.address = address;
    }

    String address() {
        return address;
    }

    Lane<T> lane(int namespaceId, FrameVerb verb) {
        if (lastLane == null || !lastLane.isOf(namespaceId, verb)) {
            lastLane = find(namespaceId, verb);
        }
        return lastLane;
    }

    private Lane<T> find(int namespaceId, FrameVerb verb) {
        var lanes = lanesByNamespace.computeIfAbsent(namespaceId, id -> new ArrayList<>());
        for (var lane : lanes) {
            if (lane.isOf(namespaceId, verb)) {
                return lane;
            }
        }
        var lane = new Lane<>(this, namespaceId, verb);
        lanes.add(lane);
        return lane;
    }

    /** Sent and neither answered nor given up, the oldest first. */
    List<Attempt<T>> inFlight() {
        return inFlight;
    }

    /** A reply has come. */
    void heard() {
        replies++;
    }

    /** How many replies have come. */
    long replies() {
        return replies;
    }

    /** Whether a call that comes now may join a frame of a lane, or begin one. */
    boolean maySeat(Lane<T> lane, int framesInFlight) {
        return (lane.waiting().isEmpty() || seating.contains(lane)) && mayBegin(lane, 0, framesInFlight);
    }

    private boolean mayBegin(Lane<T> lane, int others, int framesInFlight) {
        int all = inFlight.size() + forming + others;
        return all < framesInFlight || (lane.isIdle() && all < framesInFlight + MOST_BEYOND);
    }

    /** All that was taken out of lanes has been seated, or went elsewhere. */
    void seated() {
        seating.clear();
    }

    /** A frame is begun. */
    void begin(Lane<T> lane, Attempt<T> attempt) {
        seating.remove(lane);
        lane.form(attempt);
        forming++;
    }

    /** The frame that a lane has begun is sent. */
    void send(Lane<T> lane, Attempt<T> attempt) {
        lane.form(null);
        lane.sent(attempt.size());
        forming--;
        inFlight.add(attempt);
    }

    /**
     * A frame is in flight no more.
     *
     * @return whether it was
     */
    boolean leave(Attempt<T> attempt) {
        boolean wasInFlight = inFlight.remove(attempt);
        if (wasInFlight) {
            attempt.lane().left();
        }
        return wasInFlight;
    }

    /** A call waits for a frame. */
    void await(Lane<T> lane, OpenCall<T> call) {
        if (lane.waiting().isEmpty()) {
            turns.add(lane);
        }
        lane.waiting().add(call);
    }

    boolean hasWaiting() {
        return !turns.isEmpty();
    }

    /**
     * Takes calls out that wait: those of one lane that may begin a frame. One that has become idle is before the one
     * whose turn it is: else what comes next would find room, and overtake them.
     *
     * @param most how many
     * @param first they are put before what is there, in order
     */
    void takeTurn(int most, int framesInFlight, Deque<OpenCall<T>> first) {
        Lane<T> next = null;
        for (var lane : turns) {
            if (!seating.contains(lane) && mayBegin(lane, seating.size(), framesInFlight)) {
                if (lane.isIdle()) {
                    next = lane;
                    break;
                }
                next = next == null ? lane : next;
            }
        }
        if (next != null) {
            turns.remove(next);
            seating.add(next);
            take(next, most, first);
        }
    }

    /** The same of all lanes, with all that wait. */
    void takeAll(Deque<OpenCall<T>> first) {
        for (var lane = turns.poll(); lane != null; lane = turns.poll()) {
            take(lane, Integer.MAX_VALUE, first);
        }
    }

    private void take(Lane<T> lane, int most, Deque<OpenCall<T>> first) {
        var taken = new ArrayDeque<OpenCall<T>>(Math.min(most, lane.waiting().size()));
        while (taken.size() < most && !lane.waiting().isEmpty()) {
            taken.push(lane.waiting().remove());
        }
        taken.forEach(first::addFirst);
        if (!lane.waiting().isEmpty()) {
            turns.add(lane);
        }
    }

    /** All calls that wait here. */
    List<OpenCall<T>> waiting() {
        var all = new ArrayList<OpenCall<T>>();
        turns.forEach(lane -> all.addAll(lane.waiting()));
        return all;
    }

    /** Calls that have ended wait no more. */
    void forgetEnded() {
        turns.forEach(lane -> lane.waiting().removeIf(OpenCall::hasEnded));
        turns.removeIf(lane -> lane.waiting().isEmpty());
    }

    boolean isIdle() {
        return turns.isEmpty() && inFlight.isEmpty() && forming == 0;
    }
}
