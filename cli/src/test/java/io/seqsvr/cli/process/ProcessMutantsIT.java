package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real clusters that lack a guard: a chaos run notices, and says how long it took. The same run of the program as it is
 * passes. Nightly, or with {@code -Dseqsvr.processMutants=true}.
 */
@Timeout(1_200)
@EnabledIfSystemProperty(named = "seqsvr.processMutants", matches = "true")
final class ProcessMutantsIT {
    private static final Duration WITHIN = Duration.ofMinutes(15);
    private static final int SAFETY_VIOLATED = 10;

    @TempDir
    private Path directory;

    /** Ends with the round in which a promise is broken. */
    private Finished run(String javaOptions, String fault) {
        var line = new ArrayList<>(List.of("chaos", "run", "--bound", "1m", "--seed", "11", "-o", "json"));
        line.addAll(List.of("--fault", fault, "--minutes", "1", "--dir", directory.toString()));
        var command = Launcher.find().command(line);
        command.environment().put("SEQSVR_JAVA_OPTS", javaOptions);
        return Finished.run(command, WITHIN);
    }

    private void isNoticed(String fault, String... missing) throws Exception {
        var options = TestBuild.without(directory.resolve("build"), List.of(missing));
        var run = run(options, fault);
        assertEquals(SAFETY_VIOLATED, run.exitCode(), run::toString);
        var result = new JsonObject(run.stdout());
        assertTrue(result.getLong("violations") > 0, result::encode);
        System.out.println(String.format(
                Locale.ROOT,
                "without %s: %s after %d s and %d rounds of %s: %s",
                String.join(", ", missing),
                result.getString("verdict"),
                result.getLong("seconds"),
                result.getLong("rounds"),
                fault,
                result.getJsonArray("broken").getString(0)));
    }

    @Test
    void aLeaseThatNobodyChecksIsNoticed() throws Exception {
        isNoticed("pause-allocator", "LEASE_IS_CHECKED");
    }

    @Test
    void aRaiseThatAsksForNoEpochIsNoticed() throws Exception {
        isNoticed("pause-allocator", "RAISE_ASKS_FOR_THE_EPOCH", "LEASE_IS_CHECKED");
    }

    @Test
    void countersThatOutliveTheirEpochAreNoticed() throws Exception {
        isNoticed("pause-allocator", "COUNTERS_DIE_WITH_THEIR_EPOCH");
    }

    @Test
    void theSameRunOfTheWholeProgramPasses() {
        var run = run("", "pause-allocator");
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals("pass", new JsonObject(run.stdout()).getString("verdict"));
    }
}
