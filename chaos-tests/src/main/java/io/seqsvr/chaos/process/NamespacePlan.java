package io.seqsvr.chaos.process;

import io.seqsvr.core.namespace.Namespace;

/**
 * The one namespace that a local cluster begins with.
 *
 * @param capacity how many users it has
 * @param segmentSize how many of them share a segment
 * @param step by how much their max_seq is raised
 */
public record NamespacePlan(long capacity, int segmentSize, long step) {
    /** Its name. */
    public static final String NAME = "default";

    /** With the step that a namespace has where none is set. */
    public NamespacePlan(long capacity, int segmentSize) {
        this(capacity, segmentSize, Namespace.DEFAULT_STEP);
    }
}
