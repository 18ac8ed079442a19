package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import io.seqsvr.storesvr.raft.SnapshotTrigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots are gone, by hand or by a repair of the file system: what they held may be nowhere else. */
@Tag("group")
class LostSnapshotTest {
    @TempDir
    private Path root = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit calls format first
    private TestCluster cluster;

    @BeforeEach
    void format() throws StartupException {
        cluster = TestCluster.format(root.resolve("cluster"), 1);
        PurgedLog.start(cluster, 0);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Path group() {
        return cluster.data(0).resolve("raft").resolve(cluster.id());
    }

    private String refusal() {
        var refused = assertThrows(StartupException.class, () -> cluster.start(0));
        return String.valueOf(refused.getMessage());
    }

    private void assertStarts() throws StartupException {
        cluster.start();
        try (var client = new TestClient(cluster.addresses())) {
            assertEquals(1, client.truth().sessions().size());
        }
    }

    @Test
    void withoutTheSnapshotThatHoldsWhatTheLogHasDroppedItNeverStarts() throws StartupException, IOException {
        Path early;
        try (var client = new TestClient(cluster.addresses())) {
            client.open("a");
            var taken = SnapshotTrigger.take(cluster.id(), cluster.peers().get(0), cluster.data(0));
            early = DirectoryCopy.of(taken, root.resolve(taken.getFileName()));
            PurgedLog.write(client, cluster, 0);
        }
        cluster.stop();
        var snapshots = group().resolve("sm");
        var kept = Files.move(snapshots, root.resolve("kept"));

        var gone = refusal();
        var begins = "the Raft log in " + group().resolve("current") + " begins with entry ";
        assertTrue(gone.startsWith(begins) && gone.contains(", and there is no snapshot in " + snapshots), gone);
        assertTrue(gone.contains(": entries 0 to "), gone);
        assertTrue(gone.contains("seqsvr store replace --config NEW.yaml --store HOST:PORT --old peer-1"), gone);

        Files.createDirectory(snapshots);
        assertEquals(gone, refusal());

        DirectoryCopy.of(early, snapshots.resolve(early.getFileName()));
        var older = refusal();
        var name = String.valueOf(early.getFileName());
        long next = Long.parseLong(name.substring(name.indexOf('_') + 1)) + 1;
        assertTrue(older.startsWith(begins) && older.contains(snapshots + " is " + name), older);
        assertTrue(older.contains(": entries " + next + " to "), older);

        DirectoryCopy.of(kept, snapshots);
        assertStarts();
    }

    @Test
    void aLogThatHoldsEverythingIsEnough() throws StartupException, IOException {
        try (var client = new TestClient(cluster.addresses())) {
            client.open("a");
        }
        cluster.stop();
        Files.move(group().resolve("sm"), root.resolve("kept"));
        assertStarts();
    }
}
