package io.seqsvr.core.segment;

import java.util.Arrays;

/**
 * The counters of a page of which few users were served, by place, ascending: 12 bytes each in place of 8 for every
 * user of the page.
 */
final class FewCounters {
    private static final int FIRST_CAPACITY = 2;
    /** Headers and fields of this object and its two arrays, where references take 4 bytes. */
    private static final int OVERHEAD_BYTES = 24 + 16 + 16;

    private int size;
    private char[] places = new char[FIRST_CAPACITY];
    /** A bound that no sequence reached yet is below 0. */
    private long[] counters = new long[FIRST_CAPACITY];

    /** Users that were served. */
    int size() {
        return size;
    }

    /** What they take of memory. */
    long bytes() {
        return OVERHEAD_BYTES + (long) places.length * (Character.BYTES + Long.BYTES);
    }

    private int find(int place) {
        return Arrays.binarySearch(places, 0, size, (char) place);
    }

    /** The counter at a place; 0 if its user was not served. */
    long get(int place) {
        int at = find(place);
        return at < 0 ? 0 : Math.abs(counters[at]);
    }

    /** Whether the counter at a place is a bound that no sequence reached yet. */
    boolean bound(int place) {
        int at = find(place);
        return at >= 0 && counters[at] < 0;
    }

    /**
     * Sets the counter at a place.
     *
     * @param seq above 0
     * @param bound whether it is a bound that no sequence reached yet
     */
    void put(int place, long seq, boolean bound) {
        int at = find(place);
        if (at < 0) {
            at = -at - 1;
            insert(at, place);
        }
        counters[at] = bound ? -seq : seq;
    }

    private void insert(int at, int place) {
        if (size == places.length) {
            var morePlaces = Arrays.copyOf(places, 2 * size);
            counters = Arrays.copyOf(counters, 2 * size);
            places = morePlaces;
        }
        System.arraycopy(places, at, places, at + 1, size - at);
        System.arraycopy(counters, at, counters, at + 1, size - at);
        places[at] = (char) place;
        size++;
    }

    /** A copy of them. */
    CounterPage copy(int index) {
        var served = new int[size];
        var seqs = new long[size];
        var bounds = new boolean[size];
        for (int i = 0; i < size; i++) {
            served[i] = places[i];
            seqs[i] = Math.abs(counters[i]);
            bounds[i] = counters[i] < 0;
        }
        return CounterPage.of(index, served, seqs, bounds);
    }
}
