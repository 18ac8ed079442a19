package io.seqsvr.storesvr.replica;

/**
 * What a replica's rows amounted to at a place of the log.
 *
 * @param index all entries with commands up to this one were applied, and none after it
 * @param digest of all rows then, as 16 hexadecimal digits
 */
public record DigestAt(long index, String digest) {}
