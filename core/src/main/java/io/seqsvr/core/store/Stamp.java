package io.seqsvr.core.store;

/**
 * The "log index" of one command: its Raft entry's index times 1,024 plus its place in the entry. Session ids, versions
 * and renewals are stamps, so two commands of one entry never share one.
 */
public final class Stamp {
    /** Commands per entry at most. */
    public static final int PLACES = 1_024;

    private Stamp() {}

    /**
     * The stamp of a command.
     *
     * @param index index of the entry, at least 0 and below 2^53
     * @param place place of the command in its entry, from 0 to 1,023
     */
    public static long of(long index, int place) {
        if (index < 0 || index >= 1L << 53 || place < 0 || place >= PLACES) {
            throw new IllegalArgumentException("no stamp for index " + index + ", place " + place);
        }
        return index * PLACES + place;
    }
}
