package io.seqsvr.chaos.grpc;

/**
 * What a server said of the last sequence of a user, unchecked.
 *
 * @param uid the user it says it is of
 * @param seq the last sequence, or a bound above it
 * @param epoch under which it was read
 */
public record Told(long uid, long seq, long epoch) {}
