package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.cli.demo.ClusterFault;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a chaos tester reads before a run. */
final class ChaosListCommandTest {
    private static String run(String... arguments) {
        var out = new StringWriter();
        assertEquals(
                ExitCode.OK,
                Main.commandLine().setOut(new PrintWriter(out, true)).execute(arguments));
        return out.toString();
    }

    private static JsonObject fault(String list, String name) {
        return new JsonObject(list)
                .getJsonArray("faults").stream()
                        .map(JsonObject.class::cast)
                        .filter(fault -> fault.getString("name").equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void eachFaultHasALineWithItsBound() {
        var lines = run("chaos", "list").lines().toList();
        assertEquals(1 + ClusterFault.all().size(), lines.size());
        // A lease of 3 s and a tenth, a millisecond for its grain, and 2 s for the take-over.
        assertTrue(
                lines.get(1).matches("kill-allocator +SIGKILL, then a new process +an AllocSvr +5,301 ms"),
                lines::toString);
    }

    @Test
    void whatCannotBefallAnApplicationIsNotThere() {
        var ofCallers = ClusterFault.all().stream()
                .map(ClusterFault::name)
                .filter(name -> name.endsWith("-caller"))
                .toList();
        assertTrue(ofCallers.contains("kill-caller") && ofCallers.contains("split-caller"), ofCallers::toString);
        for (var name : List.of("drain-caller", "wipe-caller", "fill-caller", "rush-caller", "roll-caller")) {
            assertFalse(ofCallers.contains(name), name);
        }
        assertEquals(
                1_250,
                fault(run("chaos", "list", "-o", "json"), "pause-caller").getInteger("bound_ms"),
                "nobody else may notice");
    }

    @Test
    void aShorterLeaseMakesAShorterBound() {
        assertEquals(
                3_101,
                fault(run("chaos", "list", "--ttl", "1s", "-o", "json"), "pause-allocator")
                        .getInteger("bound_ms"));
    }

    @Test
    void whatASmallClusterCannotBearIsSaid() {
        var small = run("chaos", "list", "--store", "1", "--alloc", "1", "-o", "json");
        for (var name : List.of("drain-allocator", "kill-store-leader", "pause-store-follower")) {
            assertTrue(fault(small, name).containsKey("not_here"), name);
        }
        assertFalse(fault(small, "kill-router").containsKey("not_here"));
    }
}
