package io.seqsvr.core.namespace;

import java.util.Comparator;

/**
 * Names one segment of the cluster.
 *
 * @param namespaceId id of its namespace, above 0
 * @param index place in the namespace, from 0; holds the users from {@code index * segmentSize} on
 */
public record SegmentId(int namespaceId, int index) implements Comparable<SegmentId> {
    private static final Comparator<SegmentId> ORDER =
            Comparator.comparingInt(SegmentId::namespaceId).thenComparingInt(SegmentId::index);

    @Override
    public int compareTo(SegmentId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespaceId + "/" + index;
    }
}
