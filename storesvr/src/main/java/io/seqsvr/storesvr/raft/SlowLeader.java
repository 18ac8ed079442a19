package io.seqsvr.storesvr.raft;

import java.time.Duration;

/**
 * Tells when a peer has become too slow to lead: what it puts into the log is answered late, so that leases run out
 * behind it, while its heartbeats still come in time and nobody is elected. A process that gets next to no processor
 * time is such a one.
 *
 * <p>Only who was quick before in the same term counts: where a whole group is slow, as it starts perhaps, another
 * leader would be no better. And one look is not enough: a process that stood still for a moment has old entries when
 * it goes on, and answers them at once.
 */
final class SlowLeader {
    /** Longer than anything that passes by itself, and shorter than a lease. */
    static final Duration BEARABLE = Duration.ofMillis(1_200);

    private static final int QUICK_BEFORE = 10;
    private static final int LOOKS = 3;

    private long quickBefore;
    private long quickAtLastLook;
    private int looks;

    /**
     * Whether it is, as of this look.
     *
     * @param nowNanos on a clock that does not go back
     */
    boolean isUnbearable(long nowNanos, EntryPace pace) {
        long quick = pace.quick();
        long slowNanos = pace.slowNanos(nowNanos);
        boolean wasQuick = quick - quickBefore >= QUICK_BEFORE;
        looks = wasQuick && quick == quickAtLastLook && slowNanos > 0 ? looks + 1 : 0;
        quickAtLastLook = quick;
        return looks >= LOOKS && slowNanos >= BEARABLE.toNanos();
    }

    /** It does not lead: the next term begins anew. */
    void forget(EntryPace pace) {
        quickBefore = pace.quick();
        looks = 0;
    }
}
