package io.seqsvr.core.segment;

/** A copy of the counters of neighbouring users, as they were at one moment. Nobody changes it. */
public final class CounterPage {
    private final int index;
    private final long[] counters;
    private final long[] lifted;

    /**
     * A page.
     *
     * @param index its place in the segment
     * @param counters cur_seq by slot, 0 for a user not served; handed over to this page
     * @param lifted one bit per slot: the counter is a bound that no sequence reached yet; handed over to this page
     */
    CounterPage(int index, long[] counters, long[] lifted) {
        this.index = index;
        this.counters = counters;
        this.lifted = lifted;
    }

    /** Its place in the segment: its first slot is {@code index * 1024}. */
    public int index() {
        return index;
    }

    long[] counters() {
        return counters.clone();
    }

    long[] lifted() {
        return lifted.clone();
    }

    /** Number of users that were served. */
    int served() {
        int served = 0;
        for (long counter : counters) {
            if (counter != 0) {
                served++;
            }
        }
        return served;
    }

    /** A sum over users, so that the order of pages does not matter. */
    long checksum() {
        long sum = 0;
        for (int slot = 0; slot < counters.length; slot++) {
            if (counters[slot] != 0) {
                long place = ((long) index << 10) + slot;
                long bound = lifted[slot >> 6] >>> slot & 1;
                sum += mixed(mixed(place * 2 + bound) ^ counters[slot]);
            }
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
}
