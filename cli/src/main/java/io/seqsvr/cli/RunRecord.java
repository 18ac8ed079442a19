package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.report.Cluster;
import io.seqsvr.chaos.report.Machine;
import io.seqsvr.chaos.report.RunFile;
import io.seqsvr.cli.demo.ChaosResult;
import java.time.Instant;

/**
 * What is told of a run besides what came of it.
 *
 * @param commit what ran
 * @param begun when
 * @param command what repeats it
 */
record RunRecord(String commit, Instant begun, String command) {
    /** The whole of a run. */
    RunFile of(ChaosResult result) {
        var plan = result.plan();
        return new RunFile(
                commit,
                begun,
                result.seen().seconds(),
                command,
                Machine.here(),
                result.network(),
                Long.toString(plan.seed()),
                cluster(plan.cluster(), plan.users()),
                result.verdict(),
                result.json(),
                result.rounds(),
                plan.skipped(),
                result.seen().seen().timeline(),
                result.seen().seen().witnesses());
    }

    /** What is broken, as the file tells it. */
    static Cluster cluster(ClusterPlan plan, int users) {
        var namespace = plan.namespace();
        return new Cluster(
                plan.stores(),
                plan.allocators(),
                plan.routers(),
                plan.ttl().toMillis(),
                namespace.segments(),
                namespace.step(),
                users);
    }
}
