package io.seqsvr.core.alloc;

import io.seqsvr.core.segment.SegmentCounters;

/**
 * The memory of all counters of an allocator. A page of them comes with the first number of any of its users, so a
 * caller that goes through users who do not exist could fill the heap of every owner; at the limit, users without a
 * place get no number, and all others are served as ever.
 */
public final class CounterMemory {
    private final long most;
    private long kept;

    CounterMemory(long most) {
        this.most = most;
    }

    /** Whether there is no more place for anybody new. */
    boolean isFull() {
        return kept >= most;
    }

    /** Whether a user has a place, or may get one. */
    boolean hasPlace(SegmentCounters counters, int slot) {
        return !isFull() || counters.holds(slot);
    }

    /** Whether so much more would fit, and somebody new after it. */
    boolean wouldHold(long bytes) {
        return bytes < most - kept;
    }

    /** Counters have come, or have grown by so much. */
    void keep(long bytes) {
        kept += bytes;
    }

    /** Counters have gone. */
    void forget(SegmentCounters counters) {
        kept -= counters.bytes();
    }

    /** What they take, in bytes. */
    public long kept() {
        return kept;
    }

    /** What they may take, in bytes. */
    public long most() {
        return most;
    }
}
