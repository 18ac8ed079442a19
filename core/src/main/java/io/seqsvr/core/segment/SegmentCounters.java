package io.seqsvr.core.segment;

/**
 * The counters of one segment in one epoch: every user's {@code cur_seq} under one {@code max_seq}.
 *
 * <p>Invariants: a user's cur_seq never goes down and never passes {@code maxSequence}; {@code maxSeq} never goes down;
 * a user not served in this epoch stands at {@code base}. A number may be taken above {@code maxSeq}, but is
 * {@link #durable} only below it, and only then may it leave. Nothing here survives a change of epoch: another epoch
 * has counters of its own.
 */
public final class SegmentCounters {
    private static final int PAGE_BITS = 10;
    private static final int PAGE_SIZE = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE_SIZE - 1;

    private final long epoch;
    private final long base;
    private final long maxSequence;
    private final int users;
    /** cur_seq by page and slot; an absent page or a 0 is a user who was not served in this epoch. */
    private final long[][] pages;

    private long maxSeq;
    private long highest;

    /**
     * Counters of an epoch that begins.
     *
     * @param epoch the epoch, above 0
     * @param base where every user stands, at least 0
     * @param maxSeq durable bound, at least {@code base}
     * @param users number of slots, above 0
     * @param maxSequence bound of the namespace, at least {@code maxSeq}
     */
    public SegmentCounters(long epoch, long base, long maxSeq, int users, long maxSequence) {
        if (epoch < 1 || base < 0 || maxSeq < base || maxSequence < maxSeq || users < 1) {
            throw new IllegalArgumentException("counters with epoch " + epoch + ", base " + base + ", max_seq " + maxSeq
                    + ", " + users + " users, max_sequence " + maxSequence);
        }
        this.epoch = epoch;
        this.base = base;
        this.maxSeq = maxSeq;
        this.users = users;
        this.maxSequence = maxSequence;
        this.highest = base;
        this.pages = new long[((users - 1) >> PAGE_BITS) + 1][];
    }

    /** Whether {@code count} (above 0) more sequences exist for this user at all. */
    public boolean hasLeft(int slot, long count) {
        return count <= maxSequence - current(slot);
    }

    /** Whether {@code count} (above 0) sequences could leave at once, without a raise. */
    public boolean hasRoom(int slot, long count) {
        return count <= maxSeq - current(slot);
    }

    /**
     * Takes sequences; they are never given back.
     *
     * @param slot the user's slot
     * @param count how many, above 0; the caller has seen that the user {@link #hasLeft} them
     * @return the last of them
     */
    public long take(int slot, long count) {
        if (count < 1 || !hasLeft(slot, count)) {
            throw new IllegalArgumentException("slot " + slot + " stands at " + current(slot) + " of " + maxSequence
                    + "; it has no " + count + " sequences");
        }
        long last = current(slot) + count;
        page(slot)[slot & PAGE_MASK] = last;
        highest = Math.max(highest, last);
        return last;
    }

    /** The user's cur_seq, or {@code base} if it was not served in this epoch. */
    public long current(int slot) {
        if (slot < 0 || slot >= users) {
            throw new IllegalArgumentException("slot " + slot + " of " + users);
        }
        var page = pages[slot >> PAGE_BITS];
        long current = page == null ? 0 : page[slot & PAGE_MASK];
        return current == 0 ? base : current;
    }

    /** Whether {@link #current} was handed out by this owner, or nothing ever was; else it is an upper bound. */
    public boolean exact(int slot) {
        return base == 0 || current(slot) != base;
    }

    /** Whether a sequence is covered by max_seq: only then may it leave. */
    public boolean durable(long seq) {
        return seq <= maxSeq;
    }

    /** StoreSvr accepted a raise under this epoch; a late reply with a lower bound changes nothing. */
    public void raised(long newMaxSeq) {
        maxSeq = Math.min(maxSequence, Math.max(maxSeq, newMaxSeq));
    }

    /**
     * The bound to ask for, if it is time: when the user that is furthest has used up half of a step's headroom.
     *
     * @param step by how much to raise at a time, above 0
     * @return a bound above max_seq that leaves at least a step of headroom, or max_seq itself if no raise is needed
     */
    public long wantedMaxSeq(long step) {
        long headroom = maxSeq - highest;
        if (headroom > step / 2 || maxSeq == maxSequence) {
            return maxSeq;
        }
        // In units of step, rounded up, of what is missing to a full step above the furthest user.
        long steps = (step - headroom - 1) / step + 1;
        return steps > (maxSequence - maxSeq) / step ? maxSequence : maxSeq + steps * step;
    }

    /** The epoch in which these counters live. */
    public long epoch() {
        return epoch;
    }

    /** Where the epoch started. */
    public long base() {
        return base;
    }

    /** Durable upper bound. */
    public long maxSeq() {
        return maxSeq;
    }

    /** The greatest cur_seq of the segment. */
    public long highest() {
        return highest;
    }

    private long[] page(int slot) {
        var page = pages[slot >> PAGE_BITS];
        if (page == null) {
            page = new long[PAGE_SIZE];
            pages[slot >> PAGE_BITS] = page;
        }
        return page;
    }
}
