package io.seqsvr.core.segment;

import java.util.Arrays;

/** A copy of the counters of neighbouring users, as they were at one moment. Nobody changes it. */
public final class CounterPage {
    /** Users of one page. */
    public static final int USERS = 1_024;

    private static final int PLACE_BITS = 10;
    /** Headers and fields of this object and its three arrays. */
    private static final int OVERHEAD_BYTES = 32 + 3 * 16;

    private final int index;
    /** Places in the page of the users that were served, ascending. */
    private final int[] places;
    /** Their counters, all above 0. */
    private final long[] counters;
    /** Whether each of them is a bound that no sequence reached yet. */
    private final boolean[] bounds;

    private CounterPage(int index, int[] places, long[] counters, boolean[] bounds) {
        this.index = index;
        this.places = places;
        this.counters = counters;
        this.bounds = bounds;
    }

    /**
     * A page.
     *
     * @param index its place in the segment, at least 0
     * @param places of served users in the page, ascending, each from 0 to 1,023
     * @param counters cur_seq of each, above 0
     * @param bounds whether each is a bound that no sequence reached yet
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static CounterPage of(int index, int[] places, long[] counters, boolean[] bounds) {
        if (index < 0 || places.length != counters.length || places.length != bounds.length) {
            throw new IllegalArgumentException("page " + index + " has " + places.length + " places, " + counters.length
                    + " counters and " + bounds.length + " bounds");
        }
        for (int i = 0; i < places.length; i++) {
            if (places[i] >= USERS || places[i] <= (i == 0 ? -1 : places[i - 1]) || counters[i] < 1) {
                throw new IllegalArgumentException("page " + index + " has counter " + counters[i] + " at place "
                        + places[i] + " after " + (i == 0 ? "none" : places[i - 1]));
            }
        }
        return new CounterPage(index, places.clone(), counters.clone(), bounds.clone());
    }

    /**
     * A copy of counters in use.
     *
     * @param index its place in the segment
     * @param dense cur_seq by place, 0 for a user not served
     * @param lifted one bit per place: the counter is a bound
     */
    static CounterPage copy(int index, long[] dense, long[] lifted) {
        int served = 0;
        for (long counter : dense) {
            served += counter == 0 ? 0 : 1;
        }
        var page = new CounterPage(index, new int[served], new long[served], new boolean[served]);
        int next = 0;
        for (int place = 0; place < dense.length; place++) {
            if (dense[place] != 0) {
                page.places[next] = place;
                page.counters[next] = dense[place];
                page.bounds[next] = (lifted[place >> 6] >>> place & 1) == 1;
                next++;
            }
        }
        return page;
    }

    /** Its place in the segment: its first slot is {@code index * 1024}. */
    public int index() {
        return index;
    }

    /** Number of users that were served. */
    public int served() {
        return places.length;
    }

    /** Place in the page of the {@code i}th user that was served. */
    public int place(int i) {
        return places[i];
    }

    /** The counter of the {@code i}th user that was served. */
    public long counter(int i) {
        return counters[i];
    }

    /** Whether the counter of the {@code i}th user that was served is a bound. */
    public boolean bound(int i) {
        return bounds[i];
    }

    /** What it takes of memory. */
    public long bytes() {
        return OVERHEAD_BYTES + (long) places.length * (Integer.BYTES + Long.BYTES + 1);
    }

    /** Whether it is a page of a segment of so many users, and all its users are among them. */
    boolean fits(int users) {
        long last = places.length == 0 ? 0 : places[places.length - 1];
        return ((long) index << PLACE_BITS) + last < users;
    }

    /** A sum over users, so that the order of pages does not matter. */
    long checksum() {
        long sum = 0;
        for (int i = 0; i < places.length; i++) {
            long slot = ((long) index << PLACE_BITS) + places[i];
            sum += mixed(mixed(slot * 2 + (bounds[i] ? 1 : 0)) ^ counters[i]);
        }
        return sum;
    }

    /** The finalizer of SplittableRandom (Steele, Lea and Flood 2014): each bit moves half of the result. */
    private static long mixed(long value) {
        long mixed = value + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterPage page
                && page.index == index
                && Arrays.equals(page.places, places)
                && Arrays.equals(page.counters, counters)
                && Arrays.equals(page.bounds, bounds);
    }

    @Override
    public int hashCode() {
        return 31 * index + Long.hashCode(checksum());
    }

    @Override
    public String toString() {
        return "page " + index + " of " + places.length + " users";
    }
}
