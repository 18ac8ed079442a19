package io.seqsvr.core.alloc;

/**
 * What an allocator keeps for its callers at most. A call that needs more is refused, and costs nobody else anything.
 *
 * @param waiting requests that may wait for a raise or a confirmation, at least 1
 * @param counterBytes memory of all counters, at least 1; the page that passes it is the last one
 */
public record AllocatorLimits(int waiting, long counterBytes) {
    /** Checks that something may be kept. */
    public AllocatorLimits {
        if (waiting < 1 || counterBytes < 1) {
            throw new IllegalArgumentException(waiting + " requests may wait, counters may take " + counterBytes
                    + " bytes; each must be at least 1");
        }
    }
}
