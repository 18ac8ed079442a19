package io.seqsvr.storesvr.raft;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long entries of the log take at the peer that leads, from when they leave until they were applied and answered.
 * Safe for use by many threads.
 */
final class EntryPace {
    /** Many times what an entry takes, and a small part of a lease. */
    static final Duration QUICK = Duration.ofMillis(500);

    /** When those that have not ended began, the oldest first. */
    private final Deque<Long> underWay = new ArrayDeque<>();

    private long quick;
    /** When the first of those began that were not quick, since the last one that was, and when the last ended. */
    private long slowSinceNanos;

    private long slowUntilNanos;
    private boolean slow;

    /** An entry leaves. */
    synchronized void begins(long nowNanos) {
        underWay.addLast(nowNanos);
    }

    /** One that left then was answered. */
    synchronized void ends(long begunNanos, long nowNanos) {
        underWay.removeFirstOccurrence(begunNanos);
        if (nowNanos - begunNanos < QUICK.toNanos()) {
            quick++;
            slow = false;
            return;
        }
        slowSinceNanos = slow && slowSinceNanos - begunNanos < 0 ? slowSinceNanos : begunNanos;
        slowUntilNanos = nowNanos;
        slow = true;
    }

    /** One that left then has failed, which says nothing of how fast this peer is. */
    synchronized void fails(long begunNanos) {
        underWay.removeFirstOccurrence(begunNanos);
    }

    /** How many were quick so far. */
    synchronized long quick() {
        return quick;
    }

    /** For how long there was none that was quick, of those that were answered, and one that waits to be. */
    synchronized long slowNanos(long nowNanos) {
        var oldest = underWay.peekFirst();
        boolean waits = oldest != null && nowNanos - oldest >= QUICK.toNanos();
        if (!waits) {
            return slow ? slowUntilNanos - slowSinceNanos : 0;
        }
        return nowNanos - (slow && slowSinceNanos - oldest < 0 ? slowSinceNanos : oldest);
    }
}
