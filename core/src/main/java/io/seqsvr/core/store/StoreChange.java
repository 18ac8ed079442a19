package io.seqsvr.core.store;

import io.seqsvr.core.namespace.Namespace;

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
}
