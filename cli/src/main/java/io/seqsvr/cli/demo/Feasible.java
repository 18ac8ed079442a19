package io.seqsvr.cli.demo;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.report.Skip;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What can be done to a cluster on this machine.
 *
 * @param faults what can
 * @param skipped what cannot, and why
 */
public record Feasible(List<ClusterFault> faults, List<Skip> skipped) {
    /** Keeps copies. */
    public Feasible {
        faults = List.copyOf(faults);
        skipped = List.copyOf(skipped);
    }

    /** Looks, and tries, what this machine lets us do; only what one of these faults needs. */
    public static Feasible of(List<ClusterFault> wanted, ClusterPlan cluster) {
        Map<Need, Optional<String>> missing = new EnumMap<>(Need.class);
        var faults = new ArrayList<ClusterFault>();
        var skipped = new ArrayList<Skip>();
        for (var fault : wanted) {
            var lacks = fault.problem(cluster)
                    .or(() -> fault.kind().need().flatMap(need -> missing.computeIfAbsent(need, Need::missing)));
            lacks.ifPresentOrElse(why -> skipped.add(new Skip(fault.name(), why)), () -> faults.add(fault));
        }
        return new Feasible(faults, skipped);
    }

    /** Why not, each reason once. */
    public String reasons() {
        return skipped.stream().map(Skip::why).distinct().collect(Collectors.joining("; "));
    }
}
