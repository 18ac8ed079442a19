package io.seqsvr.chaos.check;

/** What the calls of one namespace are told to, as their callers see them. Safe for use by many threads. */
public interface Recorder {
    /** A request is about to be sent; call it on the thread that sends it, before it does. */
    Call invoke(long uid);

    /**
     * The same, for whoever wants to know which way it goes.
     *
     * @param door HOST:PORT of the server that it goes to
     */
    default Call invoke(long uid, String door) {
        return invoke(uid);
    }

    /** One request under way; one of its methods ends it. */
    interface Call {
        /**
         * How many numbers it can take, if it is not {@code LoadPlan.MOST_AT_ONCE}: none where it only reads. To be
         * said before it is sent.
         */
        default void takesAtMost(long numbers) {}

        /**
         * Sequences came in a reply that names the user asked for.
         *
         * @param first smallest sequence
         * @param last greatest sequence
         * @param epoch epoch of the reply
         * @throws IllegalArgumentException if this is no range of sequences
         */
        void returned(long first, long last, long epoch);

        /**
         * The last sequence was told, in a reply that names the user asked for.
         *
         * @param seq the last sequence or a bound above it
         * @param exact whether it is to be judged as EXACT: then a call has to explain it
         * @throws IllegalArgumentException if it is negative
         */
        void told(long seq, boolean exact);

        /**
         * The user was lifted, in a reply that names the user asked for.
         *
         * @param known the greatest number that the caller knew of; those between it and the floor may be left out now
         * @param floor what was asked for: above {@code known}
         * @param seq where the user stands
         * @throws IllegalArgumentException if it is negative
         */
        void lifted(long known, long floor, long seq);

        /**
         * A typed "no" came: nothing was delivered.
         *
         * @param said its words
         */
        void refused(String said);

        /**
         * It was never sent, as the server could not be reached.
         *
         * @param said what is known of it
         */
        default void notSent(String said) {
            unknown(said);
        }

        /**
         * The typed "no" of an allocator that says that it does not own the user's segment.
         *
         * @param said its words
         */
        void refusedByNonOwner(String said);

        /**
         * No answer came, or the connection broke: sequences may have been taken.
         *
         * @param said what is known of it
         */
        void unknown(String said);
    }
}
