package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A demo that is typed at: what it tells of an allocator's death, and that nothing is left of it. */
@Timeout(300)
final class DemoIT {
    private static final Cli CLI = Cli.find();
    private static final Pattern STORE = Pattern.compile("(?m)^  \\./seqsvr status --store (\\S+)$");

    @TempDir
    private Path parent;

    @TempDir
    private Path said;

    private WatchedProcess demo(String ttl) throws IOException {
        return new WatchedProcess(said, arguments(ttl));
    }

    private List<String> arguments(String ttl) {
        return List.of(
                "demo",
                "--store",
                "1",
                "--alloc",
                "2",
                "--router",
                "1",
                "--users",
                "8",
                "--ttl",
                ttl,
                "--dir",
                parent.toString(),
                "-o",
                "json");
    }

    @Test
    void nodesAreDrainedPausedAndRestartedAndCtrlCLeavesNothing() throws Exception {
        try (var demo = WatchedProcess.asOfATerminal(said, arguments("3s"))) {
            demo.types("""
                    drain alloc-1
                    wait
                    restart alloc-1
                    wait
                    pause alloc-2
                    resume alloc-2
                    wait
                    restart alloc-2
                    wait
                    restart router-1
                    wait
                    resume alloc-1
                    nodes
                    """);
            demo.awaitErr("alloc-1 is not paused");
            demo.awaitErr("STATE");
            demo.interruptGroup();
            assertEquals(128 + 2, demo.awaitEnd(), demo::toString);
            for (var line : List.of(
                    "drain alloc-1: in effect after ",
                    "alloc-1 serves again, after ",
                    "pause alloc-2: in effect after ",
                    "alloc-2 goes on",
                    "alloc-2 serves again, after ",
                    "router-1 serves again, after ")) {
                assertTrue(demo.err().contains(line), () -> line + " in " + demo);
            }
            var report = new JsonObject(demo.out());
            assertEquals(0, report.getLong("violations"), report::encode);
            assertEquals(0, report.getLong("unexplained_gaps"), report::encode);
            var drained = report.getJsonArray("causes").stream()
                    .map(JsonObject.class::cast)
                    .filter(cause -> cause.getString("cause").equals("drain alloc-1"))
                    .findFirst();
            assertEquals(
                    0,
                    drained.map(cause -> cause.getLong("gaps")).orElse(0L),
                    () -> "a drain costs no numbers: " + report);
            demo.leftNothingIn(parent);
        }
    }

    @Test
    void aKilledAllocatorIsToldOfAndNothingIsLeft() throws Exception {
        try (var demo = demo("1s")) {
            demo.types("kill alloc-1\nwait\nrestart alloc-1\nwait\nnodes\nfly alloc-1\nkill alloc-7\nreport\nquit\n");
            assertEquals(0, demo.awaitEnd(), demo::toString);
            var report = new JsonObject(demo.out());
            assertEquals(8, report.getInteger("users"));
            assertEquals(1, report.getInteger("faults"));
            assertEquals(0, report.getLong("violations"), report::encode);
            assertEquals(0, report.getLong("steps_back"));
            assertEquals(0, report.getLong("duplicates"));
            assertEquals(0, report.getJsonObject("java_client").getLong("backward"));
            assertTrue(report.getLong("operations") > 0, report::encode);
            assertTrue(report.getLong("straddling_pairs") > 0, report::encode);
            var killed = report.getJsonArray("causes").stream()
                    .map(JsonObject.class::cast)
                    .filter(cause -> cause.getString("cause").equals("kill alloc-1"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(killed.getLong("gaps") > 0, report::encode);
            assertTrue(killed.getLong("longest_ms") >= 500, report::encode);
            assertTrue(report.getLong("longest_unavailable_ms") >= killed.getLong("longest_ms"), report::encode);
            var told = demo.err();
            for (var line : List.of(
                    "kill alloc-1: in effect after ",
                    "kill alloc-1: every user is answered again, after ",
                    "alloc-1 serves again, after ",
                    "'fly alloc-1' is no command",
                    "there is no node 'alloc-7'",
                    "CAUSE ")) {
                assertTrue(told.contains(line), () -> line + " in " + told);
            }
            demo.leftNothingIn(parent);
        }
    }

    private static void dies(WatchedProcess demo, String node) throws IOException {
        var pid = only(Pattern.compile("(?m)^" + node + " +(\\d+) "), demo.err());
        var process = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        assertTrue(process.destroyForcibly(), node);
        process.onExit().join();
    }

    /** Of a full disk, say, or as somebody outside kills it; one of them while it stands still. */
    @Test
    void aNodeThatEndedByItselfIsStartedAgain() throws Exception {
        try (var demo = demo("1s")) {
            demo.types("pause alloc-2\n");
            demo.awaitErr("pause alloc-2: in effect after ");
            dies(demo, "alloc-1");
            dies(demo, "alloc-2");
            demo.types("restart alloc-1\nrestart alloc-2\nwait\nquit\n");
            assertEquals(0, demo.awaitEnd(), demo::toString);
            for (var node : List.of("alloc-1", "alloc-2")) {
                assertTrue(demo.err().contains(node + " starts, as process "), demo::toString);
                assertTrue(demo.err().contains(node + " serves again, after "), demo::toString);
            }
            assertEquals(0, new JsonObject(demo.out()).getLong("violations"), demo::toString);
            demo.leftNothingIn(parent);
        }
    }

    private static void describesAUser(String store) {
        var described = CLI.run("describe", "7", "--store", store, "-o", "json");
        assertEquals(0, described.exitCode(), described::toString);
        var user = new JsonObject(described.stdout());
        assertEquals("7", user.getString("uid"));
        assertEquals(0, user.getInteger("segment"));
        assertEquals(7, user.getInteger("slot"));
        assertEquals("0", user.getString("cur_seq"), "nobody asks for this user");
        assertEquals("EXACT", user.getString("exactness"));
        assertTrue(Long.parseLong(user.getString("max_seq")) > 0, user::encode);
        assertTrue(Long.parseLong(user.getString("epoch")) > 0, user::encode);
        assertTrue(user.getJsonObject("owner").getString("name").startsWith("alloc-"), user::encode);
        var nobody = CLI.run("describe", "1000000", "--store", store);
        assertEquals(1, nobody.exitCode(), nobody::toString);
        assertTrue(nobody.stderr().contains("whose users are 0 to 999999"), nobody::toString);
    }

    private static String only(Pattern pattern, String text) {
        var found = pattern.matcher(text).results().toList();
        assertEquals(1, found.size(), text);
        return found.get(0).group(1);
    }

    @Test
    void aSignalEndsItWithItsReportAlsoWhileANodeStandsStill() throws Exception {
        // Nobody's lease may run out: a user's number is looked at.
        try (var demo = demo("20s")) {
            demo.awaitErr("all is stopped and removed");
            var store = only(STORE, demo.err());
            var well = CLI.run("status", "--store", store, "-o", "json");
            assertEquals(0, well.exitCode(), well::toString);
            assertTrue(new JsonObject(well.stdout()).getBoolean("healthy"), well::toString);
            assertEquals(3, new JsonObject(well.stdout()).getJsonArray("nodes").size(), well::toString);
            describesAUser(store);

            demo.types("pause router-1\n");
            demo.endsItsInput();
            demo.awaitErr("pause router-1: in effect after ");
            var ill = CLI.run("status", "--store", store);
            assertEquals(3, ill.exitCode(), ill::toString);
            assertTrue(ill.stdout().contains("UNHEALTHY: "), ill::toString);
            demo.terminate();
            assertEquals(128 + 15, demo.awaitEnd());
            assertEquals(0, new JsonObject(demo.out()).getLong("violations"));
            demo.leftNothingIn(parent);
        }
    }
}
