package io.seqsvr.chaos.live;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongToIntFunction;

/**
 * Of each segment of some users, when the newest call began that gave one of them a number: who serves a segment serves
 * all of its users. Safe for many threads.
 */
final class ServedSegments {
    private final LongToIntFunction segmentOf;
    private final ConcurrentHashMap<Integer, Long> newest = new ConcurrentHashMap<>();

    /**
     * None was served since.
     *
     * @param uids whose segments
     * @param beforeNanos a moment of {@link System#nanoTime}
     */
    ServedSegments(long[] uids, LongToIntFunction segmentOf, long beforeNanos) {
        this.segmentOf = segmentOf;
        Arrays.stream(uids).forEach(uid -> newest.put(segmentOf.applyAsInt(uid), beforeNanos - 1));
    }

    /** One of the users was given a number by a call that began then. */
    void gave(long uid, long begunNanos) {
        newest.merge(segmentOf.applyAsInt(uid), begunNanos, (known, begun) -> begun - known > 0 ? begun : known);
    }

    /** Whether a user of each was, by a call that began then or later. */
    boolean areServedSince(long nanos) {
        return newest.values().stream().allMatch(begun -> begun - nanos >= 0);
    }
}
