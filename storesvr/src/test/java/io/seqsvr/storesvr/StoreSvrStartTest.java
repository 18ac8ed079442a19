package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a peer refuses to start from, and how it says so. */
class StoreSvrStartTest {
    @TempDir
    private Path root = Path.of("");

    private static String refusal(TestCluster cluster, StoreSvrSettings settings) {
        var refused = assertThrows(StartupException.class, () -> cluster.start(0, settings));
        return String.valueOf(refused.getMessage());
    }

    private static String refusal(TestCluster cluster) {
        return refusal(cluster, cluster.settings(0));
    }

    private static void assertSays(String part, String message) {
        assertTrue(message.contains(part), () -> "'" + message + "' does not say '" + part + "'");
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** The one file below the directory whose name matches. */
    private static Path find(Path directory, String name) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).matches(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + name + " below " + directory));
        }
    }

    private void startOnce(TestCluster cluster) throws StartupException {
        cluster.start();
        try (var client = new TestClient(cluster.addresses())) {
            client.open("a");
        }
        cluster.stop();
    }

    @Test
    void anEmptyDirectoryNeverStartsAsAVoter() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            delete(cluster.data(0));
            assertSays("is empty; format it with", refusal(cluster));
            assertEquals(DataDirectory.Content.NOTHING, DataDirectory.inspect(cluster.data(0)));
        }
    }

    @Test
    void aDirectoryWhoseFormattingDidNotEndIsRefused() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            var mark = cluster.data(0).resolve("seqsvr-peer.json");
            // As of a version that wrote no checksum: with one this would be damage.
            var text = Files.readString(mark).replaceFirst(",\\s*\"checksum\": \"\\w+\"", "");
            Files.writeString(mark, text.replace("\"complete\": true", "\"complete\": false"));
            assertSays("was not formatted completely", refusal(cluster));
        }
    }

    @Test
    void anotherPeersDirectoryIsRefused() throws StartupException {
        try (var cluster = TestCluster.format(root, 2)) {
            var settings = cluster.settings(0);
            var mistaken =
                    new StoreSvrSettings(cluster.data(1), Optional.empty(), settings.peers(), settings.bootstrap());
            assertEquals(
                    "data directory " + cluster.data(1) + " belongs to peer peer-2, not to peer-1; correct 'peer' or"
                            + " 'data'",
                    refusal(cluster, mistaken));
            // The refusal let go of the lock.
            DataDirectory.open(cluster.data(1)).close();
        }
    }

    @Test
    void aDirectoryOfAnotherClusterIsRefusedWhereTheSettingsNameOne() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            var settings = cluster.settings(0);
            var mistaken = new StoreSvrSettings(
                    settings.data(), Optional.of("another-cluster"), settings.peers(), settings.bootstrap());
            assertEquals(
                    "data directory " + cluster.data(0) + " belongs to cluster " + cluster.id()
                            + ", not to another-cluster; correct 'cluster_id' or 'data'",
                    refusal(cluster, mistaken));
            DataDirectory.open(cluster.data(0)).close();
        }
    }

    @Test
    void aPeerThatLostItsLogNeverVotesAgain() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            delete(cluster.data(0).resolve("raft"));
            assertSays(
                    "is gone, although the data directory was formatted: this peer must not vote again",
                    refusal(cluster));
            Files.createDirectories(cluster.data(0).resolve("raft").resolve(cluster.id()));
            assertSays("is gone", refusal(cluster));
        }
    }

    @Test
    void aPeerThatLostItsVoteNeverVotesAgain() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            Files.delete(find(cluster.data(0), "raft-meta"));
            assertSays("is gone", refusal(cluster));
        }
    }

    @Test
    void aTakenServicePortIsToldAndNothingIsLeftBehind() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            int port = cluster.address(0).port();
            try (var other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertSays("port " + other.getLocalPort() + " on 127.0.0.1 cannot be listened on", refusal(cluster));
            }
            startOnce(cluster);
        }
    }

    @Test
    void aTakenRaftPortIsToldAndNothingIsLeftBehind() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            int port = cluster.peers().get(0).raft().port();
            try (var other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertSays(String.valueOf(other.getLocalPort()), refusal(cluster));
            }
            startOnce(cluster);
        }
    }

    @Test
    void aRunningPeersDirectoryIsInUse() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            assertSays("is in use by another process", refusal(cluster));
        }
    }

    @Test
    void aFormattedDirectoryIsNeverFormattedAgain() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            var again = assertThrows(
                    StartupException.class,
                    () -> StoreSvr.format(
                            cluster.data(0),
                            cluster.id(),
                            "peer-1",
                            cluster.settings(0).bootstrap()));
            assertSays("it holds a peer's data", String.valueOf(again.getMessage()));
        }
    }

    @Test
    void aPeerThatItsSettingsDoNotNameIsNone() {
        assertThrows(IllegalArgumentException.class, () -> new RaftPeers("peer-9", List.of()));
    }
}
