package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users notice of a drain, a restart and a death is measured, and nothing is left. */
@Timeout(300)
final class BenchFailoverIT {
    private static final Duration WITHIN = Duration.ofMinutes(3);
    /** Of the default ttl, with its drift. */
    private static final Duration LEASE_AND_A_SECOND = Duration.ofMillis(3_300 + 1_000);

    @TempDir
    private Path parent;

    private JsonObject bench(String change, String deadline) throws IOException {
        var finished = new Cli(Launcher.find(), WITHIN)
                .run(
                        "bench",
                        "failover",
                        "--change",
                        change,
                        "--store",
                        "1",
                        "--alloc",
                        "2",
                        "--router",
                        change.endsWith("-router") ? "2" : "1",
                        "--segments",
                        "20",
                        "--rate",
                        "200",
                        "--ttl",
                        "1s",
                        "--deadline",
                        deadline,
                        // Less on a slow machine, and calls of 500 ms fail whose owner lives.
                        "--warm-up",
                        "5",
                        "--warm-up-rounds",
                        change.equals("drain") ? "1" : "0",
                        "--calm",
                        "1",
                        "--rounds",
                        "1",
                        "--dir",
                        parent.toString(),
                        "-o",
                        "json");
        assertEquals(0, finished.exitCode(), finished::toString);
        var json = new JsonObject(new Spoken(finished).finished().stdout());
        assertEquals(change, json.getString("change"));
        assertEquals(20, json.getInteger("segments"));
        assertTrue(json.getLong("calls") > 0, json::encode);
        assertTrue(json.getLong("calm_p50_us") > 0, json::encode);
        assertTrue(json.getDouble("calm_pause_max_ms") > 0, json::encode);
        assertTrue(json.getDouble("pause_p50_ms") <= json.getDouble("pause_p99_ms"), json::encode);
        assertTrue(json.getDouble("pause_p99_ms") <= json.getDouble("pause_max_ms"), json::encode);
        try (var left = Files.list(parent)) {
            assertEquals(List.of(), left.toList());
        }
        return json;
    }

    @Test
    void aDrainSkipsNoNumber() throws IOException {
        var json = bench("drain", "10s");
        assertSkipsNothing(json);
        assertTrue(json.getLong("owner_changes") > 0, json::encode);
    }

    private static void assertSkipsNothing(JsonObject json) {
        assertEquals(0, json.getLong("numbers_skipped"), json::encode);
        assertEquals(0, json.getLong("errors"), json::encode);
    }

    @Test
    @EnabledIfSystemProperty(named = "seqsvr.benchScenarios", matches = "true")
    void neitherDoesARouterThatIsRestarted() throws IOException {
        var json = bench("restart-router", "10s");
        assertSkipsNothing(json);
        assertEquals(0, json.getLong("owner_changes"), json::encode);
    }

    @Test
    void whoseOwnerDiesWaitsForItsLease() throws IOException {
        // The lease of 1.1 s counts from the last renewal, which may be a quarter of a ttl old when its holder dies.
        var json = bench("kill-allocator", "500ms");
        assertTrue(json.getDouble("pause_max_ms") >= 750, json::encode);
        assertTrue(json.getLong("expected_failures") > 0, json::encode);
        assertTrue(json.getLong("owner_changes") > 0, json::encode);
    }

    /** What is promised of a whole cluster with 300 loaded segments, 2,000 calls a second and deadlines of a second. */
    @ParameterizedTest
    @CsvSource({
        "kill-allocator, 20, 10000",
        "kill-leader, 20, 40",
        "drain, 4, 10000",
        "restart-allocator, 4, 10000",
        "restart-router, 4, 10000",
        "restart-store, 6, 10000"
    })
    @Timeout(1_200)
    @EnabledIfSystemProperty(
            named = "seqsvr.benchScenarios",
            matches = "true",
            disabledReason = "minutes long: mvn -Pnightly")
    void noCallFailsThatNeedNotAndUsersOfADeadOwnerWaitForItsLease(String change, String rounds, String step)
            throws IOException {
        var finished = new Cli(Launcher.find(), Duration.ofMinutes(15))
                .run(
                        "bench",
                        "failover",
                        "--change",
                        change,
                        "--rounds",
                        rounds,
                        "--step",
                        step,
                        "--dir",
                        parent.toString(),
                        "-o",
                        "json");
        // Anything that must not be is an error of the bench.
        assertEquals(0, finished.exitCode(), finished::toString);
        var json = new JsonObject(new Spoken(finished).finished().stdout());
        System.out.println(json.encode());
        if (change.equals("kill-allocator")) {
            assertTrue(json.getDouble("pause_p99_ms") <= LEASE_AND_A_SECOND.toMillis(), json::encode);
        }
    }
}
