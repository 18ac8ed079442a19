package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each way of asking gives figures that can be, of a real cluster, and every number is right. Few calls are under
 * way: on a busy
 * machine the greatest load takes a cluster's lease away, and that would be another test.
 */
@Timeout(400)
final class BenchAllocIT {
    private static final Cli CLI = new Cli(Launcher.find(), Duration.ofMinutes(2));

    @TempDir
    private static Path directory;

    private static DevCluster cluster;

    @BeforeAll
    static void start() {
        cluster = DevCluster.startUnhurried(directory.resolve("data"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Spoken bench(String... options) {
        var arguments = Stream.concat(
                Stream.of(
                        "bench",
                        "alloc",
                        "--endpoint",
                        cluster.endpoint().toString(),
                        "--seconds",
                        "1",
                        "--warm-up",
                        "1"),
                Stream.of(options));
        return new Spoken(CLI.run(arguments.toArray(String[]::new)));
    }

    /** Of one that had no error; how far it is it tells elsewhere. */
    private static String answer(String... options) {
        var finished = bench(options).finished();
        assertEquals(0, finished.exitCode(), finished::toString);
        return finished.stdout();
    }

    @ParameterizedTest
    @CsvSource({
        "unary, uniform, --concurrency=4",
        "unary, uniform, --concurrency=4 --via-router",
        "stream, lognormal, --concurrency=16",
        "frames, uniform, --concurrency=1 --batch=100",
        "frames, zipf, --rate=20000 --batch=100",
        "client, zipf, --concurrency=100",
    })
    void aShortMeasurementGivesPlausibleFigures(String mode, String skew, String more) {
        var line = Stream.concat(
                        Stream.of("--mode", mode, "--skew", skew, "--users", "20000", "-o", "json"),
                        Stream.of(more.split(" ")))
                .toArray(String[]::new);
        var json = new JsonObject(answer(line));
        assertEquals(mode, json.getString("mode"));
        assertEquals(0, json.getLong("errors"), json::encode);
        assertEquals(0, json.getLong("backward"), json::encode);
        assertEquals(0, json.getLong("duplicates"), json::encode);
        assertTrue(json.getLong("calls_per_s") > 0, json::encode);
        assertTrue(json.getLong("sequences_per_s") >= json.getLong("calls_per_s"), json::encode);
        var latencies = Stream.of("p50_us", "p99_us", "p999_us", "max_us")
                .map(json::getLong)
                .toList();
        assertTrue(latencies.get(0) > 0, json::encode);
        assertEquals(latencies.stream().sorted().toList(), latencies);
    }

    @Test
    void eachWindowIsALineAndEachPercentileOfThemAll() {
        var said = answer("--users", "1000", "--concurrency", "1", "--batch", "10", "--windows", "2");
        var first = said.lines().map(line -> line.split(" ", 2)[0]).toList();
        assertEquals(
                List.of("window", "1", "2", "median", "percent", "50", "75", "90", "95", "99", "99.9", "99.99"),
                first.subList(0, 12),
                said);
        assertEquals(List.of("99.999", "100", "errors"), first.subList(12, first.size()), said);
    }

    @Test
    void whatCannotBeMeasuredIsNamed() {
        bench("--namespace", "nowhere").failsNaming(1, "nowhere");
        new Spoken(CLI.run("bench", "alloc", "--endpoint", "127.0.0.1:1")).failsNaming(4, "127.0.0.1:1");
    }
}
