package io.seqsvr.chaos.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The judge of a run that is too long to record: the rules of {@link HistoryChecker} while it goes on, for one
 * namespace. Safe for use by many threads; calls about different users do not wait for each other for long.
 *
 * <p>Up to a user's first breach it is exact. (R) is a comparison with the floor at invocation: the greatest sequence
 * that any reply had shown. For (U), of two ranges that overlap, either (R) accuses one, or the operations were under
 * way together, and a range is remembered while any operation is under way that began with a floor below it. An
 * operation costs O(1) amortised if replies come about in the order of their sequences; one that comes late moves what
 * is above it, and while an EXACT reading waits for the range that explains it, each reply costs O(calls unanswered).
 *
 * <p>A call that timed out is still under way as long as its reply may come: {@link #end} takes it however late, with
 * its floor, and it counts in full. The memory of a user is bounded by what was answered while its oldest call was
 * under way, it is next to nothing when none is, and it never exceeds the limit: beyond it the smallest sequences are
 * forgotten. A reply that comes later than that is judged by (R) alone; {@link #unjudged} counts it.
 */
public final class OnlineChecker {
    /** How many ranges of a user are remembered at most, and how many readings, if not said otherwise. */
    public static final int LIMIT = 4096;

    private final ConcurrentHashMap<Long, OnlineUser> users = new ConcurrentHashMap<>();
    private final int limit;

    /** A checker that has seen nothing, with the limit {@link #LIMIT}. */
    public OnlineChecker() {
        this(LIMIT);
    }

    /**
     * A checker that has seen nothing.
     *
     * @param limit how many ranges of a user are remembered at most, and how many readings; at least 1
     */
    public OnlineChecker(int limit) {
        this.limit = limit;
    }

    /**
     * A request is about to be sent. At most one of {@link #end}, {@link #told} and {@link #abandon} may follow.
     *
     * @param uid the user
     * @return the floor: the greatest sequence of the replies received so far, 0 if there was none
     */
    public long begin(long uid) {
        var user = user(uid);
        synchronized (user) {
            return user.begin();
        }
    }

    /**
     * Its reply with sequences has been received, however late.
     *
     * @param uid the user
     * @param floorAtBegin what {@link #begin} returned
     * @param first smallest sequence of the reply
     * @param last greatest sequence of the reply, not below {@code first}
     * @return what the reply breaks, if anything
     */
    public Optional<Breach> end(long uid, long floorAtBegin, long first, long last) {
        var user = user(uid);
        synchronized (user) {
            return user.end(floorAtBegin, first, last);
        }
    }

    /**
     * Its reply with the last sequence has been received, however late.
     *
     * @param uid the user
     * @param floorAtBegin what {@link #begin} returned
     * @param seq the last sequence or a bound above it
     * @param exact whether the reply called it EXACT
     * @return what the reply breaks, if anything
     */
    public Optional<Breach> told(long uid, long floorAtBegin, long seq, boolean exact) {
        var user = user(uid);
        synchronized (user) {
            return user.told(floorAtBegin, seq, exact);
        }
    }

    /**
     * It was refused, or no reply can come any more. It may have used up sequences.
     *
     * @param uid the user
     * @param floorAtBegin what {@link #begin} returned
     */
    public void abandon(long uid, long floorAtBegin) {
        var user = user(uid);
        synchronized (user) {
            user.abandon(floorAtBegin);
        }
    }

    /** How many replies were compared with a part only of what they could collide with; 0: all was judged exactly. */
    public long unjudged() {
        long sum = 0;
        for (OnlineUser user : users.values()) {
            synchronized (user) {
                sum += user.unjudged();
            }
        }
        return sum;
    }

    /** Of each user of whom a reply came the greatest sequence that any had shown. */
    public Map<Long, Long> greatest() {
        var all = new HashMap<Long, Long>();
        users.forEach((uid, user) -> {
            synchronized (user) {
                if (user.floor() > 0) {
                    all.put(uid, user.floor());
                }
            }
        });
        return all;
    }

    /** How many ranges are remembered of a user. */
    int remembered(long uid) {
        var user = user(uid);
        synchronized (user) {
            return user.remembered();
        }
    }

    private OnlineUser user(long uid) {
        return users.computeIfAbsent(uid, absent -> new OnlineUser(absent, limit));
    }
}
