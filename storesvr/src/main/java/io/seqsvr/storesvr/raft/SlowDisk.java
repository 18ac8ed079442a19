package io.seqsvr.storesvr.raft;

import java.time.Duration;
import java.util.List;

/**
 * Tells when a leader's own disk holds the group up. Ratis commits nothing that the leader itself has not synced, not
 * even what all others have: behind one slow disk everybody waits, while heartbeats go on and nobody is elected.
 */
final class SlowDisk {
    /** Longer than a disk in good order takes for a sync, and much shorter than a lease. */
    static final Duration BEARABLE = Duration.ofSeconds(1);

    private long synced = -1;
    private long sinceNanos;
    private boolean behind;

    /**
     * Whether nothing has been synced here for longer than is bearable, while a majority without this peer has more.
     *
     * @param nowNanos on a clock that does not go back
     * @param syncedHere index up to which this leader's log is on its disk
     * @param syncedThere the same of each other member
     */
    boolean isUnbearable(long nowNanos, long syncedHere, List<Long> syncedThere) {
        long ahead = syncedThere.stream().filter(index -> index > syncedHere).count();
        boolean wasBehind = behind;
        behind = ahead > (syncedThere.size() + 1) / 2;
        if (!wasBehind || syncedHere != synced) {
            sinceNanos = nowNanos;
        }
        synced = syncedHere;
        return behind && nowNanos - sinceNanos > BEARABLE.toNanos();
    }
}
