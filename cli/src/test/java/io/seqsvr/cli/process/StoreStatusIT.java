package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Finished;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator is told of three peers while all are well, and after one was killed. */
@Timeout(120)
final class StoreStatusIT {
    private static final Duration ELECTS_WITHIN = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private static Finished status(Endpoint peer, String... options) {
        var arguments = Stream.concat(Stream.of("store", "status", "--store", peer.toString()), Stream.of(options));
        return new Spoken(Cli.find().run(arguments.toArray(String[]::new))).finished();
    }

    private static List<JsonObject> peers(Finished finished) {
        return new JsonObject(finished.stdout())
                .getJsonArray("peers").stream().map(JsonObject.class::cast).toList();
    }

    /** Asked until it is so, as an election takes its time. */
    private static Finished awaitStatus(int exitCode, Endpoint peer) {
        long start = System.nanoTime();
        var finished = status(peer, "-o", "json");
        while (finished.exitCode() != exitCode && System.nanoTime() - start < ELECTS_WITHIN.toNanos()) {
            finished = status(peer, "-o", "json");
        }
        assertEquals(exitCode, finished.exitCode(), finished::toString);
        return finished;
    }

    @Test
    void threePeersAreWellUntilOneIsKilled() throws IOException {
        try (var peers = new StorePeers(3, directory)) {
            var well = awaitStatus(0, peers.endpoints().get(0));
            assertEquals(
                    List.of("n1", "n2", "n3"),
                    peers(well).stream().map(peer -> peer.getString("peer")).toList());
            assertEquals(
                    List.of("follower", "follower", "leader"),
                    peers(well).stream()
                            .map(peer -> peer.getString("role"))
                            .sorted()
                            .toList());
            assertEquals(
                    1, new JsonObject(well.stdout()).getJsonObject("cluster").getInteger("namespaces"));

            peers.process(2).kill9();
            var asked = peers.endpoints().get(0);
            var hurt = awaitStatus(3, asked);
            assertEquals("unreachable", peers(hurt).get(2).getString("role"));
            assertFalse(new JsonObject(hurt.stdout()).getBoolean("healthy"));
            var text = status(asked);
            assertEquals(3, text.exitCode(), text::toString);
            assertTrue(
                    text.stdout().lines().anyMatch(line -> line.startsWith("n3 ") && line.contains("unreachable")),
                    text::toString);
            assertTrue(text.stdout().contains("UNHEALTHY: n3: no answer from "), text::toString);

            var nobody = status(peers.endpoints().get(2), "--timeout", "2s");
            assertEquals(4, nobody.exitCode(), nobody::toString);
        }
    }
}
