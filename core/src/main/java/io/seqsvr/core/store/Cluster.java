package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;

/**
 * Identity and settings of the cluster, with the versions of what changes in it.
 *
 * @param id drawn at bootstrap
 * @param lease the terms of sessions that are opened from now on
 * @param publishVersion stamp of the last PublishRoutes, which the next one must name; 0 before the first
 * @param tableVersion stamp of the last command that moved a segment: PublishRoutes or HandOver; 0 before the first
 * @param watchVersion stamp of the last change that a watch reports: namespaces, openings, expulsions and ends of
 *     sessions, releases, tables
 */
public record Cluster(String id, LeaseTerms lease, long publishVersion, long tableVersion, long watchVersion) {
    Cluster changedAt(long stamp) {
        return new Cluster(id, lease, publishVersion, tableVersion, stamp);
    }

    Cluster publishedAt(long stamp) {
        return new Cluster(id, lease, stamp, stamp, stamp);
    }

    Cluster handedOverAt(long stamp) {
        return new Cluster(id, lease, publishVersion, stamp, stamp);
    }
}
