package io.seqsvr.core.alloc;

import io.seqsvr.core.namespace.Namespace;

/**
 * How far the sequences of a namespace are used up in the segments that an allocator serves.
 *
 * @param namespace as its settings are now
 * @param furthestMaxSeq the greatest max_seq that a segment of it had here, since the allocator serves one without a
 *     break
 */
public record NamespaceUse(Namespace namespace, long furthestMaxSeq) {
    /** The part of all sequences below {@code max_sequence} that the furthest segment may have used, from 0 to 1. */
    public double ratio() {
        return Math.min(1.0, (double) furthestMaxSeq / namespace.maxSequence());
    }
}
