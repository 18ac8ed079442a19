package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.chaos.report.RunVerdict;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes no sense is refused before anything is started. */
final class ChaosRunCommandTest {
    private static void isRefused(String with, String... arguments) {
        var err = new StringWriter();
        var line = new ArrayList<>(List.of("chaos", "run"));
        line.addAll(List.of(arguments));
        assertEquals(
                ExitCode.USAGE,
                Main.commandLine().setErr(new PrintWriter(err, true)).execute(line.toArray(String[]::new)));
        assertTrue(err.toString().contains(with), err::toString);
    }

    @Test
    void drawnFaultsAndCellsExcludeEachOther() {
        isRefused("--fault draws and --cells does not", "--fault=kill-router", "--cells=all");
        isRefused("--resume needs --cells and --report", "--resume");
        isRefused("'kill-everybody' is no fault", "--cells=kill-everybody");
        isRefused("--minutes is 0.0", "--minutes=0");
    }

    @Test
    void whatIsTriedTogetherBefallsEachNodeOnceAndLeavesAMajority() {
        isRefused("'kill-everybody' is no fault", "--cells=kill-router+kill-everybody");
        isRefused("'' is no fault", "--cells=kill-router+");
        isRefused(
                "kill-store-leader + pause-store-leader would befall a node twice",
                "--cells=pause-store-leader+kill-store-leader");
        isRefused("kill-store-leader + roll-stores would befall a node twice", "--cells=roll-stores+kill-store-leader");
        isRefused(
                "there are 3 storesvr, of which kill-store-follower + kill-store-leader would leave too few",
                "--cells=kill-store-leader+kill-store-follower");
        isRefused("there are 2 allocsvr", "--alloc=2", "--cells=kill-allocator+pause-allocator");
        isRefused("nothing of that can be done here: ", "--network=proxy", "--cells=kill-allocator+roughen-router");
    }

    @Test
    void whereNothingIsLeftToResumeButAFailureThatIsTheExitCode(@TempDir Path reports) throws IOException {
        for (var verdict : List.of(RoundVerdict.PASS, RoundVerdict.MISSED)) {
            var unused = RunFiles.write(
                    reports, SampleRun.of(Checkout.commit(), "2026-11-22T01:00:00Z", RunVerdict.PASS, verdict));
        }
        var out = new StringWriter();
        assertEquals(
                ExitCode.TARGET_MISSED,
                Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .execute(
                                "chaos",
                                "run",
                                "--cells=kill-allocator",
                                "--times=1",
                                "--resume",
                                "--report=" + reports));
        assertTrue(
                out.toString().contains("1 missed a bound, or a run did besides: see 'seqsvr chaos report'"),
                out::toString);
    }

    @Test
    void aScriptHearsThatNothingIsLeftAsJsonToo(@TempDir Path reports) throws IOException {
        var unused = RunFiles.write(
                reports, SampleRun.of(Checkout.commit(), "2026-11-22T01:00:00Z", RunVerdict.PASS, RoundVerdict.PASS));
        var out = new StringWriter();
        var line = List.of(
                "chaos", "run", "--cells=kill-allocator", "--times=1", "--resume", "--report=" + reports, "-o", "json");
        assertEquals(
                ExitCode.OK,
                Main.commandLine().setOut(new PrintWriter(out, true)).execute(line.toArray(String[]::new)));
        var said = new JsonObject(out.toString());
        assertEquals("pass", said.getString("verdict"));
        assertEquals(0, said.getInteger("rounds"));
        for (var count : List.of("operations", "checked_online", "straddling_pairs", "owner_changes", "violations")) {
            assertEquals(0, said.getInteger(count), count);
        }
    }

    @Test
    void nobodyTakesNumbersOfALivingClusterByMistake() {
        isRefused("say --on-living-cluster if that is meant", "--endpoint=127.0.0.1:1");
        isRefused("--on-living-cluster makes no sense without --endpoint", "--on-living-cluster");
        isRefused("--namespace makes no sense without --endpoint", "--namespace=messages");
        isRefused("\"nowhere\" is not HOST:PORT", "--endpoint=nowhere", "--on-living-cluster");
    }

    @Test
    void ofALivingClusterNoNodeIsTouched() {
        var living = List.of("--endpoint=127.0.0.1:1", "--on-living-cluster");
        isRefused("--ttl is about a cluster of its own", living.get(0), living.get(1), "--ttl=1s");
        isRefused(
                "kill-allocator, cut-store-leader cannot be done to the cluster at --endpoint; what can is"
                        + " cut-allocator,",
                living.get(0),
                living.get(1),
                "--fault=kill-allocator,cut-router,cut-store-leader");
    }
}
