package io.seqsvr.core.store;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;

/** One row that a decision writes: what the state takes in and the database keeps. */
public sealed interface StoreChange {
    /**
     * The cluster's row is this now.
     *
     * @param cluster new value
     */
    record PutCluster(Cluster cluster) implements StoreChange {}

    /**
     * The namespace's row is this now.
     *
     * @param namespace new value
     */
    record PutNamespace(Namespace namespace) implements StoreChange {}

    /**
     * The session's row is this now.
     *
     * @param session new value
     */
    record PutSession(Session session) implements StoreChange {}

    /**
     * The session ended.
     *
     * @param session its id
     */
    record RemoveSession(long session) implements StoreChange {}

    /**
     * The segment's row is this now.
     *
     * @param segment new value
     */
    record PutSegment(SegmentRecord segment) implements StoreChange {}

    /**
     * The table is kept, in place of what was kept for its segment.
     *
     * @param table new value
     */
    record PutTable(StoredTable table) implements StoreChange {}

    /**
     * No table is kept for the segment.
     *
     * @param segment the segment
     */
    record RemoveTable(SegmentId segment) implements StoreChange {}
}
