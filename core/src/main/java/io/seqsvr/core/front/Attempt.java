package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.namespace.SegmentId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One sending of one frame, with the calls that it serves.
 *
 * <p>Invariant: once it is sent no call joins it, and its answers are for its own calls only, however late they are.
 */
final class Attempt<T> {
    private final long correlation;
    private final Lane<T> lane;
    private final List<Frame.Place> places;
    private final List<OpenCall<T>> joined;
    /** The place of each that joined; null while each has one of its own. */
    private @Nullable IntColumn placeOfJoined;

    private @Nullable Map<Call, Integer> readings;
    private long sentAtNanos;
    /** Of its owner, when it was sent. */
    private long repliesBefore;

    private int open;
    private boolean givenUp;

    Attempt(long correlation, Lane<T> lane) {
        this.correlation = correlation;
        this.lane = lane;
        this.places = new ArrayList<>(lane.lastSize());
        this.joined = new ArrayList<>(lane.lastSize());
    }

    long correlation() {
        return correlation;
    }

    Lane<T> lane() {
        return lane;
    }

    int size() {
        return places.size();
    }

    Frame.Place place(int index) {
        return places.get(index);
    }

    /** The segments of these places. */
    Set<SegmentId> segments(IntPredicate which) {
        Set<SegmentId> found = new HashSet<>();
        for (int place = 0; place < places.size(); place++) {
            if (which.test(place)) {
                found.add(places.get(place).segment());
            }
        }
        return found;
    }

    /**
     * Tells what refusals among its answers say of owners.
     *
     * @param answers one for each place
     * @param noneAnswered whether all of them are refusals
     */
    void tell(RouteBook book, List<Answer> answers, boolean noneAnswered) {
        // Several refusals in one reply are one.
        segments(place -> answers.get(place).isRefusal(Refusal.NOT_OWNER)).forEach(book::refused);
        // Cut off from StoreSvr an owner is as one that cannot be reached; one that was late has been counted.
        if (!givenUp) {
            segments(place -> mayNotAnswer(answers.get(place), noneAnswered)).forEach(book::unreached);
        }
    }

    /** Without a lease, or in QUORUM order without the log: but where others were answered a raise took its time. */
    private static boolean mayNotAnswer(Answer answer, boolean noneAnswered) {
        return answer.isRefusal(Refusal.LEASE_EXPIRED)
                || answer.isRefusal(Refusal.NOT_READY)
                || (noneAnswered && answer.isRefusal(Refusal.DEADLINE_PASSED));
    }

    /** The calls that it serves. */
    List<OpenCall<T>> joined() {
        return joined;
    }

    /** Where the answer of a call stands. */
    int placeOf(int indexOfJoined) {
        return placeOfJoined == null ? indexOfJoined : placeOfJoined.get(indexOfJoined);
    }

    /** A call gets a place of its own. */
    void add(OpenCall<T> call, Routing.Owner owner) {
        if (call.call() instanceof Call.Current reading) {
            if (readings == null) {
                readings = new HashMap<>();
            }
            readings.put(reading, places.size());
        }
        if (placeOfJoined != null) {
            placeOfJoined.add(places.size());
        }
        join(call);
        places.add(new Frame.Place(call.call(), owner.segment(), owner.epoch()));
    }

    /**
     * A reading may share the place of another one of the same user, if both began before the frame is sent.
     *
     * @return whether it does
     */
    boolean share(OpenCall<T> call) {
        var place = readings == null ? null : readings.get(call.call());
        if (place == null) {
            return false;
        }
        if (placeOfJoined == null) {
            placeOfJoined = new IntColumn();
            for (int i = 0; i < joined.size(); i++) {
                placeOfJoined.add(i);
            }
        }
        placeOfJoined.add(place);
        join(call);
        return true;
    }

    private void join(OpenCall<T> call) {
        joined.add(call);
        call.join(this);
        open++;
    }

    Frame send(long nowNanos) {
        sentAtNanos = nowNanos;
        repliesBefore = lane.line().replies();
        long longest = 1;
        for (var call : joined) {
            longest = Math.max(longest, call.deadlineNanos() - nowNanos);
        }
        return new Frame(correlation, lane.line().address(), Collections.unmodifiableList(places), longest);
    }

    boolean isOverdue(long nowNanos, long patienceNanos) {
        return nowNanos - sentAtNanos >= patienceNanos;
    }

    /** Whether its owner has answered nothing at all since it was sent. */
    boolean hasHeardNothingSince() {
        return lane.line().replies() == repliesBefore;
    }

    /** Its calls go out again; an answer may still come. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** One of its calls has ended, or waits for its reply no more. */
    void callEnded() {
        open--;
    }

    /** Whether nobody is interested in its reply any more. */
    boolean isOver() {
        return givenUp && open == 0;
    }
}
