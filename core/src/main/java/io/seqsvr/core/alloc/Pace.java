package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import org.jspecify.annotations.Nullable;

/**
 * How many segments set out for other allocators in a while: {@link #FEW}, or a {@link #GROUPS}th of all that are to
 * go. A hand-over is work for every process of the cluster: for both owners, for StoreSvr, and for everybody who is
 * shown the next routes. Of a hundred at once each user waits until all of that is done, and so do users of segments
 * that stay, whose owners have to do it. Few at a time are done soon, and the pause between is for everybody else.
 *
 * <p>Only segments that somebody asked for count: nobody waits for the others.
 */
final class Pace {
    static final long BETWEEN_NANOS = 200_000_000;
    static final int FEW = 4;
    /** Even the most of them set out within {@link #BETWEEN_NANOS} times this, unless there is no room for so many. */
    static final int GROUPS = 32;

    private @Nullable ClockReading groupSince;
    private int inGroup;
    private int atOnce = FEW;

    /**
     * Whether no further one may set out for now.
     *
     * @param waiting how many have not
     */
    boolean isFull(int waiting, ClockReading now) {
        long since = groupSince == null ? Long.MAX_VALUE : now.monotonicSince(groupSince);
        if (since >= BETWEEN_NANOS) {
            // Nobody waited for longer: what waits now has nothing to do with what went then.
            boolean anew = since >= 2 * BETWEEN_NANOS;
            atOnce = Math.max(anew ? FEW : atOnce, (waiting + GROUPS - 1) / GROUPS);
            groupSince = now;
            inGroup = 0;
        }
        return inGroup >= atOnce;
    }

    /** One sets out. */
    void count() {
        inGroup++;
    }
}
