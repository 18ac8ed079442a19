package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.NamespaceDefaults;

/**
 * Identity and settings of the cluster, with the versions of what changes in it.
 *
 * @param id drawn at bootstrap
 * @param lease the terms of sessions that are opened from now on
 * @param defaults what namespaces get that are made from now on without naming it
 * @param incarnation which life of the cluster this is, from 0 to {@link Incarnation#MOST}
 * @param floor where a segment without a record starts: by how much all restores together raised; 0 before the first
 * @param publishVersion stamp of the last PublishRoutes, which the next one must name; 0 before the first
 * @param tableVersion stamp of the last command that moved a segment: PublishRoutes or HandOver; 0 before the first
 * @param watchVersion stamp of the last change that a watch reports: settings, openings, first renewals, expulsions
 *     and ends of sessions, releases, tables
 */
public record Cluster(
        String id,
        LeaseTerms lease,
        NamespaceDefaults defaults,
        int incarnation,
        long floor,
        long publishVersion,
        long tableVersion,
        long watchVersion) {
    Cluster changedAt(long stamp) {
        return new Cluster(id, lease, defaults, incarnation, floor, publishVersion, tableVersion, stamp);
    }

    Cluster publishedAt(long stamp) {
        return new Cluster(id, lease, defaults, incarnation, floor, stamp, stamp, stamp);
    }

    Cluster handedOverAt(long stamp) {
        return new Cluster(id, lease, defaults, incarnation, floor, publishVersion, stamp, stamp);
    }

    Cluster alteredAt(long stamp, LeaseTerms newLease, NamespaceDefaults newDefaults) {
        return new Cluster(id, newLease, newDefaults, incarnation, floor, publishVersion, tableVersion, stamp);
    }
}
