package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a simulation says, to people and to scripts, and that it says the same again. */
final class SimCommandTest {
    private static final Pattern BROKEN = Pattern.compile("(?m)^BROKEN PROMISE: (.*)$");
    private static final Pattern REPLAY = Pattern.compile("(?m)^replay with: \\./seqsvr (.*)$");
    private static final Pattern HASH = Pattern.compile("(?m)^ +hash +([0-9a-f]{16})$");

    private record Said(int exitCode, String out, String err) {}

    private static Said run(String line) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(line.split(" ", -1));
        return new Said(exitCode, out.toString(), err.toString());
    }

    private static String only(Pattern pattern, String text) {
        var found = pattern.matcher(text).results().toList();
        assertEquals(1, found.size(), text);
        return found.get(0).group(1);
    }

    @Test
    void aRunThatCouldHaveSeenABreachAndSawNoneIsOk() {
        var said = run("sim --seed 1 --seeds 4 --hours 0.2");
        assertEquals(ExitCode.OK, said.exitCode, said::toString);
        assertTrue(said.out.startsWith("4 seeds from 1, 0.2 simulated hours each: no promise broken"), said.out);
        for (var counted : List.of("operations", "refused", "changes of owner", "straddling pairs", "faults")) {
            assertTrue(
                    Pattern.compile("(?m)^ +" + counted + " +[1-9]")
                            .matcher(said.out)
                            .find(),
                    said.out);
        }
    }

    @Test
    void aRunTooShortToSeeABreachIsInconclusive() {
        var said = run("sim --seed 2 --seeds 1 --hours 0.0001");
        assertEquals(ExitCode.INCONCLUSIVE, said.exitCode, said::toString);
        assertTrue(said.out.contains("INCONCLUSIVE: no two calls straddled a change of owner"), said.out);
        var json = new JsonObject(run("sim --seed 2 --seeds 1 --hours 0.0001 -o json").out);
        assertEquals("inconclusive", json.getString("verdict"));
        assertEquals(0, json.getLong("straddling_pairs"));
    }

    @Test
    void soItIsWhereItsStoryIsTold() {
        assertEquals(ExitCode.INCONCLUSIVE, run("sim --seed 2 --hours 0.0001 --trace").exitCode);
        assertEquals(ExitCode.USAGE, run("sim --seed 2 --hours 0.0001 --trace -o json").exitCode);
    }

    @Test
    void scriptsGetEveryFigure() {
        var said = run("sim --seed 7 --seeds 4 --hours 0.2 -o json");
        assertEquals(ExitCode.OK, said.exitCode, said::toString);
        var json = new JsonObject(said.out);
        assertEquals("pass", json.getString("verdict"));
        assertEquals("7", json.getString("first_seed"));
        assertEquals(4, json.getLong("seeds"));
        assertEquals(4, json.getLong("seeds_run"));
        assertEquals(0, json.getLong("violations"));
        assertFalse(json.containsKey("violation"));
        for (var figure : List.of("hours", "hours_per_core_minute", "core_seconds")) {
            assertTrue(json.getDouble(figure) > 0, figure);
        }
        for (var figure : List.of("faults", "owner_changes", "straddling_pairs", "operations", "refusals")) {
            assertTrue(json.getLong(figure) > 0, figure);
        }
        for (var figure : List.of("unknown_outcomes", "hand_overs", "calm_hand_overs")) {
            assertTrue(json.getLong(figure) >= 0, figure);
        }
        var kinds = json.getJsonObject("faults_by_kind");
        long sum = kinds.fieldNames().stream().mapToLong(kinds::getLong).sum();
        assertEquals(json.getLong("faults"), sum);
    }

    @Test
    void theSameSeedsGiveTheSameHashOnAnyNumberOfThreads() {
        var one = run("sim --seed 3 --seeds 6 --hours 0.1 --threads 1");
        var two = run("sim --seed 3 --seeds 6 --hours 0.1 --threads 2");
        var other = run("sim --seed 4 --seeds 6 --hours 0.1 --threads 2");
        assertEquals(only(HASH, one.out), only(HASH, two.out));
        assertFalse(only(HASH, one.out).equals(only(HASH, other.out)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--mutant NUMBER_WAITS_FOR_MAX_SEQ --aimed",
                "--mutant LEASE_IS_CHECKED",
                "--mutant RAISE_ASKS_FOR_THE_EPOCH --aimed",
                "--mutant RAISE_ASKS_FOR_THE_EPOCH --without LEASE_IS_CHECKED --aimed",
                "--mutant lease_counts_from_sending --without LEASE_IS_CHECKED,CLOCKS_ARE_COMPARED",
            })
    void aBrokenPromiseIsToldWithACommandThatBreaksItAgain(String mutant) {
        var said = run("sim --seed 1 --seeds 500 --hours 0.3 " + mutant);
        assertEquals(ExitCode.SAFETY_VIOLATED, said.exitCode, said::toString);
        var replayed = run(only(REPLAY, said.out));
        assertEquals(ExitCode.SAFETY_VIOLATED, replayed.exitCode, replayed::toString);
        var ending = "BROKEN: " + only(BROKEN, said.out);
        assertTrue(replayed.out.lines().anyMatch(line -> line.endsWith(ending)), () -> ending + " in " + said.out);
    }

    /** Without new epochs nobody changes owners, and what was seen is a breach all the same. */
    @Test
    void aBrokenPromiseIsNeverInconclusive() {
        var said = run("sim --seed 1 --seeds 500 --hours 0.3 --aimed --mutant EPOCH_GROWS"
                + " --without LEASE_IS_CHECKED,EPOCH_IS_LOADED_ONCE");
        assertEquals(ExitCode.SAFETY_VIOLATED, said.exitCode, said::toString);
        assertTrue(said.out.contains("BROKEN PROMISE: ONE_CALLER_FORWARD"), said.out);
        assertFalse(said.out.contains("INCONCLUSIVE"), said.out);
    }

    @Test
    void aBrokenPromiseIsToldToScripts() {
        var said = run("sim --seed 1 --seeds 50 --hours 0.3 --mutant NUMBER_WAITS_FOR_MAX_SEQ --aimed -o json");
        assertEquals(ExitCode.SAFETY_VIOLATED, said.exitCode, said::toString);
        var json = new JsonObject(said.out);
        assertEquals("violated", json.getString("verdict"));
        assertEquals(1, json.getLong("violations"));
        var violation = json.getJsonObject("violation");
        assertEquals("DURABLE", violation.getString("promise"));
        assertTrue(violation.getString("words").startsWith("DURABLE after "), violation::encode);
        assertTrue(violation.getString("replay").contains(" --seed " + violation.getString("seed") + " "));
    }

    @Test
    void aTraceTellsTheStoryOfOneSeedInTheOrderOfItsTime() {
        var said = run("sim --seed 1 --seeds 50 --hours 0.05 --trace");
        assertEquals(new Said(ExitCode.OK, said.out, ""), said);
        var times = said.out
                .lines()
                .map(line -> Double.parseDouble(line.strip().split(" ", 2)[0]))
                .toList();
        assertEquals(times.stream().sorted().toList(), times);
        for (var word : List.of("sends OpenSession", "sends PublishRoutes", "FAULT ", "received Range", "HEALING")) {
            assertTrue(said.out.contains(word), word);
        }
        assertEquals(
                1, said.out.lines().filter(line -> line.endsWith("HEALING")).count());
    }
}
