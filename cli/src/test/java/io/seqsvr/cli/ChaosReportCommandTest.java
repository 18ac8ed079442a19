package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.chaos.report.RunVerdict;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What somebody reads in the morning after a night of chaos runs. */
final class ChaosReportCommandTest {
    @TempDir
    private Path directory;

    /** What a command left behind. */
    private record Said(int exitCode, String out, String err) {}

    private Said report(String... options) {
        var arguments = new ArrayList<>(List.of("chaos", "report", directory.toString()));
        arguments.addAll(List.of(options));
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        return new Said(exitCode, out.toString(), err.toString());
    }

    /** A run with one round. */
    private void leave(String commit, String begun, RunVerdict verdict, RoundVerdict ofRound) throws IOException {
        var unused = RunFiles.write(directory, SampleRun.of(commit, begun, verdict, ofRound));
    }

    @Test
    void aGoodNightIsATableAndAPage() throws IOException {
        leave("abc1234", "2026-11-22T01:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        leave("abc1234", "2026-11-22T02:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        var said = report();
        assertEquals(ExitCode.OK, said.exitCode, said::toString);
        assertTrue(said.out.startsWith("PASS: commit abc1234, 2 runs, 0.0 hours"), said.out);
        assertTrue(said.out.matches("(?s).*operations checked +40,000\\R.*"), said.out);
        assertTrue(said.out.matches("(?s).*kill-allocator +PASS +2 +2 +0 +0 +0 +4,100 ms +5,301 ms\\R.*"), said.out);
        assertTrue(said.out.contains("NOT TRIED: cut-allocator: no network namespaces"), said.out);
        assertEquals("chaos: wrote " + directory.resolve("report.html"), said.err.strip());
        assertTrue(Files.readString(directory.resolve("report.html")).startsWith("<!DOCTYPE html>"));
    }

    @ParameterizedTest
    @CsvSource({
        "PASS, PASS, 0",
        "INCONCLUSIVE, VOID, 12",
        "INCONCLUSIVE, PASS, 12",
        "MISSED, PASS, 11",
        "MISSED, MISSED, 11",
        "VIOLATED, PASS, 10",
        "VIOLATED, VIOLATED, 10"
    })
    void theWorstRunIsTheExitCode(RunVerdict verdict, RoundVerdict ofRound, int exitCode) throws IOException {
        leave("abc1234", "2026-11-22T01:00:00Z", verdict, ofRound);
        leave("abc1234", "2026-11-22T02:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        assertEquals(exitCode, report().exitCode);
    }

    @Test
    void onlyTheNewestCommitIsToldUnlessAnotherIsNamed() throws IOException {
        leave("abc1234", "2026-11-21T01:00:00Z", RunVerdict.MISSED, RoundVerdict.MISSED);
        leave("def5678", "2026-11-22T02:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        var newest = report();
        assertTrue(newest.out.startsWith("PASS: commit def5678, 1 runs"), newest.out);
        assertTrue(newest.err.contains("the runs of def5678; --commit shows those of abc1234"), newest.err);
        var other = report("--commit", "abc1234");
        assertEquals(ExitCode.TARGET_MISSED, other.exitCode);
        assertTrue(other.out.startsWith("MISSED: commit abc1234, 1 runs"), other.out);
        assertTrue(other.out.contains("seed 5, round 1 (kill alloc-2) missed: a user waited 6,000 ms"), other.out);
        var none = report("--commit", "abc");
        assertEquals(ExitCode.FAILED, none.exitCode);
        assertTrue(none.err.contains("--commit is 'abc'"), none.err);
        assertTrue(none.err.contains("there are runs of def5678, abc1234"), none.err);
    }

    @Test
    void everyFileThatIsAskedForIsWrittenAndSaid() throws IOException {
        leave("abc1234", "2026-11-22T01:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        var page = directory.resolve("out/page.html");
        var junit = directory.resolve("out/chaos.xml");
        var table = directory.resolve("out/table.md");
        var said = report("--html", page.toString(), "--junit", junit.toString(), "--markdown", table.toString());
        assertEquals(ExitCode.OK, said.exitCode, said::toString);
        for (var file : List.of(page, junit, table)) {
            assertTrue(said.err.contains("chaos: wrote " + file), said.err);
        }
        assertTrue(Files.readString(junit).contains("name=\"kill-allocator\""));
        assertTrue(Files.readString(table).contains("| kill-allocator | PASS |"));
        assertFalse(Files.exists(directory.resolve("report.html")));
    }

    @Test
    void aScriptGetsOneObject() throws IOException {
        leave("abc1234", "2026-11-22T01:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        var json = new JsonObject(report("-o", "json").out);
        assertEquals("pass", json.getString("verdict"));
        assertEquals(8_000, json.getLong("operations"));
        assertEquals(20_000, json.getLong("checked_online"));
        var cells = json.getJsonArray("cells");
        assertEquals("kill-allocator", cells.getJsonObject(0).getString("cell"));
        assertEquals(4_100, cells.getJsonObject(0).getLong("worst_wait_ms"));
        assertEquals("skipped", cells.getJsonObject(1).getString("verdict"));
        assertEquals(
                new JsonArray().add("no network namespaces"),
                cells.getJsonObject(1).getJsonArray("words"));
    }

    @Test
    void whereThereIsNothingItSaysWhatMakesIt() throws IOException {
        var empty = report();
        assertEquals(ExitCode.FAILED, empty.exitCode);
        assertEquals(
                "seqsvr: " + directory + " holds no run; './seqsvr chaos run --report " + directory + "' makes one",
                empty.err.strip());
        directory = directory.resolve("nowhere");
        assertTrue(report().err.startsWith("seqsvr: " + directory + " is not there; './seqsvr chaos run --report"));
        Files.writeString(directory, "a file");
        assertTrue(report().err.startsWith("seqsvr: " + directory + " is no directory; './seqsvr chaos run --report"));
    }

    @Test
    void aFileThatIsNoneOfARunIsNamed() throws IOException {
        leave("abc1234", "2026-11-22T01:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        var stray = Files.writeString(directory.resolve("stray.json"), "{\"format\": 7}");
        var said = report();
        assertEquals(ExitCode.FAILED, said.exitCode);
        assertTrue(said.err.startsWith("seqsvr: " + stray + ": format is 7, and this build reads 2"), said.err);
    }

    @Test
    void whereNothingCanBeWrittenItSaysSo() throws IOException {
        leave("abc1234", "2026-11-22T01:00:00Z", RunVerdict.PASS, RoundVerdict.PASS);
        var said = report("--junit", directory.toString());
        assertEquals(ExitCode.FAILED, said.exitCode);
        assertTrue(said.err.contains("seqsvr: " + directory + " cannot be written: "), said.err);
        assertEquals("", said.out);
    }
}
