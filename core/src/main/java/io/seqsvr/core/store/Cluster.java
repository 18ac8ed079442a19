package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;

/**
 * Identity and settings of the cluster, with the versions of what changes in it.
 *
 * @param id drawn at bootstrap
 * @param lease the terms of every lease
 * @param tableVersion stamp of the last PublishRoutes, 0 before the first
 * @param watchVersion stamp of the last change that a watch reports: namespaces, session openings and ends, tables
 */
public record Cluster(String id, LeaseTerms lease, long tableVersion, long watchVersion) {
    Cluster changedAt(long stamp) {
        return new Cluster(id, lease, tableVersion, stamp);
    }

    Cluster publishedAt(long stamp) {
        return new Cluster(id, lease, stamp, stamp);
    }
}
