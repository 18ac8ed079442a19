package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.Tier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is done in one round: one thing, or several that are at work together, each on nodes of its own.
 *
 * @param faults at least one, in the order in which they are begun
 */
public record Compound(List<ClusterFault> faults) {
    /** In the order in which they are begun: first what nodes are asked to do, while everybody is there to hear it. */
    static final Comparator<ClusterFault> ORDER = Comparator.<ClusterFault, Boolean>comparing(
                    fault -> !fault.kind().isAsked())
            // Who drains is given nothing more.
            .thenComparing(fault -> fault.kind() == FaultKind.DRAIN)
            // What takes long to be undone, which happens in the same order, keeps nobody waiting.
            .thenComparing(fault -> fault.kind() == FaultKind.FORGET);

    /** Keeps a copy, in order: however they are named, it is the same thing. */
    public Compound {
        faults = faults.stream().sorted(ORDER.thenComparing(ClusterFault::name)).toList();
        if (faults.isEmpty()) {
            throw new IllegalArgumentException("in a compound something is done");
        }
    }

    /** A fault alone. */
    public static Compound of(ClusterFault fault) {
        return new Compound(List.of(fault));
    }

    /** Its name in reports. */
    public String name() {
        return faults.stream().map(ClusterFault::name).sorted().collect(Collectors.joining(" + "));
    }

    /**
     * Whether no router is left: nobody is served through one, and segments that lose their owners are given to nobody.
     *
     * @param routers how many there are
     */
    boolean leavesNoRouter(int routers) {
        var ofRouters = faults.stream()
                .filter(fault -> fault.victim().tier() == Tier.ROUTER && fault.keepsEverybodyWaiting())
                .toList();
        return ofRouters.size() >= routers
                || ofRouters.stream().anyMatch(fault -> fault.victim().isWholeTier());
    }

    /** Why it cannot be done to such a cluster, if it cannot. */
    public Optional<String> problem(ClusterPlan cluster) {
        return faults.stream()
                .flatMap(fault -> fault.problem(cluster).stream())
                .findFirst()
                .or(() -> Arrays.stream(Tier.values())
                        .flatMap(tier -> problem(tier, cluster).stream())
                        .findFirst());
    }

    private Optional<String> problem(Tier tier, ClusterPlan cluster) {
        var victims = faults.stream()
                .map(ClusterFault::victim)
                .filter(victim -> victim.tier() == tier)
                .toList();
        long leaders =
                victims.stream().filter(victim -> victim == Victim.STORE_LEADER).count();
        boolean all = victims.stream().anyMatch(Victim::isWholeTier);
        if (victims.size() > 1 && (all || leaders > 1)) {
            return Optional.of(name() + " would befall a node twice");
        }
        int count = cluster.count(tier);
        return !all && victims.size() > Rounds.mostOf(tier, count)
                ? Optional.of(
                        "there are " + count + " " + tier.command() + ", of which " + name() + " would leave too few")
                : Optional.empty();
    }
}
