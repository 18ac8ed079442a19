package io.seqsvr.cli.demo;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.report.Skip;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is done to a cluster, for how long.
 *
 * @param faults what is drawn from, at least one, each possible in that cluster
 * @param needs what the machine must let us do for them
 * @param atOnce how many of them are at work together at most, each on a node of its own
 * @param cluster the cluster
 * @param users how many users ask, besides those of the Java client
 * @param minutes for how long another round is begun
 * @param seed of what is drawn: faults, nodes, and times
 * @param cells what is tried alone, one after the other, instead of what is drawn for so many minutes; may be empty
 * @param skipped what this machine or this cluster does not let us try
 * @param bound how long a user may wait; if it is not given, as long as the faults that are at work explain
 * @param parent where the cluster's directory is made
 */
public record ChaosPlan(
        List<ClusterFault> faults,
        Set<Need> needs,
        int atOnce,
        ClusterPlan cluster,
        int users,
        double minutes,
        long seed,
        List<ClusterFault> cells,
        List<Skip> skipped,
        Optional<Duration> bound,
        Path parent) {
    /** Keeps a copy. */
    public ChaosPlan {
        faults = List.copyOf(faults);
        needs = Set.copyOf(needs);
        cells = List.copyOf(cells);
        skipped = List.copyOf(skipped);
    }

    /** How long a user may wait while these are at work together: as long as for one after the other. */
    Duration boundOf(List<ClusterFault> together) {
        return bound.orElseGet(
                () -> together.stream().map(fault -> fault.bound(cluster)).reduce(Duration.ZERO, Duration::plus));
    }

    /** How long a user may wait who is not touched by any fault: no longer than by the one that costs least. */
    Duration leastBound() {
        return faults.stream()
                .map(fault -> boundOf(List.of(fault)))
                .min(Duration::compareTo)
                .orElseThrow();
    }
}
