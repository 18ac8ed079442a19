package io.seqsvr.core.segment;

/**
 * Brings the counters of the next calls into the cache, all at once.
 *
 * <p>With millions of users each counter is a miss, and one that is waited for may cost more than all the rest of a
 * call. A processor overlaps the misses of the instructions that it has before it, which are those of a few calls. So
 * addresses are collected first, and then read in a loop of a few instructions. Nothing is decided by what was read:
 * the counter is read again when a sequence is taken (the idea is group prefetching of Chen et al., ICDE 2004).
 */
public final class CounterPrefetch {
    /** Counters of one batch: enough to hide memory, few enough to stay in the first cache. */
    public static final int MOST = 128;

    private final long[][] arrays = new long[MOST][];
    private final int[] places = new int[MOST];
    private int size;
    /** Kept so that the compiler cannot leave the reading out. */
    @SuppressWarnings("UnusedVariable")
    private long sum;

    /**
     * One more counter to be read, the {@link #MOST}th of a batch at most.
     *
     * @param slot the user's slot
     */
    public void add(SegmentCounters counters, int slot) {
        var array = counters.arrayOf(slot);
        if (array != null) {
            arrays[size] = array;
            places[size] = CounterPages.placeOf(slot);
            size++;
        }
    }

    /** Reads them; the next batch begins. */
    public void fetch() {
        long read = 0;
        for (int i = 0; i < size; i++) {
            read += arrays[i][places[i]];
        }
        sum = read;
        size = 0;
    }
}
