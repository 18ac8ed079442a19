package io.seqsvr.chaos.check;

/**
 * A call of one user, as its caller saw it. Times are readings of one clock that never goes back, the same for all
 * callers; {@code invoked} was read before the request was sent, {@code returned} after the reply had come.
 */
public sealed interface Operation {
    /** The user asked for, read as an unsigned number. */
    long uid();

    /** When the request was about to be sent. */
    long invoked();

    /** When the reply had been received; not before {@link #invoked()}. */
    long returned();

    /** A call that was answered. */
    sealed interface Answered extends Operation {
        /** The user that the reply names. */
        long echoed();
    }

    /**
     * Sequences that were handed out.
     *
     * @param uid the user asked for
     * @param echoed the user that the reply names
     * @param first smallest sequence, above 0
     * @param last greatest sequence, not below {@code first}
     * @param epoch the epoch of the owner that answered; no rule reads it, a witness shows it and {@link Power} counts
     *     by it
     * @param invoked when the request was about to be sent
     * @param returned when the reply had been received, however late that was
     */
    record Next(long uid, long echoed, long first, long last, long epoch, long invoked, long returned)
            implements Answered {
        /** Throws {@link IllegalArgumentException} for a range that is empty or not above 0, or times that go back. */
        public Next {
            if (first < 1 || first > last) {
                throw new IllegalArgumentException("user " + Long.toUnsignedString(uid) + " was answered from " + first
                        + " to " + last + ", which is no range of sequences");
            }
            requireOrder(uid, invoked, returned);
        }

        /** Sequences whose reply names the user asked for. */
        public Next(long uid, long first, long last, long epoch, long invoked, long returned) {
            this(uid, uid, first, last, epoch, invoked, returned);
        }

        @Override
        public String toString() {
            return "next of user " + Long.toUnsignedString(uid) + " in [" + invoked + ", " + returned + "] was "
                    + (first == last ? "" : first + " to ") + last + " under epoch " + epoch + echo(this);
        }
    }

    /**
     * The last sequence as it was told.
     *
     * @param uid the user asked for
     * @param echoed the user that the reply names
     * @param seq the last sequence or a bound above it, at least 0
     * @param exact whether the reply called it EXACT and not an UPPER_BOUND
     * @param invoked when the request was about to be sent
     * @param returned when the reply had been received, however late that was
     */
    record Current(long uid, long echoed, long seq, boolean exact, long invoked, long returned) implements Answered {
        /** Throws {@link IllegalArgumentException} for a negative sequence or times that go back. */
        public Current {
            if (seq < 0) {
                throw new IllegalArgumentException("user " + Long.toUnsignedString(uid) + " was told " + seq
                        + " as its last sequence; it must be at least 0");
            }
            requireOrder(uid, invoked, returned);
        }

        /** A last sequence whose reply names the user asked for. */
        public Current(long uid, long seq, boolean exact, long invoked, long returned) {
            this(uid, uid, seq, exact, invoked, returned);
        }

        @Override
        public String toString() {
            return "current of user " + Long.toUnsignedString(uid) + " in [" + invoked + ", " + returned + "] was "
                    + seq + (exact ? " EXACT" : " UPPER_BOUND") + echo(this);
        }
    }

    /**
     * A call that has brought its caller nothing: it was refused, or no reply has come. It may have used up sequences
     * all the same, at any time after its invocation.
     *
     * @param uid the user asked for
     * @param invoked when the request was about to be sent
     * @param byNonOwner whether it was refused by an allocator that said that it does not own the user's segment
     */
    record Unserved(long uid, long invoked, boolean byNonOwner) implements Operation {
        /** Never. */
        @Override
        public long returned() {
            return Long.MAX_VALUE;
        }

        @Override
        public String toString() {
            return "call of user " + Long.toUnsignedString(uid) + " from " + invoked + " brought nothing"
                    + (byNonOwner ? ": refused by one who was not the owner" : "");
        }
    }

    private static String echo(Answered answer) {
        return answer.echoed() == answer.uid() ? "" : " for user " + Long.toUnsignedString(answer.echoed());
    }

    private static void requireOrder(long uid, long invoked, long returned) {
        if (invoked > returned) {
            throw new IllegalArgumentException("a call of user " + Long.toUnsignedString(uid) + " returned at "
                    + returned + ", before it was sent at " + invoked);
        }
    }
}
