package io.seqsvr.allocsvr.role;

import io.seqsvr.core.front.Call;

/**
 * One call of many that an allocator is asked together.
 *
 * @param call what is wanted
 * @param minEpoch refused in an older epoch, read as unsigned; 0 for any
 */
public record Wanted(Call call, long minEpoch) {}
