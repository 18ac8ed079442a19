package io.seqsvr.core.namespace;

/**
 * Names one segment of the cluster.
 *
 * @param namespaceId id of its namespace, above 0
 * @param index place in the namespace, from 0; holds the users from {@code index * segmentSize} on
 */
public record SegmentId(int namespaceId, int index) implements Comparable<SegmentId> {
    /**
     * By hand: a chain of comparators is many calls, and a start compares some millions of times before any is
     * compiled.
     */
    @Override
    public int compareTo(SegmentId other) {
        int byNamespace = Integer.compare(namespaceId, other.namespaceId);
        return byNamespace != 0 ? byNamespace : Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return namespaceId + "/" + index;
    }
}
