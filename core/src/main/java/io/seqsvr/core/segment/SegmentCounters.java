package io.seqsvr.core.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one segment in one epoch: every user's {@code cur_seq} under one {@code max_seq}.
 *
 * <p>Invariants: a user's cur_seq never goes down and never passes {@code maxSequence}; {@code maxSeq} never goes down;
 * a user not served stands at {@code base}. A number may be taken above {@code maxSeq}, but is
 * {@link #durable} only below it, and only then may it leave. Nothing here survives a change of epoch: another epoch
 * has counters of its own.
 */
public final class SegmentCounters {
    private static final int PAGE_BITS = 10;
    private static final int PAGE_SIZE = CounterPage.USERS;
    private static final int PAGE_MASK = PAGE_SIZE - 1;

    private final long epoch;
    private final long base;
    private final int users;
    /** cur_seq by page and slot; an absent page or a 0 is a user who was not served. */
    private final long[][] pages;
    /** One bit per slot of a page: the counter was lifted and no sequence was taken since. */
    private final long[][] lifted;
    /** Pages that changed since they were copied for a hand-over. */
    private final boolean[] changed;

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
        this.lifted = new long[pages.length][];
        this.changed = new boolean[pages.length];
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
        for (var page : table.pages()) {
            var dense = new long[counters.size(page.index())];
            var bounds = counters.noBounds(page.index());
            page.spread(dense, bounds);
            counters.pages[page.index()] = dense;
            counters.lifted[page.index()] = bounds;
        }
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
        put(slot, last);
        lower(slot);
        return last;
    }

    /**
     * Takes sequences only if they are durable as they are: the way of most calls of a frame.
     *
     * @param slot the user's slot
     * @param count how many, above 0
     * @return the first of them, or 0 if max_seq leaves no room and nothing was taken
     */
    public long takeDurable(int slot, long count) {
        int index = slot >> PAGE_BITS;
        long[] page = pages[index];
        if (page == null) {
            return hasRoom(base, count) ? take(slot, count) - count + 1 : 0;
        }
        long counter = page[slot & PAGE_MASK];
        long current = counter == 0 ? base : counter;
        if (count > maxSeq - current) {
            return 0;
        }
        long last = current + count;
        page[slot & PAGE_MASK] = last;
        changed[index] = true;
        if (last > highest) {
            highest = last;
        }
        if (lifted[index] != null) {
            lower(slot);
        }
        return current + 1;
    }

    /** A sequence was taken: the counter is no bound any more. */
    private void lower(int slot) {
        var bounds = lifted[slot >> PAGE_BITS];
        if (bounds != null) {
            bounds[(slot & PAGE_MASK) >> 6] &= ~(1L << slot);
        }
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
        put(slot, floor);
        var bounds = lifted[slot >> PAGE_BITS];
        if (bounds == null) {
            bounds = noBounds(slot >> PAGE_BITS);
            lifted[slot >> PAGE_BITS] = bounds;
        }
        bounds[(slot & PAGE_MASK) >> 6] |= 1L << slot;
    }

    private void put(int slot, long seq) {
        page(slot)[slot & PAGE_MASK] = seq;
        highest = Math.max(highest, seq);
        changed[slot >> PAGE_BITS] = true;
    }

    /** The user's cur_seq, or {@code base} if it was not served. */
    public long current(int slot) {
        long counter = counter(slot);
        return counter == 0 ? base : counter;
    }

    /** The page of a slot; null if none of its users was served. */
    long @Nullable [] pageOf(int slot) {
        return pages[slot >> PAGE_BITS];
    }

    /** The place of a slot in its page. */
    static int placeOf(int slot) {
        return slot & PAGE_MASK;
    }

    private long counter(int slot) {
        if (slot < 0 || slot >= users) {
            throw new IllegalArgumentException("slot " + slot + " of " + users);
        }
        var page = pages[slot >> PAGE_BITS];
        return page == null ? 0 : page[slot & PAGE_MASK];
    }

    /** Whether {@link #current} was taken by this owner or by its table's, or nothing ever was; else it is a bound. */
    public boolean exact(int slot) {
        if (counter(slot) == 0) {
            return base == 0;
        }
        var bounds = lifted[slot >> PAGE_BITS];
        return bounds == null || (bounds[(slot & PAGE_MASK) >> 6] >>> slot & 1) == 0;
    }

    /** Copies of the pages that changed since the last call, of all that were touched at the first one. */
    public List<CounterPage> copyChanged() {
        var copies = new ArrayList<CounterPage>();
        for (int index = 0; index < changed.length; index++) {
            if (changed[index]) {
                copies.add(copy(index));
            }
        }
        Arrays.fill(changed, false);
        return copies;
    }

    /** Copies of all pages that were ever touched count from now on as changed: a new hand-over begins. */
    public void forgetCopies() {
        for (int index = 0; index < pages.length; index++) {
            changed[index] = pages[index] != null;
        }
    }

    /** Pages of which a user was ever touched: what a copy of everything holds. */
    public int touchedPages() {
        int touched = 0;
        for (var page : pages) {
            touched += page == null ? 0 : 1;
        }
        return touched;
    }

    /** The whole table of these counters as they are. */
    public CounterTable table() {
        var copies = new ArrayList<CounterPage>();
        for (int index = 0; index < pages.length; index++) {
            if (pages[index] != null) {
                copies.add(copy(index));
            }
        }
        return CounterTable.of(epoch, base, highest, copies);
    }

    private CounterPage copy(int index) {
        var bounds = lifted[index];
        return CounterPage.copy(index, pages[index], bounds == null ? noBounds(index) : bounds);
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

    private long[] page(int slot) {
        var page = pages[slot >> PAGE_BITS];
        if (page == null) {
            page = new long[size(slot >> PAGE_BITS)];
            pages[slot >> PAGE_BITS] = page;
        }
        return page;
    }

    /** The last page of a segment may be a short one. */
    private int size(int index) {
        return Math.min(PAGE_SIZE, users - (index << PAGE_BITS));
    }

    private long[] noBounds(int index) {
        return new long[(size(index) - 1) / Long.SIZE + 1];
    }
}
