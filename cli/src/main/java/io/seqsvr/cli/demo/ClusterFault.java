package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.core.lease.LeaseTerms;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One thing that can be done to a cluster: {@code pause-store-leader}.
 *
 * @param kind what is done
 * @param victim to which node
 */
public record ClusterFault(FaultKind kind, Victim victim) {
    /** For everything beside the wait for a lease: to notice, to plan and to claim, on a small machine. */
    private static final Duration TAKE_OVER = Duration.ofSeconds(2);

    /** Until another peer leads: raises wait for it, and owners count on with what they have. */
    private static final Duration ELECTION = Duration.ofSeconds(3);

    /** The same where the others do not see at once that it leads no more. */
    private static final Duration LATE_ELECTION = Duration.ofSeconds(5);

    /** Until all peers of StoreSvr serve again that have ended together: allocators are without leases then. */
    private static final Duration START = Duration.ofSeconds(30);

    /** Everything that can be done to some cluster. */
    public static List<ClusterFault> all() {
        return Arrays.stream(Victim.values())
                .flatMap(victim -> Arrays.stream(FaultKind.values())
                        .map(kind -> new ClusterFault(kind, victim))
                        .filter(ClusterFault::makesSense))
                .toList();
    }

    /** The one of that name, if there is one. */
    public static Optional<ClusterFault> named(String name) {
        return all().stream().filter(fault -> fault.name().equals(name)).findFirst();
    }

    private boolean makesSense() {
        if (victim.isWholeTier()) {
            return kind == FaultKind.KILL || (kind == FaultKind.CUT_POWER && victim == Victim.STORES);
        }
        if (kind.isOfDisks()) {
            return victim.tier() == Tier.STORESVR;
        }
        return kind != FaultKind.DRAIN || victim == Victim.ALLOCATOR;
    }

    /** As it is typed. */
    public String name() {
        return kind.verb() + "-" + victim.word();
    }

    /** Why it cannot be done to such a cluster, if it cannot. */
    public Optional<String> problem(ClusterPlan cluster) {
        if (victim == Victim.ALLOCATOR && cluster.allocators() < 2) {
            return Optional.of("--alloc is " + cluster.allocators() + "; for " + name()
                    + " there must be another one to take over");
        }
        if (victim.tier() == Tier.STORESVR && !victim.isWholeTier() && cluster.stores() < 3) {
            return Optional.of("--store is " + cluster.stores() + "; for " + name()
                    + " there must be 3, so that a majority goes on");
        }
        return Optional.empty();
    }

    /** Whether it makes segments change their owners, unless it is brief. */
    boolean movesSegments() {
        return victim == Victim.ALLOCATOR && (kind.silences() || kind == FaultKind.RESTART || kind == FaultKind.DRAIN);
    }

    /** For how long it goes on at least, so that something comes of it, unless it is brief. */
    Duration lasts(ClusterPlan cluster) {
        return kind.ends() || kind == FaultKind.PAUSE || victim.isWholeTier()
                ? Duration.ZERO
                : lease(cluster).plus(TAKE_OVER);
    }

    /** How long a user may wait because of it. */
    public Duration bound(ClusterPlan cluster) {
        return switch (victim) {
            case ALLOCATOR ->
                kind.silences() || kind.disturbs() ? lease(cluster).plus(TAKE_OVER) : TAKE_OVER;
            case ROUTER, ROUTERS, STORE_FOLLOWER -> TAKE_OVER;
            case STORE_LEADER -> kind.ends() || kind == FaultKind.PAUSE ? ELECTION : LATE_ELECTION;
            case STORES -> START;
        };
    }

    /** How long an owner that is silent keeps its segments. */
    private static Duration lease(ClusterPlan cluster) {
        return Duration.ofNanos(
                new LeaseTerms(cluster.ttl().toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE).granterNanos());
    }
}
