package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Draws what is done next. In every round an AllocSvr and a majority of the StoreSvr peers are left alone, so that
 * users can be served.
 */
final class Rounds {
    private final ChaosPlan plan;
    private final LocalCluster cluster;
    private final Supplier<LocalNode> leader;
    private final SplittableRandom random;

    /**
     * A fault, and the node that it befalls.
     *
     * @param fault what is done
     * @param node to whom
     */
    record Strike(ClusterFault fault, LocalNode node) {}

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
        int count = 1 + random.nextInt(plan.atOnce());
        var strikes = new ArrayList<Strike>();
        for (int i = 0; i < count; i++) {
            var fault = plan.faults().get(random.nextInt(plan.faults().size()));
            var nodes = candidates(fault.victim(), strikes);
            if (!nodes.isEmpty()) {
                strikes.add(new Strike(fault, nodes.get(random.nextInt(nodes.size()))));
            }
        }
        // An AllocSvr is asked to drain: first, while everybody is there to hear it.
        strikes.sort(Comparator.comparing(strike -> strike.fault().kind() != FaultKind.DRAIN));
        return strikes;
    }

    private List<LocalNode> candidates(Victim victim, List<Strike> strikes) {
        var tier = victim.tier();
        var touched = strikes.stream().map(Strike::node).toList();
        long others = touched.stream().filter(node -> node.tier() == tier).count();
        if (others >= mostOf(tier)) {
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
            case ALLOCATOR, ROUTER -> without(cluster.of(tier), touched);
        };
    }

    private int mostOf(Tier tier) {
        int count = cluster.of(tier).size();
        return switch (tier) {
            case STORESVR -> (count - 1) / 2;
            case ALLOCSVR -> count - 1;
            case ROUTER -> count;
        };
    }

    private static List<LocalNode> without(List<LocalNode> nodes, List<LocalNode> touched) {
        return nodes.stream().filter(node -> !touched.contains(node)).toList();
    }
}
