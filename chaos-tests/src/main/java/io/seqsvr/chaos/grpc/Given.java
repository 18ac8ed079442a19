package io.seqsvr.chaos.grpc;

/**
 * What a server said it gave, unchecked.
 *
 * @param uid the user it says it is for
 * @param first smallest sequence
 * @param last greatest sequence
 * @param epoch under which it was given
 */
public record Given(long uid, long first, long last, long epoch) {}
