package io.seqsvr.chaos.check;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The judge of a run that is too long to record: the rules (U) and (R) of {@link HistoryChecker} while it goes on, for
 * one namespace. Safe for use by many threads; calls about different users do not wait for each other for long.
 *
 * <p>(R) is exact and costs O(1) per operation: the floor at invocation is the greatest {@code last} that had returned
 * before, and that is the one the range must exceed. (U) is exact too, up to a user's first breach: of two ranges that
 * overlap, either (R) accuses one, or the operations were under way together, and a range is remembered while any
 * operation is under way that began with a floor below it. So the memory of a user is bounded by the operations that
 * ended while its oldest one was under way, and it is empty when nothing is: callers bound both by their timeout.
 */
public final class OnlineChecker {
    private final ConcurrentHashMap<Long, OnlineUser> users = new ConcurrentHashMap<>();

    /** A checker that has seen nothing. */
    public OnlineChecker() {}

    /**
     * A request is about to be sent. Exactly one {@link #end} or {@link #abandon} must follow.
     *
     * @param uid the user
     * @return the floor: the greatest sequence of the replies received so far, 0 if there was none
     */
    public long begin(long uid) {
        return user(uid).begin();
    }

    /**
     * Its reply has been received.
     *
     * @param uid the user
     * @param floorAtBegin what {@link #begin} returned
     * @param first smallest sequence of the reply
     * @param last greatest sequence of the reply, not below {@code first}
     * @return what the reply breaks, if anything
     */
    public Optional<Breach> end(long uid, long floorAtBegin, long first, long last) {
        if (first > last) {
            throw new IllegalArgumentException("user " + Long.toUnsignedString(uid) + " was answered from " + first
                    + " to " + last + ", which is no range of sequences");
        }
        return user(uid).end(floorAtBegin, first, last);
    }

    /**
     * It was refused, or its outcome is unknown.
     *
     * @param uid the user
     * @param floorAtBegin what {@link #begin} returned
     */
    public void abandon(long uid, long floorAtBegin) {
        user(uid).abandon(floorAtBegin);
    }

    /** How many ranges are remembered of a user. */
    int remembered(long uid) {
        return user(uid).remembered();
    }

    private OnlineUser user(long uid) {
        return users.computeIfAbsent(uid, OnlineUser::new);
    }

    /**
     * A reply that breaks a rule.
     *
     * @param rule {@link Rule#ORDERED} or {@link Rule#UNIQUE}
     * @param uid the user
     * @param first smallest sequence of the reply
     * @param last greatest sequence of the reply
     * @param against under ORDERED the floor that {@code first} does not exceed; under UNIQUE the greatest sequence of
     *     the other range
     */
    public record Breach(Rule rule, long uid, long first, long last, long against) {}
}
