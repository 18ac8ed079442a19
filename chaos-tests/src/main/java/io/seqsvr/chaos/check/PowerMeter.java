package io.seqsvr.chaos.check;

import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the {@link Power} of a run while it goes on, in O(1) per call. Safe for use by many threads. The replies of a
 * user are to be told in the order in which they came.
 */
public final class PowerMeter {
    private final ConcurrentHashMap<Long, SeenEpochs> users = new ConcurrentHashMap<>();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder forgotten = new LongAdder();

    /** A meter that has seen nothing. */
    public PowerMeter() {}

    /** A call of this user ended in some way that tells no owner, or is under way: the user is one of the run's. */
    public void called(long uid) {
        var unused = user(uid);
    }

    /** A call of this user was refused by an allocator that says that it does not own the user's segment. */
    public void refusedByNonOwner(long uid) {
        called(uid);
        refusals.increment();
    }

    /**
     * Sequences came.
     *
     * @param uid the user
     * @param invoked when the request was about to be sent
     * @param returned when the reply had been received, by the same clock
     * @param epoch epoch of the reply
     */
    public void answered(long uid, long invoked, long returned, long epoch) {
        var user = user(uid);
        synchronized (user) {
            user.see(invoked, returned, epoch);
        }
    }

    /** Calls at former owners count from now on: before that callers did not know whom to ask. */
    public void forgetDeposed() {
        forgotten.add(power().deposed());
    }

    /** Pairs across changes that users have seen by now are told apart from those to come. */
    public void mark() {
        for (SeenEpochs user : users.values()) {
            synchronized (user) {
                user.mark();
            }
        }
    }

    /** How many straddling pairs there were across changes that users have seen since the last mark. */
    public long straddlesSinceMark() {
        long straddles = 0;
        for (SeenEpochs user : users.values()) {
            synchronized (user) {
                straddles += user.straddlesSinceMark();
            }
        }
        return straddles;
    }

    /** What was seen so far. */
    public Power power() {
        long fewest = users.isEmpty() ? 0 : Long.MAX_VALUE;
        long changes = 0;
        long straddles = 0;
        long deposed = refusals.sum() - forgotten.sum();
        long gap = Long.MAX_VALUE;
        for (SeenEpochs user : users.values()) {
            synchronized (user) {
                fewest = Math.min(fewest, user.changes());
                changes += user.changes();
                straddles += user.straddles();
                deposed += user.late();
                gap = Math.min(gap, user.smallestGap());
            }
        }
        return new Power(
                users.size(),
                changes,
                fewest,
                straddles,
                straddles == 0 ? OptionalLong.empty() : OptionalLong.of(gap),
                deposed);
    }

    private SeenEpochs user(long uid) {
        return users.computeIfAbsent(uid, absent -> new SeenEpochs());
    }
}
