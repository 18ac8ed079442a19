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
    /** Callers of ours give up after a second: a call that begins just too early costs its user that much more. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** What nobody should notice costs a caller one more try at most. */
    private static final Duration UNNOTICED = PATIENCE.plusMillis(250);

    /** For everything beside the wait for a lease: to notice, to plan and to claim. */
    private static final Duration TAKE_OVER = PATIENCE.plusSeconds(1);

    /** The same where one direction goes on, so that it is noticed later. */
    private static final Duration LATE_TAKE_OVER = PATIENCE.plusSeconds(2);

    /** Until another peer leads: raises wait for it, and owners count on with what they have. */
    private static final Duration ELECTION = Duration.ofSeconds(3);

    /** The same where the others do not see at once that it leads no more. */
    private static final Duration LATE_ELECTION = ELECTION.plus(PATIENCE);

    /** The same where it is still heard, or goes on slowly. */
    private static final Duration LATEST_ELECTION = Duration.ofSeconds(5).plus(PATIENCE);

    /** Until all of StoreSvr serve again once they have power. */
    private static final Duration POWER_BACK = Duration.ofSeconds(15).plus(PATIENCE);

    /** Until all of a tier serve again that have ended together: nobody has a lease then. */
    static final Duration START = Duration.ofSeconds(30);

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
            return kind == FaultKind.KILL
                    || kind.isOfTiers()
                    || (kind == FaultKind.CUT_POWER && victim == Victim.STORES);
        }
        if (kind.isOfTiers()) {
            return false;
        }
        if (victim == Victim.CALLER) {
            return kind.isOfCallers();
        }
        if (kind.isOfStore()) {
            return victim.tier() == Tier.STORESVR;
        }
        return (kind != FaultKind.DRAIN && kind != FaultKind.MOVE) || victim == Victim.ALLOCATOR;
    }

    /** As it is typed. */
    public String name() {
        return kind.verb() + "-" + victim.word();
    }

    /** Why it cannot be done to such a cluster, if it cannot. */
    public Optional<String> problem(ClusterPlan cluster) {
        if (leavesOthers() && victim.tier() == Tier.ALLOCSVR && cluster.allocators() < 2) {
            return Optional.of("--alloc is " + cluster.allocators() + "; for " + name()
                    + " there must be another one to take over");
        }
        if (leavesOthers() && victim.tier() == Tier.STORESVR && cluster.stores() < 3) {
            return Optional.of("--store is " + cluster.stores() + "; for " + name()
                    + " there must be 3, so that a majority goes on");
        }
        return Optional.empty();
    }

    /** Whether others of its tier are to serve meanwhile. */
    private boolean leavesOthers() {
        return !victim.isWholeTier() || kind == FaultKind.ROLL;
    }

    /** Whether it befalls StoreSvr. */
    public boolean strikesStores() {
        return victim.tier() == Tier.STORESVR;
    }

    /** Whether nobody can be served while it lasts. */
    boolean leavesNobody() {
        return (victim == Victim.STORES || victim == Victim.ALLOCATORS) && kind != FaultKind.ROLL;
    }

    /** Whether it makes segments change their owners, unless it is brief. */
    boolean movesSegments() {
        return victim.tier() == Tier.ALLOCSVR && (kind.silences() || kind.handsOver());
    }

    /** Whether an owner stands still, and then goes on with what it knew. */
    boolean wakesAnOwner() {
        return victim == Victim.ALLOCATOR && kind.isWoken();
    }

    /** Whether its node, or its whole tier, serves nobody while it lasts, or nobody in time. */
    boolean keepsEverybodyWaiting() {
        return kind != FaultKind.ROLL && (kind.ends() || kind.silences() || kind.isTooSlow());
    }

    /** Whether another node, with other data, may take the place of the one that it befalls. */
    boolean replacesItsNode() {
        return kind == FaultKind.WIPE
                || kind == FaultKind.FLIP_BIT
                || kind == FaultKind.REMOVE
                || kind == FaultKind.FORGET;
    }

    /** For how long it goes on at least, so that something comes of it, unless it is brief. */
    Duration lasts(ClusterPlan cluster) {
        return kind.ends() || kind.stops() || victim.isWholeTier()
                ? Duration.ZERO
                : lease(cluster).plus(TAKE_OVER);
    }

    /** How long a user may wait because of it. */
    public Duration bound(ClusterPlan cluster) {
        return switch (victim) {
            case ALLOCATOR -> boundOfAllocator(cluster);
            case ROUTER -> kind.isTrueToTheRules() || kind.setsTheWall() ? UNNOTICED : TAKE_OVER;
            case STORE_FOLLOWER, CALLER -> UNNOTICED;
            case STORE_LEADER -> boundOfLeader();
            case ROUTERS -> TAKE_OVER;
            case ALLOCATORS -> kind == FaultKind.ROLL ? TAKE_OVER : START;
            case STORES -> kind == FaultKind.ROLL ? TAKE_OVER : kind == FaultKind.CUT_POWER ? POWER_BACK : START;
        };
    }

    private Duration boundOfAllocator(ClusterPlan cluster) {
        if (kind.isTrueToTheRules()) {
            return UNNOTICED;
        }
        if (!kind.silences() && !kind.disturbs()) {
            return TAKE_OVER;
        }
        return lease(cluster)
                .plus(
                        switch (kind) {
                            case CUT_IN -> LATE_TAKE_OVER;
                            // What it sent before StoreSvr noticed arrives all the same, and a renewal counts from
                            // then.
                            case LAG -> TAKE_OVER.plus(cluster.ttl());
                            default -> TAKE_OVER;
                        });
    }

    private Duration boundOfLeader() {
        if (kind.isTrueToTheRules() || kind.setsTheWall()) {
            return UNNOTICED;
        }
        if (kind == FaultKind.REMOVE) {
            // It gives its place away before it goes.
            return TAKE_OVER;
        }
        if (kind.ends() || kind.stops()) {
            return ELECTION;
        }
        return kind.isHalfDone() ? LATEST_ELECTION : LATE_ELECTION;
    }

    /** How long an owner that is silent keeps its segments. */
    private static Duration lease(ClusterPlan cluster) {
        return Duration.ofNanos(terms(cluster).granterNanos());
    }

    private static LeaseTerms terms(ClusterPlan cluster) {
        return new LeaseTerms(cluster.ttl().toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE);
    }
}
