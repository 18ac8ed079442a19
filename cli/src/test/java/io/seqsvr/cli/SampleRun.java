package io.seqsvr.cli;

import io.seqsvr.chaos.report.Bystanders;
import io.seqsvr.chaos.report.Cluster;
import io.seqsvr.chaos.report.Machine;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFile;
import io.seqsvr.chaos.report.RunVerdict;
import io.seqsvr.chaos.report.Second;
import io.seqsvr.chaos.report.Skip;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;

/** Runs that nobody has made. */
final class SampleRun {
    private SampleRun() {}

    /** A run with one round, of kill-allocator. */
    static RunFile of(String commit, String begun, RunVerdict verdict, RoundVerdict ofRound) {
        return of(commit, begun, verdict, ofRound, true);
    }

    /** The same, which was interrupted, or over some network. */
    static RunFile of(String commit, RunVerdict verdict, RoundVerdict ofRound, boolean interrupted, Network network) {
        var run = of(commit, "2026-11-22T01:00:00Z", verdict, ofRound, !interrupted);
        return new RunFile(
                run.commit(),
                run.begun(),
                run.seconds(),
                run.command(),
                run.machine(),
                network,
                run.seed(),
                run.cluster(),
                run.verdict(),
                run.result().put("interrupted", interrupted),
                run.rounds(),
                run.skipped(),
                run.timeline(),
                run.witnesses());
    }

    /** The same, in the end of which the peers of StoreSvr were compared, or not. */
    static RunFile of(String commit, String begun, RunVerdict verdict, RoundVerdict ofRound, boolean compared) {
        var missed = verdict == RunVerdict.MISSED ? new JsonArray().add("a user waited 6,000 ms") : new JsonArray();
        var words = ofRound == RoundVerdict.PASS ? List.<String>of() : List.of("a user waited 6,000 ms");
        var result = new JsonObject()
                .put("operations", 8_000)
                .put("checked_online", 20_000)
                .put("refused", 12)
                .put("unknown_outcomes", 3)
                .put("violations", verdict == RunVerdict.VIOLATED ? 1 : 0)
                .put("owner_changes", 24)
                .put("straddling_pairs", 8)
                .put("asked_a_former_owner", 2)
                .put("longest_unavailable_ms", 4_100)
                .put("unexplained_gaps", 0)
                .put("replicas_compared", compared)
                .put("missed", missed)
                .put("doubts", new JsonArray())
                .put("broken", new JsonArray());
        return new RunFile(
                commit,
                Instant.parse(begun),
                60,
                "./seqsvr chaos run --seed 5",
                new Machine(2, 8_000, "Linux 6.1.0", "Temurin 25"),
                Network.LOOPBACK,
                "5",
                new Cluster(3, 3, 2, 3_000, 100, 10_000, 24),
                verdict,
                result,
                List.of(new Round(
                        1,
                        "kill-allocator",
                        List.of("kill alloc-2"),
                        1_000,
                        7_000,
                        5_301,
                        4_100,
                        9,
                        Bystanders.NONE,
                        ofRound,
                        words)),
                List.of(new Skip("cut-allocator", "no network namespaces")),
                List.of(new Second(0, 400, 0, 0, 900, 4_000, 9_000)),
                List.of());
    }
}
