package io.seqsvr.core.segment;

/**
 * The counters of one segment in one epoch: every user's {@code cur_seq} under one {@code max_seq}.
 *
 * <p>Invariants: a user's cur_seq never goes down and never passes {@code maxSequence}; {@code maxSeq} never goes down;
 * a user not served stands at {@code base}. A number may be taken above {@code maxSeq}, but is
 * {@link #durable} only below it, and only then may it leave. Nothing here survives a change of epoch: another epoch
 * has counters of its own.
 */
public final class SegmentCounters extends CounterPages {
    private final long epoch;
    private final long base;

    private long maxSequence;
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
        super(users);
        if (epoch < 1 || base < 0 || maxSeq < base || maxSequence < maxSeq || users < 1) {
            throw new IllegalArgumentException("counters with epoch " + epoch + ", base " + base + ", max_seq " + maxSeq
                    + ", " + users + " users, max_sequence " + maxSequence);
        }
        this.epoch = epoch;
        this.base = base;
        this.maxSeq = maxSeq;
        this.maxSequence = maxSequence;
        this.highest = base;
    }

    /**
     * Counters of an epoch that goes on where a table ends.
     *
     * @param epoch the epoch, the table's plus 1
     * @param table the whole table of the epoch before
     * @param maxSeq durable bound, at least the table's {@code high}
     * @param users number of slots, as in the epoch before
     * @param maxSequence bound of the namespace, at least {@code maxSeq}
     */
    public static SegmentCounters continuing(long epoch, CounterTable table, long maxSeq, int users, long maxSequence) {
        var counters = new SegmentCounters(epoch, table.base(), maxSeq, users, maxSequence);
        table.pages().forEach(counters::putAll);
        counters.highest = Math.max(table.base(), table.high());
        return counters;
    }

    /** Whether {@code count} (above 0) more sequences exist at all above {@code seq}, which is not negative. */
    public boolean hasLeft(long seq, long count) {
        return count <= maxSequence - seq;
    }

    /** Whether {@code count} (above 0) sequences above {@code seq} (not negative) could leave without a raise. */
    public boolean hasRoom(long seq, long count) {
        return count <= maxSeq - seq;
    }

    /**
     * Takes sequences; they are never given back.
     *
     * @param slot the user's slot
     * @param count how many, above 0; the caller has seen that the user {@link #hasLeft has} them left
     * @return the last of them
     */
    public long take(int slot, long count) {
        if (count < 1 || !hasLeft(current(slot), count)) {
            throw new IllegalArgumentException("slot " + slot + " stands at " + current(slot) + " of " + maxSequence
                    + "; it has no " + count + " sequences");
        }
        long last = current(slot) + count;
        stand(slot, last, false);
        return last;
    }

    /**
     * Takes sequences only if they are durable as they are, and the user's counter has its place in memory: the way of
     * most calls of a frame.
     *
     * @param slot the user's slot
     * @param count how many, above 0
     * @return the first of them, or 0 if max_seq leaves no room or the counter has no place, and nothing was taken
     */
    public long takeDurable(int slot, long count) {
        long[] array = arrayOf(slot);
        if (array == null) {
            return holds(slot) && hasRoom(current(slot), count) ? take(slot, count) - count + 1 : 0;
        }
        long counter = array[placeOf(slot)];
        long current = counter == 0 ? base : counter;
        if (count > maxSeq - current) {
            return 0;
        }
        long last = current + count;
        taken(array, slot, last);
        if (last > highest) {
            highest = last;
        }
        return current + 1;
    }

    /** The namespace's bound as it is now; a lower one changes nothing. */
    public void allow(long newMaxSequence) {
        maxSequence = Math.max(maxSequence, newMaxSequence);
    }

    /** Whether the user can be lifted to {@code floor} at all. */
    public boolean mayReach(long floor) {
        return floor <= maxSequence;
    }

    /**
     * Lifts a user, so that its next sequence lies above {@code floor}. A user that stands higher stays.
     *
     * @param slot the user's slot
     * @param floor the caller has seen that it {@link #mayReach}
     */
    public void lift(int slot, long floor) {
        if (!mayReach(floor)) {
            throw new IllegalArgumentException("floor " + floor + " lies above max_sequence " + maxSequence);
        }
        if (floor <= current(slot)) {
            return;
        }
        stand(slot, floor, true);
    }

    private void stand(int slot, long seq, boolean bound) {
        put(slot, seq, bound);
        highest = Math.max(highest, seq);
    }

    /** The user's cur_seq, or {@code base} if it was not served. */
    public long current(int slot) {
        long counter = get(slot);
        return counter == 0 ? base : counter;
    }

    /** Whether {@link #current} was taken by this owner or by its table's, or nothing ever was; else it is a bound. */
    public boolean exact(int slot) {
        return get(slot) == 0 ? base == 0 : !bound(slot);
    }

    /** The whole table of these counters as they are. */
    public CounterTable table() {
        return CounterTable.of(epoch, base, highest, copies().toList());
    }

    /** The same without its pages: what they have to amount to. */
    public CounterTable outline() {
        return CounterTable.outline(epoch, base, highest, copies());
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
        // In units of step, rounded up, how far the furthest user is above max_seq; and one step above that. A lift may
        // be as far as there are sequences, so that a sum could pass the greatest number.
        long missing = Math.max(0, -headroom);
        long steps = missing / step + (missing % step == 0 ? 0 : 1);
        return steps >= (maxSequence - maxSeq) / step ? maxSequence : maxSeq + (steps + 1) * step;
    }

    /** The epoch in which these counters live. */
    public long epoch() {
        return epoch;
    }

    /** Where users stand that were not served. */
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
}
