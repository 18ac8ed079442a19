package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.DevCluster;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Things are done to clusters of their own: no promise is broken, and a breach would have shown. Each build kills,
 * pauses, cuts off and takes the power in less than two minutes; more is done nightly, and all of it by
 * {@link ChaosMatrixIT}.
 */
@Timeout(300)
final class ChaosRunIT {
    private static final String NIGHTLY = "seqsvr.chaosMatrix";

    @TempDir
    private Path parent;

    @TempDir
    private Path said;

    /**
     * What a run says that ended well. Bystanders' calls may fail: they are given up after a second, for which a
     * process may stand still where all of this shares two processors. The matrix judges them.
     */
    private JsonObject run(String... arguments) throws Exception {
        var line = new ArrayList<>(List.of("chaos", "run", "--bound", "1m", "--dir", parent.toString(), "-o", "json"));
        line.addAll(List.of(arguments));
        try (var run = new WatchedProcess(said, line)) {
            int exitCode = run.awaitEnd();
            run.leftNothingIn(parent);
            var result = new JsonObject(run.out());
            var missed = result.getJsonArray("missed").stream()
                    .map(String::valueOf)
                    .filter(what -> !what.contains("calls of bystanders failed"))
                    .toList();
            assertEquals(List.of(), missed, run::toString);
            assertEquals(List.of(), result.getJsonArray("doubts").getList(), run::toString);
            assertEquals(result.getJsonArray("missed").isEmpty() ? 0 : 11, exitCode, run::toString);
            assertEquals(0, result.getLong("violations"));
            assertEquals(0, result.getLong("unjudged"));
            assertTrue(result.getLong("rounds") > 0, result::encode);
            assertTrue(result.getLong("operations") > 0, result::encode);
            return result;
        }
    }

    /** As far as it gets without root. */
    @Test
    void anAllocatorThatIsKilledOrPausedOrCutOffBreaksNoPromise() throws Exception {
        var result = run(
                "--network=proxy",
                "--cells=kill-allocator,pause-allocator,cut-allocator,cut-caller",
                "--times=1",
                "--seed=7",
                "--store=1",
                "--alloc=2",
                "--router=1",
                "--users=8",
                "--ttl=1s");
        assertEquals(4, result.getLong("rounds"));
        assertEquals("proxy", result.getString("network"));
        assertEquals("7", result.getString("seed"));
        assertTrue(result.getLong("owner_changes") > 0, result::encode);
        assertTrue(result.getLong("straddling_pairs") >= result.getLong("straddling_pairs_needed"), result::encode);
        assertTrue(result.getLong("longest_unavailable_ms") >= 500, result::encode);
    }

    /** The heir of an owner that stands still gets its segments from a new leader, which waits for the whole lease. */
    @Test
    @EnabledIfSystemProperty(named = NIGHTLY, matches = "true")
    void anOwnerThatStandsStillWhileTheLeaderOfThreeDiesBreaksNoPromise() throws Exception {
        var result = run(
                "--network=proxy",
                "--cells=pause-allocator+kill-store-leader",
                "--times=1",
                "--seed=8",
                "--store=3",
                "--alloc=2",
                "--router=1",
                "--users=8",
                "--ttl=1s");
        assertEquals(1, result.getLong("rounds"));
        assertEquals(2, result.getLong("faults"), "together");
        assertTrue(result.getLong("owner_changes") > 0, result::encode);
        assertTrue(result.getLong("straddling_pairs") > 0, result::encode);
    }

    @Test
    void aPowerCutBreaksNoPromiseAndIsReported() throws Exception {
        assumeNothingIsMissing(Need.DISKS);
        var reports = said.resolve("reports");
        var result = run(
                "--cells=kill-allocator,cut-power-stores",
                "--times=1",
                "--seed=5",
                "--store=1",
                "--alloc=2",
                "--router=1",
                "--users=8",
                "--ttl=1s",
                "--report=" + reports);
        assertEquals(2, result.getLong("rounds"));
        assertTrue(result.getLong("checked_online") > result.getLong("operations"), result::encode);
        assertTrue(result.getLong("straddling_pairs") > 0, result::encode);
        try (var report = new WatchedProcess(said, List.of("chaos", "report", reports.toString(), "-o", "json"))) {
            assertEquals(result.getJsonArray("missed").isEmpty() ? 0 : 11, report.awaitEnd(), report::toString);
            assertEquals(result.getString("verdict"), new JsonObject(report.out()).getString("verdict"));
        }
        assertTrue(Files.size(reports.resolve("report.html")) > 0);
    }

    @Test
    @EnabledIfSystemProperty(named = NIGHTLY, matches = "true")
    void aPartitionADeadLeaderAndADirectoryThatIsGoneBreakNoPromise() throws Exception {
        assumeNothingIsMissing(Need.NETWORK);
        var result = run(
                "--cells=pause-allocator+kill-store-leader,split-allocator+kill-store-leader,wipe-store-follower",
                "--times=1",
                "--seed=5",
                "--alloc=2",
                "--router=1",
                "--users=8",
                "--ttl=2s");
        assertEquals(3, result.getLong("rounds"));
        assertEquals(5, result.getLong("faults"), "twice two of them together");
        assertEquals("namespaces", result.getString("network"));
        assertTrue(result.getLong("straddling_pairs") > 0, result::encode);
    }

    private static void assumeNothingIsMissing(Need need) {
        var missing = need.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    @Test
    @EnabledIfSystemProperty(named = NIGHTLY, matches = "true")
    void inQuorumOrderNoPromiseIsBrokenEither() throws Exception {
        var result = run(
                "--cells=kill-allocator,pause-store-leader",
                "--order=quorum",
                "--times=1",
                "--seed=6",
                "--alloc=2",
                "--router=1",
                "--users=8",
                "--ttl=1s");
        assertEquals(2, result.getLong("rounds"));
        assertEquals("quorum", result.getString("order"));
        assertTrue(result.getLong("straddling_pairs") > 0, result::encode);
    }

    @Test
    void aLivingClusterIsAskedOnABadWayAndNothingIsDoneToIt() throws Exception {
        try (var cluster = DevCluster.startUnhurried(parent.resolve("dev"))) {
            var line = List.of(
                    "chaos",
                    "run",
                    "--endpoint=" + cluster.endpoint(),
                    "--on-living-cluster",
                    "--fault=reset-router,cut-allocator",
                    "--bound=1m",
                    "--minutes=0.1",
                    "--seed=9",
                    "--users=8",
                    "-o",
                    "json");
            try (var run = new WatchedProcess(said, line)) {
                assertEquals(12, run.awaitEnd(), run::toString);
                var result = new JsonObject(run.out());
                assertEquals(0, result.getLong("violations"), result::encode);
                assertEquals(0, result.getLong("unexplained_gaps"), "others may take numbers there");
                assertTrue(result.getLong("operations") > 0 && result.getLong("rounds") > 0, result::encode);
                assertEquals(
                        List.of("no user saw a change of owner"),
                        result.getJsonArray("doubts").getList());
            }
        }
    }
}
