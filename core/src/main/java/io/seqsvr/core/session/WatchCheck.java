package io.seqsvr.core.session;

import io.seqsvr.core.lease.ClockReading;

/**
 * Notices that a watch shows nothing new although there is something: its peer is cut off, or its poll got lost.
 *
 * <p>An answer to a renewal names the newest version of the cluster. A watch has from then until the answer to the next
 * renewal to show it.
 */
final class WatchCheck {
    private long seen;
    private long told;
    private ClockReading toldAt = new ClockReading(0, 0);

    /**
     * A watch showed a version.
     *
     * @return whether it is no older than what was shown before
     */
    boolean seen(long version) {
        if (version < seen) {
            return false;
        }
        seen = version;
        return true;
    }

    /**
     * A renewal was answered.
     *
     * @param version the newest of the cluster when it was applied
     * @param sentAt when the renewal was sent
     * @return whether an answer that came before that named a version that has not been shown yet
     */
    boolean stale(long version, ClockReading sentAt, ClockReading now) {
        boolean waiting = told > seen;
        if (waiting && sentAt.longestSince(toldAt) < 0) {
            // Both renewals were under way at once: the watch had no time in between.
            return false;
        }
        told = version;
        toldAt = now;
        return waiting;
    }
}
