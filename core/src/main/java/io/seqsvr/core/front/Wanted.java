package io.seqsvr.core.front;

/**
 * A call, and what its caller has seen of its user's segment.
 *
 * @param call what is wanted
 * @param minEpoch refused in an older epoch, read as unsigned; 0 for any
 */
public record Wanted(Call call, long minEpoch) {}
