package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.core.lease.LeaseTerms;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What is done to a cluster, for how long.
 *
 * @param kind what is done to allocators, one after the other
 * @param cluster the cluster
 * @param users how many users ask, besides those of the Java client
 * @param minutes for how long another fault is begun
 * @param seed of which allocators are drawn, and times
 * @param bound how long a user may wait
 * @param parent where the cluster's directory is made
 */
public record ChaosPlan(
        FaultKind kind, ClusterPlan cluster, int users, double minutes, long seed, Duration bound, Path parent) {
    /** For everything beside the wait for a lease: to notice, to plan and to claim, on a small machine. */
    private static final Duration TAKE_OVER = Duration.ofSeconds(2);

    /** How long a user may wait if nothing else is said: for the lease of a dead owner, and for a new one. */
    public static Duration boundFor(FaultKind kind, ClusterPlan cluster) {
        return switch (kind) {
            case KILL, PAUSE -> lease(cluster).plus(TAKE_OVER);
            case RESTART, DRAIN -> TAKE_OVER;
        };
    }

    /** How long an owner that is silent keeps its segments. */
    static Duration lease(ClusterPlan cluster) {
        return Duration.ofNanos(
                new LeaseTerms(cluster.ttl().toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE).granterNanos());
    }
}
