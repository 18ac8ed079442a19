package io.seqsvr.core.front;

/**
 * What a caller wants of one user's owner: put down once, answered once at most. Two calls of equal content are two
 * calls all the same.
 */
public sealed interface Call {
    /** Name of the user's namespace. */
    String namespaceName();

    /** The user, read as unsigned. */
    long uid();

    /**
     * Takes sequences.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param count how many
     * @param atLeast the first is not below it; 0 for no such bound
     */
    record Next(String namespaceName, long uid, long count, long atLeast) implements Call {}

    /**
     * Reads the user's last sequence.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     */
    record Current(String namespaceName, long uid) implements Call {}

    /**
     * Lifts the user.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param floor all its later sequences are above
     */
    record RaiseFloor(String namespaceName, long uid, long floor) implements Call {}
}
