package io.seqsvr.client;

/**
 * What is known of a user's last sequence.
 *
 * @param uid the user
 * @param seq the last sequence handed out, or a bound above it; 0 if there never was one
 * @param exactness how {@code seq} is to be read
 * @param epoch the epoch of the owner that answered
 */
public record CurrentSequence(long uid, long seq, Exactness exactness, long epoch) {

    /** How well the last sequence is known. */
    public enum Exactness {
        /**
         * {@code seq} was handed out, by this owner or, after a planned change of owners, by a former one; or nothing
         * ever was (0).
         */
        EXACT,
        /**
         * The user had no number since its segment changed owner unplanned or since it was lifted, or shares its
         * counter with others (HASHED keying): nothing above {@code seq} was handed out, but the last one may be
         * smaller.
         */
        UPPER_BOUND
    }
}
