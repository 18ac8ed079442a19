package io.seqsvr.core.alloc;

import io.seqsvr.core.namespace.Namespace;

/** What a caller gets: a sequence, what is known of one, or a typed "no". */
public sealed interface Answer {
    /** The epoch under which it was given, 0 for a refusal. */
    long epoch();

    /** Whether it is a refusal for this reason. */
    default boolean isRefusal(Refusal reason) {
        return this instanceof Refused refused && refused.refusal() == reason;
    }

    /**
     * Sequences, handed out with this answer.
     *
     * @param uid the user
     * @param first the smallest
     * @param last the greatest
     * @param epoch the epoch under which they were taken
     */
    record Range(long uid, long first, long last, long epoch) implements Answer {}

    /**
     * A user's last sequence.
     *
     * @param uid the user
     * @param seq the last one handed out, or a bound above it
     * @param exact whether {@code seq} is more than a bound
     * @param epoch the epoch under which it was read
     */
    record Reading(long uid, long seq, boolean exact, long epoch) implements Answer {}

    /**
     * A user was lifted.
     *
     * @param uid the user
     * @param seq where it stands: its next sequence is above
     * @param epoch the epoch under which it was lifted
     */
    record Lifted(long uid, long seq, long epoch) implements Answer {}

    /**
     * No sequence was delivered; some may have been used up.
     *
     * @param refusal the reason
     * @param message a sentence that names what was wrong and the value
     */
    record Refused(Refusal refusal, String message) implements Answer {
        @Override
        public long epoch() {
            return 0;
        }

        /** There is no such namespace; of a name that is longer than any can be, its beginning is told. */
        public static Refused namespaceUnknown(String name) {
            var shown = Namespace.isTooLong(name)
                    ? name.substring(0, Namespace.MOST_NAME_CHARS) + "...' of " + name.length() + " characters"
                    : name + "'";
            return new Refused(Refusal.NAMESPACE_UNKNOWN, "there is no namespace '" + shown);
        }

        /** The namespace does not hold that user. */
        public static Refused uidOutOfRange(Namespace namespace, long uid) {
            return new Refused(
                    Refusal.UID_OUT_OF_RANGE,
                    "uid is " + Long.toUnsignedString(uid) + "; namespace '" + namespace.name() + "' holds 0 to "
                            + (namespace.capacity() - 1));
        }
    }
}
