package io.seqsvr.client;

/**
 * What is wanted of one user's sequences.
 *
 * @param uid the user, read as an unsigned number
 * @param count how many, from 1 to the namespace's max_count
 * @param atLeast the first is not below it, read as unsigned; 0 for no such bound. At most max_jump above what the
 *     user's segment has made durable. A caller that still knows its last sequence is safe with last + 1 whatever
 *     became of the cluster
 * @param minEpoch an owner of an older epoch refuses, read as unsigned; 0 for any. The greatest that the caller has
 *     seen of the user's segment
 */
public record NextCall(long uid, long count, long atLeast, long minEpoch) {
    /** Wants the next sequence of a user. */
    public static NextCall of(long uid) {
        return of(uid, 1);
    }

    /** Wants the next {@code count} sequences of a user. */
    public static NextCall of(long uid, long count) {
        return new NextCall(uid, count, 0, 0);
    }

    /** The same, not below this sequence. */
    public NextCall withAtLeast(long least) {
        return new NextCall(uid, count, least, minEpoch);
    }

    /** The same, not from an owner of an older epoch. */
    public NextCall withMinEpoch(long least) {
        return new NextCall(uid, count, atLeast, least);
    }
}
