package io.seqsvr.core.store;

/**
 * The "log index" of one command. Session ids, versions and renewals are stamps, so two commands never share one: not
 * those of one Raft entry, and not those of two lives of a cluster, whose logs count from the start again.
 *
 * <pre>
 * bit 63      62 to 53            52 to 10                9 to 0
 * always 0    incarnation (10)    index of the entry (43) place in the entry (10)
 * </pre>
 */
public final class Stamp {
    /** Commands per entry at most. */
    public static final int PLACES = 1_024;

    private static final int PLACE_BITS = 10;
    private static final int INDEX_BITS = 43;

    private Stamp() {}

    /**
     * The stamp of a command.
     *
     * @param incarnation of the cluster, from 0 to {@link Incarnation#MOST}
     * @param index index of the entry, at least 0 and below 2^43
     * @param place place of the command in its entry, from 0 to 1,023
     */
    public static long of(int incarnation, long index, int place) {
        if (incarnation < 0
                || incarnation > Incarnation.MOST
                || index < 0
                || index >= 1L << INDEX_BITS
                || place < 0
                || place >= PLACES) {
            throw new IllegalArgumentException(
                    "no stamp for incarnation " + incarnation + ", index " + index + ", place " + place);
        }
        return ((long) incarnation << INDEX_BITS | index) << PLACE_BITS | place;
    }

    /** The stamp below those of all commands of an incarnation; index 0 of a log never holds a command. */
    static long before(int incarnation) {
        return of(incarnation, 0, 0);
    }

    /** Index of the entry in which a command stood. */
    public static long index(long stamp) {
        return stamp >>> PLACE_BITS & (1L << INDEX_BITS) - 1;
    }

    /** The incarnation in which a stamp was given. */
    public static int incarnation(long stamp) {
        return (int) (stamp >>> (INDEX_BITS + PLACE_BITS));
    }
}
