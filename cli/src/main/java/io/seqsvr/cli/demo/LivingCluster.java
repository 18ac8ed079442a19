package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.NamespacePlan;
import java.time.Duration;
import java.util.List;

/**
 * A cluster that is not ours: its users are asked for numbers, which they never get again, and nothing is done to its
 * nodes but on the way to them.
 *
 * @param endpoints where its routers serve, at least one
 * @param namespace whose users are asked for
 */
public record LivingCluster(List<Endpoint> endpoints, String namespace) {
    /** What is known beforehand of such a cluster: nothing. */
    public static final ClusterPlan PLAN = new ClusterPlan(0, 0, 0, Duration.ZERO, new NamespacePlan(0, 1, 0));

    /** Keeps a copy. */
    public LivingCluster {
        endpoints = List.copyOf(endpoints);
    }

    /** What can be done on the way to one of its nodes. */
    public static List<ClusterFault> faults() {
        return ClusterFault.all().stream()
                .filter(fault -> fault.victim() == Victim.ROUTER || fault.victim() == Victim.ALLOCATOR)
                .filter(fault -> switch (fault.kind()) {
                    case CUT, CUT_IN, CUT_OUT, DELAY, LAG, RESET, NARROW -> true;
                    default -> false;
                })
                .toList();
    }
}
