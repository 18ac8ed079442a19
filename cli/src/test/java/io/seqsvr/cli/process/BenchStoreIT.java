package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A short measurement gives figures that can be, and leaves nothing behind; nor does one that is broken off. */
@Timeout(300)
final class BenchStoreIT {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    /** Where the peers' directory is made. */
    @TempDir
    private Path parent;

    @TempDir
    private Path said;

    /** Every process that was ever seen to be started by a measurement. */
    private final Set<ProcessHandle> started = ConcurrentHashMap.newKeySet();

    private Finished bench(Consumer<Process> eachLook, String... options) throws IOException, InterruptedException {
        return bench(eachLook, 1, options);
    }

    private Finished bench(Consumer<Process> eachLook, int peers, String... options)
            throws IOException, InterruptedException {
        var arguments = Stream.concat(
                Stream.of("bench", "store", "--peers", Integer.toString(peers), "--dir", parent.toString()),
                Stream.of(options));
        var out = said.resolve("out");
        var err = said.resolve("err");
        var process = Launcher.find()
                .command(arguments.toList())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            do {
                process.descendants().forEach(started::add);
                eachLook.accept(process);
            } while (!process.waitFor(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS));
        } finally {
            process.destroyForcibly();
        }
        return new Finished(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private void assertNothingIsLeft() throws IOException {
        assertNotEquals(Set.of(), started, "a measurement without a process");
        assertEquals(List.of(), started.stream().filter(ProcessHandle::isAlive).toList());
        try (var left = Files.list(parent)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aShortMeasurementGivesPlausibleFiguresAndLeavesNothing() throws Exception {
        var finished = bench(process -> {}, "--seconds", "1", "--warm-up", "1", "--concurrency", "4", "-o", "json");
        assertEquals(0, finished.exitCode(), finished::toString);
        var json = new JsonObject(new Spoken(finished).finished().stdout());
        assertEquals(1, json.getInteger("peers"));
        assertEquals(4, json.getInteger("concurrency"));
        assertEquals(1, json.getInteger("batch"));
        assertEquals(1, json.getInteger("seconds"));
        assertEquals(42_950, json.getInteger("segments"));
        assertEquals(0, json.getInteger("errors"));
        assertTrue(json.getLong("commands") > 0, json::encode);
        assertTrue(json.getDouble("commands_per_s") > 0, json::encode);
        assertEquals(json.getDouble("commands_per_s"), json.getDouble("segment_raises_per_s"), "one segment each");
        var latencies = Stream.of("p50_us", "p99_us", "p999_us", "max_us")
                .map(json::getLong)
                .toList();
        assertTrue(latencies.get(0) > 0, json::encode);
        assertEquals(latencies.stream().sorted().toList(), latencies);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "leader-change, first_write_median_ms first_write_max_ms lease_least_remaining_ms",
        "snapshot, snapshots stall_ms stall_elsewhere_ms commands_per_s",
        "install, installed stall_ms stall_elsewhere_ms ready_median_ms commands_per_s",
        "restart, empty_ready_median_ms ready_median_ms loaded_max_ms snapshot_loaded_max_ms",
        "memory, rss_max_mib",
        "namespace, assigned_ms plans"
    })
    @EnabledIfSystemProperty(
            named = "seqsvr.benchScenarios",
            matches = "true",
            disabledReason = "minutes long: mvn -Pnightly")
    void eachScenarioGivesItsFiguresAndLeavesNothing(String scenario, String keys) throws Exception {
        var finished = bench(
                process -> {},
                3,
                "--scenario",
                scenario,
                "--rounds",
                "1",
                "--warm-up",
                "1",
                "--concurrency",
                "256",
                "-o",
                "json");
        assertEquals(0, finished.exitCode(), finished::toString);
        var json = new JsonObject(new Spoken(finished).finished().stdout());
        assertEquals(scenario, json.getString("scenario"));
        for (var key : keys.split(" ", -1)) {
            assertTrue(json.getDouble(key) > 0, () -> key + " in " + json.encode());
        }
        assertEquals(0, json.getInteger("errors", 0));
        assertEquals(0, json.getInteger("leases_lost", 0));
        assertNothingIsLeft();
    }

    @Test
    void aMeasurementThatIsBrokenOffLeavesNothing() throws Exception {
        var finished = bench(
                process -> {
                    if (!started.isEmpty()) {
                        interrupt(process);
                    }
                },
                "--seconds",
                "600");
        assertEquals(130, finished.exitCode(), finished::toString);
        assertEquals("", finished.stdout());
        assertNothingIsLeft();
    }

    /** What Ctrl-C does; a second time, too. */
    private static void interrupt(Process process) {
        var unused =
                Finished.run(new ProcessBuilder("kill", "-INT", Long.toString(process.pid())), Duration.ofSeconds(30));
    }
}
