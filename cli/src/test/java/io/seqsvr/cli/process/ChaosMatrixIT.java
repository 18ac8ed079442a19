package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that {@code chaos run} knows to do, each alone and twice; the page of the run stays in {@code
 * target/chaos-reports}. Nightly, or with {@code -Dseqsvr.chaosMatrix=true}: it takes an hour.
 */
@Timeout(9_000)
@EnabledIfSystemProperty(named = "seqsvr.chaosMatrix", matches = "true")
final class ChaosMatrixIT {
    private static final Duration WITHIN = Duration.ofHours(2);
    /** More than that would say nothing of what was to be tried. */
    private static final double MOST_SKIPPED = 0.1;

    private static final Path REPORTS = Path.of("target", "chaos-reports");

    @TempDir
    private Path parent;

    private static Finished seqsvr(List<String> line) {
        return Finished.run(Launcher.find().command(line), WITHIN);
    }

    @Test
    void everyCellKeepsItsPromisesAndItsBound() {
        var reports = REPORTS.toAbsolutePath().toString();
        var run = seqsvr(List.of(
                "chaos",
                "run",
                "--cells",
                "all",
                "--times",
                "2",
                "--dir",
                parent.toString(),
                "--report",
                reports,
                "-o",
                "json"));
        var result = new JsonObject(run.stdout());
        var report = seqsvr(List.of("chaos", "report", reports, "--junit", reports + "/chaos.xml"));
        System.out.println(report.stdout());
        int skipped = result.getJsonArray("skipped").size();
        assertTrue(skipped <= MOST_SKIPPED * (skipped + result.getLong("rounds") / 2.0), result::encode);
        assertEquals(0, run.exitCode(), run::toString);
    }
}
