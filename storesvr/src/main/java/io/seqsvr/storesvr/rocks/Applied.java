package io.seqsvr.storesvr.rocks;

/**
 * How far the log was applied.
 *
 * @param term of the last applied entry
 * @param index of the last applied entry, -1 before the first
 */
public record Applied(long term, long index) {
    /** Before the first entry. */
    public static final Applied NOTHING = new Applied(0, -1);
}
