package io.seqsvr.core.store;

/**
 * Which life of its cluster a state belongs to: 0 from the creation on, a higher one after each restore from a backup.
 *
 * <p>Invariant: its number stands in the high bits of every stamp ({@link Stamp}), every epoch and every namespace id
 * that the life gives, so that nothing of one life is ever taken for something of another, and whatever is newer is
 * greater. Epochs keep 43 bits below it: all of them stay below 2^53, as far as the numbers of JavaScript are exact.
 * Namespace ids keep 21.
 */
public final class Incarnation {
    /** The last one. */
    public static final int MOST = 1_023;

    private static final int EPOCH_BITS = 43;
    private static final int NAMESPACE_BITS = 21;

    private Incarnation() {}

    /** The epoch of a segment that was not assigned in this life yet: each assignment is one higher. */
    static long epochBefore(int incarnation) {
        return (long) incarnation << EPOCH_BITS;
    }

    /** Namespaces that this life makes have ids above this one. */
    static int namespaceBefore(int incarnation) {
        return incarnation << NAMESPACE_BITS;
    }
}
