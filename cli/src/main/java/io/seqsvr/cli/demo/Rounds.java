package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Draws what is done next. In every round an AllocSvr and a majority of the StoreSvr peers are left alone, so that
 * users can be served; unless all of a tier are struck on purpose.
 */
final class Rounds {
    private static final int TRIES = 10;

    private final ChaosPlan plan;
    private final LocalCluster cluster;
    private final Supplier<LocalNode> leader;
    private final SplittableRandom random;

    /**
     * A fault, and the nodes that it befalls.
     *
     * @param fault what is done
     * @param nodes to whom: one, or all of a tier
     */
    record Strike(ClusterFault fault, List<LocalNode> nodes) {
        Tier tier() {
            return fault.victim().tier();
        }
    }

    /**
     * Rounds of a plan.
     *
     * @param cluster the nodes, none of which is touched by a fault when a round is drawn
     * @param leader the StoreSvr peer that leads now
     * @param random draws
     */
    Rounds(ChaosPlan plan, LocalCluster cluster, Supplier<LocalNode> leader, SplittableRandom random) {
        this.plan = plan;
        this.cluster = cluster;
        this.leader = leader;
        this.random = random;
    }

    /** What is done together, at least one thing, in the order in which it is begun. */
    List<Strike> next() {
        int count = plan.drawCount(random);
        var strikes = new ArrayList<Strike>();
        // What is drawn may befall nobody who is left.
        for (int tries = 0; strikes.size() < count && tries < TRIES * count; tries++) {
            of(draw(), strikes).ifPresent(strikes::add);
        }
        return inOrder(strikes);
    }

    /** First to which tier, as there are more faults of some than of others; only one of AllocSvrs moves segments. */
    private ClusterFault draw() {
        var tiers = plan.faults().stream()
                .map(fault -> fault.victim().tier())
                .distinct()
                .toList();
        var tier = tiers.get(random.nextInt(tiers.size()));
        var ofTier = plan.faults().stream()
                .filter(fault -> fault.victim().tier() == tier)
                .toList();
        return ofTier.get(random.nextInt(ofTier.size()));
    }

    /** All of a cell that this cluster can bear. */
    List<Strike> only(Compound cell) {
        var strikes = new ArrayList<Strike>();
        cell.faults().forEach(fault -> of(fault, strikes).ifPresent(strikes::add));
        return inOrder(strikes);
    }

    private static List<Strike> inOrder(List<Strike> strikes) {
        return strikes.stream()
                .sorted(Comparator.comparing(Strike::fault, Compound.ORDER))
                .toList();
    }

    private Optional<Strike> of(ClusterFault fault, List<Strike> strikes) {
        if (fault.victim().isWholeTier()) {
            boolean alone = strikes.stream()
                    .noneMatch(strike -> strike.tier() == fault.victim().tier());
            return alone
                    ? Optional.of(new Strike(fault, cluster.of(fault.victim().tier())))
                    : Optional.empty();
        }
        var nodes = candidates(fault.victim(), strikes);
        return nodes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Strike(fault, List.of(nodes.get(random.nextInt(nodes.size())))));
    }

    private List<LocalNode> candidates(Victim victim, List<Strike> strikes) {
        var tier = victim.tier();
        var touched =
                strikes.stream().flatMap(strike -> strike.nodes().stream()).toList();
        long others = touched.stream().filter(node -> node.tier() == tier).count();
        if (others >= mostOf(tier, cluster.of(tier).size())) {
            return List.of();
        }
        return switch (victim) {
            case STORE_LEADER -> without(List.of(leader.get()), touched);
            case STORE_FOLLOWER -> {
                var leads = leader.get();
                yield without(cluster.of(tier), touched).stream()
                        .filter(node -> node != leads)
                        .toList();
            }
            case ALLOCATOR, ALLOCATORS, ROUTER, ROUTERS, STORES, CALLER -> without(cluster.of(tier), touched);
        };
    }

    /** How many of so many nodes may be struck one by one. */
    static int mostOf(Tier tier, int count) {
        return switch (tier) {
            case STORESVR -> (count - 1) / 2;
            case ALLOCSVR -> count - 1;
            case ROUTER, CALLER -> count;
        };
    }

    private static List<LocalNode> without(List<LocalNode> nodes, List<LocalNode> touched) {
        return nodes.stream().filter(node -> !touched.contains(node)).toList();
    }
}
