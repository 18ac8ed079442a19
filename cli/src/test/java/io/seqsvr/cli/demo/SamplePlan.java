package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A minute of killed allocators in a cluster as chaos runs have it unless they are told otherwise. */
public final class SamplePlan {
    private SamplePlan() {}

    /** The plan. */
    public static ChaosPlan ofKilledAllocators() {
        return new ChaosPlan(
                List.of(ClusterFault.named("kill-allocator").orElseThrow()),
                Set.of(),
                1,
                new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10)),
                24,
                new Timing(1, Optional.empty(), Optional.empty()),
                42,
                List.of(),
                List.of(),
                Optional.empty(),
                Path.of("."));
    }
}
