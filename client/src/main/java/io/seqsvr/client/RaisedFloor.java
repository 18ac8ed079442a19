package io.seqsvr.client;

/**
 * Where a user stands after its floor was raised.
 *
 * @param uid the user
 * @param seq all its later sequences are above; not below the floor asked for
 * @param epoch the epoch of the owner that answered
 */
public record RaisedFloor(long uid, long seq, long epoch) {}
