package io.seqsvr.client;

/**
 * Neighbouring sequences taken by one call.
 *
 * @param uid the user
 * @param first smallest sequence, above 0
 * @param last greatest sequence; {@code last - first + 1} is the count asked for
 * @param epoch the epoch of the owner that handed them out; not below what this client knew of the segment's when it
 *     asked
 */
public record SequenceRange(long uid, long first, long last, long epoch) {}
