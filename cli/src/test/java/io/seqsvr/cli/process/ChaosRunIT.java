package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Allocators are killed in a cluster of its own: no promise is broken, and a breach would have shown. */
@Timeout(300)
final class ChaosRunIT {
    @TempDir
    private Path parent;

    @TempDir
    private Path said;

    @Test
    void killedAllocatorsBreakNoPromise() throws Exception {
        var arguments = List.of(
                "chaos",
                "run",
                "--fault",
                "kill-allocator",
                "--minutes",
                "0.02",
                "--seed",
                "7",
                "--bound",
                "1m",
                "--store",
                "1",
                "--alloc",
                "2",
                "--router",
                "1",
                "--users",
                "8",
                "--ttl",
                "1s",
                "--dir",
                parent.toString(),
                "-o",
                "json");
        try (var run = new WatchedProcess(said, arguments)) {
            assertEquals(0, run.awaitEnd(), run::toString);
            var result = new JsonObject(run.out());
            assertEquals("pass", result.getString("verdict"), result::encode);
            assertEquals("kill-allocator", result.getString("fault"));
            assertEquals("7", result.getString("seed"));
            assertEquals(0, result.getLong("violations"));
            assertEquals(0, result.getLong("unjudged"));
            assertTrue(result.getLong("rounds") > 0, result::encode);
            assertTrue(result.getLong("owner_changes") > 0, result::encode);
            assertTrue(result.getLong("straddling_pairs") >= result.getLong("straddling_pairs_needed"), result::encode);
            assertTrue(result.getLong("longest_unavailable_ms") >= 500, result::encode);
            run.leftNothingIn(parent);
        }
    }
}
