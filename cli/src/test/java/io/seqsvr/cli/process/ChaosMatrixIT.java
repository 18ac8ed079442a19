package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that {@code chaos run} knows to do, each alone and twice; what kills, stops, suspends, cuts off or takes
 * the power three times more, and what stops for a moment and for a minute besides. The page of these runs stays in a
 * directory of its own under {@code target/chaos-reports}. Nightly, or with {@code -Dseqsvr.chaosMatrix=true}: it takes
 * two to three hours.
 */
@Timeout(12_000)
@EnabledIfSystemProperty(named = "seqsvr.chaosMatrix", matches = "true")
final class ChaosMatrixIT {
    private static final Duration WITHIN = Duration.ofHours(2);
    /** More than that would say nothing of what was to be tried. */
    private static final double MOST_SKIPPED = 0.1;

    private static final String ONE_BY_ONE = Stream.of("kill", "pause", "freeze", "cut", "cut-in", "cut-out", "split")
            .flatMap(verb -> Stream.of("allocator", "router", "store-leader", "store-follower", "caller")
                    .map(victim -> verb + "-" + victim))
            .collect(Collectors.joining(","));
    private static final String TOGETHER =
            "kill-allocators,kill-routers,kill-stores,cut-power-store-leader,cut-power-store-follower,cut-power-stores";
    private static final String STOPS = "pause-allocator,pause-router,pause-store-leader,pause-store-follower";

    private static final String SUSPENSIONS =
            "suspend-allocator,suspend-router,suspend-store-leader,suspend-store-follower";

    @TempDir
    private Path parent;

    /** Of this time only: what an earlier one left of the same commit is no part of it. */
    private final String reports = Path.of(
                    "target", "chaos-reports", "matrix-" + Instant.now().getEpochSecond())
            .toAbsolutePath()
            .toString();

    private static Finished seqsvr(List<String> line) {
        return Finished.run(Launcher.find().command(line), WITHIN);
    }

    private Finished run(String... options) {
        var line = new ArrayList<>(List.of("chaos", "run", "--dir", parent.toString(), "-o", "json"));
        line.addAll(List.of("--report", reports));
        line.addAll(List.of(options));
        return seqsvr(line);
    }

    @Test
    void everyCellKeepsItsPromisesAndItsBound() {
        var all = run("--cells", "all", "--times", "2");
        var runs = List.of(
                all,
                run("--cells", ONE_BY_ONE + "," + SUSPENSIONS + "," + TOGETHER, "--times", "3"),
                run("--cells", STOPS, "--times", "5", "--lasting", "1s"),
                run("--cells", STOPS, "--times", "5", "--lasting", "10s"),
                run("--cells", STOPS, "--times", "5", "--lasting", "60s"),
                run("--cells", SUSPENSIONS, "--lasting", "3s"),
                run("--cells", SUSPENSIONS, "--lasting", "30s"),
                run("--minutes", "30"));
        var report = seqsvr(List.of("chaos", "report", reports, "--junit", reports + "/chaos.xml"));
        System.out.println(report.stdout());
        var result = new JsonObject(all.stdout());
        int skipped = result.getJsonArray("skipped").size();
        assertTrue(skipped <= MOST_SKIPPED * (skipped + result.getLong("rounds") / 2.0), result::encode);
        for (var one : runs) {
            assertEquals(0, one.exitCode(), one::toString);
        }
        assertEquals(0, report.exitCode(), report::toString);
    }
}
