package io.seqsvr.cli.demo;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.Skip;
import io.seqsvr.core.namespace.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What is done to a cluster, for how long.
 *
 * @param faults what is drawn from, at least one, each possible in that cluster
 * @param needs what the machine must let us do for them
 * @param atOnce how many of them are at work together at most, each on a node of its own
 * @param cluster the cluster
 * @param users how many users ask, besides those of the Java client
 * @param timing how long things go on
 * @param seed of what is drawn: faults, nodes, and times
 * @param cells what is tried, one after the other, instead of what is drawn for so many minutes; may be empty
 * @param skipped what this machine or this cluster does not let us try
 * @param living the cluster that all this is about, if it is not one of its own; {@code cluster} then says what is
 *     known of it beforehand
 * @param parent where the cluster's directory is made
 */
public record ChaosPlan(
        List<ClusterFault> faults,
        Set<Need> needs,
        int atOnce,
        ClusterPlan cluster,
        int users,
        Timing timing,
        long seed,
        List<Compound> cells,
        List<Skip> skipped,
        Optional<LivingCluster> living,
        Path parent) {
    /** On the way to somebody else's node: other ways lead to its users, and a lease is not touched. */
    private static final Duration OTHER_WAY = Duration.ofSeconds(2);

    private static final Duration ON_THE_WAY_FOR = Duration.ofSeconds(5);

    /** Keeps a copy. */
    public ChaosPlan {
        faults = List.copyOf(faults);
        needs = Set.copyOf(needs);
        cells = List.copyOf(cells);
        skipped = List.copyOf(skipped);
    }

    /** The same, but these are tried. */
    public ChaosPlan withCells(List<Compound> others) {
        return new ChaosPlan(faults, needs, atOnce, cluster, users, timing, seed, others, skipped, living, parent);
    }

    /** The same, but these cannot be tried. */
    public ChaosPlan withSkipped(List<Skip> others) {
        return new ChaosPlan(faults, needs, atOnce, cluster, users, timing, seed, cells, others, living, parent);
    }

    /** What has to lie between the nodes for these, if they are about that; on the way to others that never differs. */
    public Optional<Network> networkFor(Compound cell) {
        boolean needed = living.isEmpty()
                && cell.faults().stream().anyMatch(fault -> fault.kind().needs().contains(Need.NETWORK));
        return needed
                ? Optional.of(needs.contains(Need.NETWORK) ? Network.NAMESPACES : Network.PROXY)
                : Optional.empty();
    }

    /** How many are to be at work together next: two at least, where it may be more than one. */
    int drawCount(SplittableRandom random) {
        return atOnce == 1 ? 1 : random.nextInt(2, atOnce + 1);
    }

    /** How many are at work together at most. */
    int mostAtOnce() {
        return cells.stream().mapToInt(cell -> cell.faults().size()).max().orElse(atOnce);
    }

    /**
     * How long a user may wait while these are at work together: as long as for one after the other, and until routers
     * serve again where none is left.
     */
    public Duration boundOf(List<ClusterFault> together) {
        return timing.bound().orElseGet(() -> {
            var sum = together.stream().map(this::boundOf).reduce(Duration.ZERO, Duration::plus);
            return leavesNoRouter(together) ? sum.plus(ClusterFault.START) : sum;
        });
    }

    private boolean leavesNoRouter(List<ClusterFault> together) {
        int routers = living.map(there -> there.endpoints().size()).orElse(cluster.routers());
        return new Compound(together).leavesNoRouter(routers);
    }

    /**
     * Whether no round is to meet what the one before it has left: where cells are tried, each by itself. What is drawn
     * may fall into anything.
     */
    boolean isolatesRounds() {
        return !cells.isEmpty() && living.isEmpty();
    }

    /** Whether calls wait for StoreSvr, so that whoever asks notices when its leader is struck. */
    boolean asksStoreSvrEachTime() {
        return cluster.namespace().order() == Order.QUORUM;
    }

    /**
     * Whether nobody notices what is done to StoreSvr for less than a lease unless max_seq is raised meanwhile: in
     * LEASE order owners count on with what they have.
     */
    boolean showsByRaises(List<ClusterFault> together) {
        return living.isEmpty() && !asksStoreSvrEachTime() && together.stream().anyMatch(ClusterFault::strikesStores);
    }

    /** Whether every user can be served while these are at work, by whoever is left. */
    boolean canBeServedMeanwhile(List<ClusterFault> together) {
        return together.stream().noneMatch(ClusterFault::leavesNobody) && !leavesNoRouter(together);
    }

    /**
     * Whether users wait until all of these have shown, too, however long that takes: they cannot be served before that
     * is undone. What is drawn only: each cell by itself shows at once, and its bound is the same in each run.
     */
    boolean holdsUsersUp(List<ClusterFault> together) {
        return cells.isEmpty() && timing.bound().isEmpty() && !canBeServedMeanwhile(together);
    }

    private Duration boundOf(ClusterFault fault) {
        if (living.isPresent()) {
            return OTHER_WAY;
        }
        var bound = fault.bound(cluster);
        return fault.leavesNobody() ? bound.plus(timing.lasting().orElse(Duration.ZERO)) : bound;
    }

    /** What is tried when these are at work together. */
    String cell(List<ClusterFault> together) {
        return cell(new Compound(together));
    }

    /**
     * The name of a cell in reports: on the way to somebody else's nodes, for a given time, or in another order it is
     * another one.
     */
    public String cell(Compound cell) {
        var where = living.isPresent() ? " on the way" : "";
        var time = timing.lasting().map(lasting -> " for " + words(lasting)).orElse("");
        var order = asksStoreSvrEachTime() ? " in quorum order" : "";
        return cell.name() + where + time + order;
    }

    private static String words(Duration time) {
        return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** For how long a fault goes on at least, so that something comes of it. */
    Duration lasts(ClusterFault fault) {
        return living.isPresent() ? ON_THE_WAY_FOR : fault.lasts(cluster);
    }

    /** Whether a fault may be over before anything comes of it, now and then. */
    boolean canBeBrief(ClusterFault fault) {
        return living.isEmpty()
                && cells.isEmpty()
                && timing.lasting().isEmpty()
                && fault.kind().silences()
                && !fault.kind().ends();
    }

    /** Whether segments change their owners because of these, which are not brief. */
    boolean moves(List<ClusterFault> together) {
        // Nothing moves while there is no StoreSvr, or nobody to move it to.
        return living.isEmpty()
                && together.stream().anyMatch(fault -> fault.movesSegments() && outlivesALease(fault))
                && canBeServedMeanwhile(together);
    }

    /**
     * Whether an owner among others stands still for longer than its lease, and then goes on. Callers that ask owners
     * directly reach it whatever is at work besides, as each thing is done to another node; but where nobody can be
     * served nobody has taken over from it.
     */
    boolean wakesAnOwner(List<ClusterFault> together) {
        return living.isEmpty()
                && together.stream().anyMatch(fault -> fault.wakesAnOwner() && outlivesALease(fault))
                && canBeServedMeanwhile(together);
    }

    /** Whether it is all about owners that hand over by themselves, which costs nobody a number. */
    boolean leavesNoGap(List<ClusterFault> together) {
        return living.isEmpty()
                && together.size() == 1
                && together.get(0).victim().tier() == Tier.ALLOCSVR
                && together.get(0).kind().handsOver();
    }

    private boolean outlivesALease(ClusterFault fault) {
        return fault.kind().ends()
                || timing.lasting()
                        .filter(time -> time.compareTo(fault.bound(cluster)) < 0)
                        .isEmpty();
    }

    /**
     * What a run begins with that might see no owner change otherwise: segments are handed over, as a breach of order
     * shows only where an owner changed. Nothing for somebody else's cluster, or where there is nobody to take them.
     */
    Optional<Compound> forPower() {
        boolean changesOwners = cells.isEmpty()
                ? faults.stream().allMatch(fault -> moves(List.of(fault)))
                : cells.stream().anyMatch(cell -> moves(cell.faults()));
        var move = Compound.of(new ClusterFault(FaultKind.MOVE, Victim.ALLOCATOR));
        return Optional.of(move)
                .filter(act -> living.isEmpty()
                        && !changesOwners
                        && act.problem(cluster).isEmpty());
    }

    /** How long a user may wait who is not touched by any fault: no longer than by the one that costs least. */
    Duration leastBound() {
        return faults.stream()
                .map(fault -> boundOf(List.of(fault)))
                .min(Duration::compareTo)
                .orElseThrow();
    }
}
