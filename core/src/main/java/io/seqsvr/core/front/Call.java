package io.seqsvr.core.front;

import io.seqsvr.core.frame.FrameVerb;

/**
 * What a caller wants of one user's owner: put down once, answered once at most. Two calls of equal content are two
 * calls all the same.
 */
public sealed interface Call {
    /** Name of the user's namespace. */
    String namespaceName();

    /** The user, read as unsigned. */
    long uid();

    /** What is wanted: calls of one frame want the same. */
    FrameVerb verb();

    /**
     * Takes sequences.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param count how many
     * @param atLeast the first is not below it; 0 for no such bound
     */
    record Next(String namespaceName, long uid, long count, long atLeast) implements Call {
        @Override
        public FrameVerb verb() {
            return FrameVerb.NEXT;
        }
    }

    /**
     * Reads the user's last sequence.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     */
    record Current(String namespaceName, long uid) implements Call {
        @Override
        public FrameVerb verb() {
            return FrameVerb.CURRENT;
        }
    }

    /**
     * Lifts the user.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param floor all its later sequences are above
     */
    record RaiseFloor(String namespaceName, long uid, long floor) implements Call {
        @Override
        public FrameVerb verb() {
            return FrameVerb.RAISE_FLOOR;
        }
    }
}
