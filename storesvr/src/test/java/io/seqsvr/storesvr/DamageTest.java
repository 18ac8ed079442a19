package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import io.seqsvr.storesvr.raft.SnapshotTrigger;
import io.seqsvr.storesvr.rocks.AnotherFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One byte of a peer's data has changed: it says which file, and what to do, and never starts from it. */
@Tag("group")
class DamageTest {
    @TempDir
    private Path root = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit calls fill first
    private TestCluster cluster;

    /** A log whose entries are known by the names of their sessions, and a snapshot in the midst of it. */
    @BeforeEach
    void fill() throws StartupException, IOException {
        cluster = TestCluster.format(root, 1);
        cluster.start();
        try (var client = new TestClient(cluster.addresses())) {
            client.publish(1, 0, 4, client.open("first"));
            SnapshotTrigger.take(cluster.id(), cluster.peers().get(0), cluster.data(0));
            client.open("middle");
            client.open("last");
        }
        cluster.stop();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Path current() {
        return cluster.data(0).resolve("raft").resolve(cluster.id()).resolve("current");
    }

    private static Path find(Path directory, String name) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).matches(name))
                    .max(Path::compareTo)
                    .orElseThrow(() -> new AssertionError("no " + name + " below " + directory));
        }
    }

    /** Where a text stands for the last time. */
    private static int find(byte[] bytes, String text) {
        var sought = text.getBytes(StandardCharsets.UTF_8);
        for (int at = bytes.length - sought.length; at >= 0; at--) {
            if (Arrays.equals(bytes, at, at + sought.length, sought, 0, sought.length)) {
                return at;
            }
        }
        throw new AssertionError("no '" + text + "'");
    }

    private String refusal() {
        var refused = assertThrows(StartupException.class, () -> cluster.start(0));
        return String.valueOf(refused.getMessage());
    }

    private void assertRefused(Path file, String how, byte[] damaged) throws IOException {
        var whole = Files.readAllBytes(file);
        Files.write(file, damaged);
        var refusal = refusal();
        assertTrue(refusal.contains(file + " is damaged: " + how), refusal);
        assertTrue(
                refusal.contains("seqsvr store replace --config NEW.yaml --store HOST:PORT --old ")
                        && refusal.contains("seqsvr store restore"),
                refusal);
        Files.write(file, whole);
    }

    private static byte[] flipped(Path file, int at) throws IOException {
        var bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x10;
        return bytes;
    }

    private void assertStarts() throws StartupException {
        cluster.start();
        try (var client = new TestClient(cluster.addresses())) {
            assertEquals(3, client.truth().sessions().size());
        }
        cluster.stop();
    }

    @Test
    void aLogIsRefusedWhereverItIsDamagedAndNotCutShort() throws StartupException, IOException {
        var log = find(current(), "log_.*");
        var bytes = Files.readAllBytes(log);
        assertRefused(log, "its header is not", flipped(log, 3));
        assertRefused(log, "the checksum of the entry at byte ", flipped(log, find(bytes, "middle")));
        assertRefused(log, "the checksum of the entry at byte ", flipped(log, find(bytes, "last")));
        assertRefused(log, "the checksum of the entry at byte ", flipped(log, bytes.length - 1));
        // What a power loss leaves of a write: zeros at the end, though the length stands.
        var torn = bytes.clone();
        Arrays.fill(torn, torn.length - 6, torn.length, (byte) 0);
        assertRefused(log, "the checksum of the entry at byte ", torn);
        assertRefused(log, "the entry at byte ", Arrays.copyOf(bytes, bytes.length - 3));
        // Its length says that an entry goes on beyond the end: for Ratis it, and all after it, was never finished.
        var longer = bytes.clone();
        longer[8] |= (byte) 0x80;
        assertRefused(log, "the ", longer);
        assertRefused(log, "there is something after its end", flipped(log, 8, (byte) 0));
        assertStarts();
    }

    private static byte[] flipped(Path file, int at, byte value) throws IOException {
        var bytes = Files.readAllBytes(file);
        bytes[at] = value;
        return bytes;
    }

    @Test
    void aVoteThatIsNoneOrOlderThanTheLogIsRefused() throws StartupException, IOException {
        var meta = find(current(), "raft-meta");
        var text = Files.readString(meta);
        assertRefused(
                meta,
                "it holds no term and vote",
                text.replace("term=", "tern=").getBytes(StandardCharsets.UTF_8));
        assertRefused(
                meta,
                "it holds no term and vote",
                text.replace("term=", "term=a").getBytes(StandardCharsets.UTF_8));
        assertRefused(
                meta,
                "it holds no term and vote",
                text.replace("votedFor", "votedFos").getBytes(StandardCharsets.UTF_8));
        assertRefused(
                meta,
                "its term is 0, the log's ",
                text.replaceFirst("term=\\d+", "term=0").getBytes(StandardCharsets.UTF_8));
        assertStarts();
    }

    @Test
    void aMarkIsRefusedWhicheverByteOfItChanged() throws StartupException, IOException {
        var mark = cluster.data(0).resolve("seqsvr-peer.json");
        var bytes = Files.readAllBytes(mark);
        int end = find(bytes, "\"checksum\"");
        // Those of the peer's id and the cluster's, of numbers and of names of fields: not one passes for another mark.
        for (int at = 0; at < end; at++) {
            assertRefused(mark, "it does not say any more whose directory this is", flipped(mark, at));
        }
        assertStarts();
    }

    private Path newestSnapshot() throws IOException {
        var all = cluster.data(0).resolve("raft").resolve(cluster.id()).resolve("sm");
        try (var files = Files.list(all)) {
            return files.max(Comparator.comparingLong(DamageTest::index)).orElseThrow();
        }
    }

    /** Snapshots are named TERM_INDEX. */
    private static long index(Path snapshot) {
        var name = String.valueOf(snapshot.getFileName());
        return Long.parseLong(name.substring(name.indexOf('_') + 1));
    }

    @Test
    void aSnapshotOfAnotherVersionIsNotCalledDamaged() throws IOException {
        AnotherFormat.write(newestSnapshot());
        var refusal = refusal();
        assertTrue(refusal.contains("the database has format 2; this version reads format 1"), refusal);
        assertFalse(refusal.contains("damaged") || refusal.contains("replace"), refusal);
    }

    @Test
    void aSnapshotIsRefusedIfATableFileIsDamaged() throws StartupException, IOException {
        var table = find(newestSnapshot(), ".*\\.sst");
        var whole = Files.readAllBytes(table);
        Files.write(table, flipped(table, 10));
        var refusal = refusal();
        assertTrue(
                refusal.startsWith("snapshot " + table.getParent() + " is damaged, or cannot be read: RocksDB cannot"),
                refusal);
        assertTrue(refusal.contains("seqsvr store replace --config NEW.yaml --store HOST:PORT --old peer-1"), refusal);
        Files.write(table, whole);
        assertStarts();
    }
}
