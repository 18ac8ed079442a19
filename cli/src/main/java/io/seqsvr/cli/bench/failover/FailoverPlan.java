package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.core.namespace.Namespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is done to which cluster, and who asks it meanwhile.
 *
 * @param change what is done in each round, to one node
 * @param stores StoreSvr peers
 * @param allocators AllocSvrs
 * @param routers routers
 * @param ttl time to live of every lease
 * @param segments as many users ask, one of each segment
 * @param step by how much max_seq is raised
 * @param rate calls of all users in a second, whether or not earlier ones were answered
 * @param deadline how long a call may take with all its retries
 * @param warmUpSeconds for how long users ask before, in seconds
 * @param warmUpRounds how often it is done before, in processes that never did it; nothing of it is measured
 * @param settleSeconds for how long users ask between rounds, when a process that was started has its part again
 * @param calmSeconds how long the same is measured with nothing done, in seconds
 * @param rounds how often it is done
 * @param parent where the directory of the cluster is made
 */
public record FailoverPlan(
        Change change,
        int stores,
        int allocators,
        int routers,
        Duration ttl,
        int segments,
        long step,
        int rate,
        Duration deadline,
        int warmUpSeconds,
        int warmUpRounds,
        int settleSeconds,
        int calmSeconds,
        int rounds,
        Path parent) {
    /** Nobody else asks for the others. */
    static final int SEGMENT_SIZE = 1_000;

    private static final int MOST_RATE = 20_000;
    private static final int MOST_STEP = 1_000_000;
    private static final int LONGEST = 3_600;
    private static final int MOST_ROUNDS = 1_000;
    private static final int LEAST_MILLIS = 10;
    private static final int MOST_MILLIS = 60_000;
    /** Fewer have no majority while one is away. */
    private static final int FAIL_OVER_FROM = 3;

    /** The cluster. */
    ClusterPlan cluster() {
        return new ClusterPlan(
                stores,
                allocators,
                routers,
                ttl,
                new NamespacePlan((long) segments * SEGMENT_SIZE, SEGMENT_SIZE, step));
    }

    /** The user of a segment that asks. */
    static long uid(int segment) {
        return (long) segment * SEGMENT_SIZE + SEGMENT_SIZE / 2;
    }

    /** Why this cannot be measured, wherever and for whatever leases, one line each; empty if it can. */
    public List<String> problems() {
        var problems = new ArrayList<>(cluster().problems());
        within("--segments", segments, 1, Namespace.ofDefaults(1, "default").segmentCount(), problems);
        within("--step", step, 1, MOST_STEP, problems);
        within("--rate", rate, 1, MOST_RATE, problems);
        within("--deadline", deadline.toMillis(), LEAST_MILLIS, MOST_MILLIS, "ms", problems);
        within("--warm-up", warmUpSeconds, 0, LONGEST, problems);
        within("--warm-up-rounds", warmUpRounds, 0, MOST_ROUNDS, problems);
        within("--settle", settleSeconds, 0, LONGEST, problems);
        within("--calm", calmSeconds, 1, LONGEST, problems);
        within("--rounds", rounds, 1, MOST_ROUNDS, problems);
        if (change.tier() == Tier.STORESVR && stores < FAIL_OVER_FROM) {
            problems.add(
                    "--store is " + stores + "; the others go on without one of them from " + FAIL_OVER_FROM + " on");
        }
        requireAnother("--alloc", allocators, Tier.ALLOCSVR, problems);
        requireAnother("--router", routers, Tier.ROUTER, problems);
        return problems;
    }

    private void requireAnother(String option, int count, Tier tier, List<String> problems) {
        if (change.tier() == tier && count < 2) {
            problems.add(option + " is " + count + "; it takes another one to go on while one is away");
        }
    }

    private static void within(String option, long value, long least, long most, List<String> problems) {
        within(option, value, least, most, "", problems);
    }

    private static void within(String option, long value, long least, long most, String unit, List<String> problems) {
        if (value < least || value > most) {
            problems.add(option + " is " + value + unit + "; it must be from " + least + unit + " to " + most + unit);
        }
    }
}
