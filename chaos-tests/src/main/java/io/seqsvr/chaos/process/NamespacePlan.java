package io.seqsvr.chaos.process;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;

/**
 * The one namespace that a local cluster begins with.
 *
 * @param capacity how many users it has
 * @param segmentSize how many of them share a segment
 * @param step by how much their max_seq is raised
 * @param order on what the order of their sequences rests
 */
public record NamespacePlan(long capacity, int segmentSize, long step, Order order) {
    /** Its name. */
    public static final String NAME = "default";

    /** In LEASE order. */
    public NamespacePlan(long capacity, int segmentSize, long step) {
        this(capacity, segmentSize, step, Order.LEASE);
    }

    /** In LEASE order, with the step that a namespace has where none is set. */
    public NamespacePlan(long capacity, int segmentSize) {
        this(capacity, segmentSize, Namespace.DEFAULT_STEP);
    }

    /** How many segments that makes. */
    public int segments() {
        return Math.toIntExact((capacity + segmentSize - 1) / segmentSize);
    }
}
