package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.backup.BackupReader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All peers die, two of them with their disks, and the third is started again: docs/operations.md tells what to do. */
final class BackupOfSurvivorIT {
    private static final Cli CLI = Cli.find();
    private static final Duration WITHIN = Duration.ofSeconds(90);
    private static final SegmentId FIRST = new SegmentId(1, 0);
    /** More than one snapshot, and not a multiple of one. */
    private static final int RAISES = 250;

    @TempDir
    private Path directory;

    private static void wipe(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    @Timeout(300)
    void whatWasAcknowledgedIsInTheBackupOfTheOnlyPeerThatIsLeft() throws IOException, BackupException {
        try (var calls = new StoreCalls();
                var peers = new StorePeers(3, directory, peer -> Map.of(), "snapshot_entries: 100\n")) {
            var raiser = new Raiser(calls, peers::endpoints, "raiser", 0, 0);
            raiser.take();
            long acknowledged = 0;
            for (int raise = 0; raise < RAISES; raise++) {
                var raised = (StoreReply.Raised) calls.execute(peers.endpoints(), raiser.nextRaise(), WITHIN);
                assertTrue(raised.items().get(0).accepted(), raised::toString);
                acknowledged = raised.items().get(0).maxSeq();
            }
            // Whatever was acknowledged is in its log.
            int survivor = calls.leader(peers.endpoints(), WITHIN);
            for (int peer = 0; peer < 3; peer++) {
                peers.process(peer).kill9();
                if (peer != survivor) {
                    wipe(peers.data(peer));
                }
            }
            peers.restart(survivor).awaitPort();
            var address = peers.endpoints().get(survivor).toString();
            var backup = directory.resolve("backup");
            var made = CLI.run(
                    "store",
                    "backup",
                    backup.toString(),
                    "--store",
                    address,
                    "--peer",
                    "n" + (survivor + 1),
                    "--timeout",
                    "30s",
                    "-o",
                    "json");
            assertEquals(0, made.exitCode(), made::toString);
            assertTrue(made.stderr().contains(" entries that it had not applied"), made::toString);
            var said = new JsonObject(made.stdout());
            assertFalse(said.getBoolean("confirmed"), made::toString);
            assertTrue(Long.parseLong(said.getString("unapplied")) > 0, made::toString);
            var state = BackupReader.read(backup).state();
            assertEquals(acknowledged, state.segment(FIRST).orElseThrow().maxSeq(), made::toString);
        }
    }
}
