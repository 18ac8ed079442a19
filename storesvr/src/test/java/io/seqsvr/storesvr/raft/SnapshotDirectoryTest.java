package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which snapshot counts as the newest, what of it is sent, and which ones go. */
class SnapshotDirectoryTest {
    private static final SnapshotRetentionPolicy KEEP_TWO = new SnapshotRetentionPolicy() {
        @Override
        public int getNumSnapshotsRetained() {
            return 2;
        }
    };

    @TempDir
    private Path root = Path.of("");

    private final List<Path> synced = new ArrayList<>();
    private final SnapshotDirectory snapshots = new SnapshotDirectory(synced::add);
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit calls openStorage first
    private RaftStorage storage;

    @BeforeEach
    void openStorage() throws IOException {
        var raft = new RaftDirectory(root);
        storage = raft.open();
        directory = raft.snapshots();
        snapshots.init(storage);
    }

    @AfterEach
    void closeStorage() throws IOException {
        storage.close();
    }

    private void snapshot(String name, String... files) throws IOException {
        Files.createDirectories(directory.resolve(name));
        for (var file : files) {
            Files.writeString(directory.resolve(name).resolve(file), file);
        }
    }

    private Optional<TermIndex> latest() throws IOException {
        return snapshots.latest().map(SnapshotDirectory.Snapshot::at);
    }

    @Test
    void thereIsNoneAtFirst() throws IOException {
        assertEquals(Optional.empty(), latest());
        assertNull(snapshots.getLatestSnapshot());
    }

    private Path incoming() {
        return directory.resolveSibling("tmp");
    }

    private Path sent(String transfer) throws IOException {
        var table = Files.createDirectories(incoming().resolve(transfer).resolve("3_9"))
                .resolve("1.sst");
        return Files.writeString(table, "rows");
    }

    @Test
    void whatRatisWasSentIsOnTheDiskBeforeItHasAName() throws IOException {
        snapshots.transfers().secure();
        assertEquals(List.of(), synced);
        sent("snapshot-6");
        snapshots.getLatestSnapshot();
        synced.clear();
        var table = sent("snapshot-7");
        snapshots.transfers().secure();
        var transfer = incoming().resolve("snapshot-7");
        assertEquals(List.of(table, transfer.resolve("3_9"), transfer, incoming()), synced, "what is complete, alone");
    }

    /** Ratis begins anew under another name each time, several times a second, and asks with each part that comes. */
    @Test
    void whatDidNotComeToItsEndIsGoneOnceTheNextHasBegun() throws IOException {
        for (int transfer = 1; transfer <= 9; transfer++) {
            sent("snapshot-" + transfer);
            Files.setLastModifiedTime(incoming(), FileTime.fromMillis(transfer));
            snapshots.getLatestSnapshot();
            assertEquals(List.of("snapshot-" + transfer), names(incoming()));
        }
        sent("snapshot-10");
        // As on a file system whose clock has not moved meanwhile.
        Files.setLastModifiedTime(incoming(), FileTime.fromMillis(9));
        snapshots.getLatestSnapshot();
        assertEquals(
                Optional.of(incoming().resolve("snapshot-10")),
                snapshots.transfers().last());
        assertEquals(List.of("snapshot-10"), names(incoming()));
    }

    @Test
    void aStartDeletesWhatWasNeverSentToItsEnd() throws IOException {
        sent("snapshot-7");
        Files.createDirectories(snapshots.transfers().scratch());
        new SnapshotDirectory().init(storage);
        assertEquals(List.of(), names(incoming()));
    }

    @Test
    void aStartDeletesWhatAnInstalledSnapshotReplacedAndNotWhatIsAllThereIs() throws IOException {
        var replaced = Files.createDirectories(
                directory.resolveSibling("sm.tmp20261128").resolve("3_9"));
        Files.delete(directory);
        new SnapshotDirectory().init(storage);
        assertTrue(Files.exists(replaced), "the process had ended between the two renames");
        new SnapshotDirectory().init(storage);
        assertFalse(Files.exists(replaced));
    }

    @Test
    void theNameOfAnInstalledSnapshotIsOnTheDiskBeforeAnybodyHearsOfIt() throws IOException {
        snapshot("1_9");
        snapshots.getLatestSnapshot();
        synced.clear();
        snapshot("1_10");
        snapshots.getLatestSnapshot();
        assertEquals(List.of(), synced);
        var sent = Files.createDirectories(
                directory.resolveSibling("tmp").resolve("snapshot-7").resolve("3_20"));
        Files.move(directory, directory.resolveSibling("sm.tmp1"));
        Files.move(Objects.requireNonNull(sent.getParent()), directory);
        assertEquals(
                TermIndex.valueOf(3, 20),
                Objects.requireNonNull(snapshots.getLatestSnapshot()).getTermIndex());
        assertEquals(List.of(Objects.requireNonNull(directory.getParent())), synced);
    }

    @Test
    void theNewestIsThatOfTheHighestTermThenIndexByNumber() throws IOException {
        snapshot("1_9");
        snapshot("1_10");
        assertEquals(Optional.of(TermIndex.valueOf(1, 10)), latest());
        snapshot("10_11");
        snapshot("9_12");
        assertEquals(Optional.of(TermIndex.valueOf(10, 11)), latest());
    }

    @Test
    void whatACrashLeftIsNoSnapshot() throws IOException {
        snapshot("1_9");
        snapshot("draft-1_10");
        snapshot("1_10.tmp");
        Files.writeString(directory.resolve("1_11"), "a file");
        assertEquals(Optional.of(TermIndex.valueOf(1, 9)), latest());
    }

    @Test
    void aDraftBecomesTheSnapshotOfItsEntryUnlessThereIsOne() throws IOException {
        snapshot("1_9", "CURRENT");
        snapshot("draft-next", "CURRENT");
        assertFalse(snapshots.complete(snapshots.draft(), TermIndex.valueOf(1, 9)));
        assertFalse(Files.exists(snapshots.draft()));
        snapshot("draft-next", "CURRENT");
        synced.clear();
        assertTrue(snapshots.complete(snapshots.draft(), TermIndex.valueOf(1, 10)));
        assertEquals(List.of(directory), synced, "its name is on the disk before the log is dropped");
        assertFalse(Files.exists(snapshots.draft()));
        assertEquals(Optional.of(TermIndex.valueOf(1, 10)), latest());
    }

    @Test
    void allOfItIsSentButDigestsAndTheLock() throws IOException {
        snapshot("1_9", "CURRENT", "000008.sst", "LOCK", "CURRENT.md5");
        var info = Objects.requireNonNull(snapshots.getLatestSnapshot());
        assertEquals(TermIndex.valueOf(1, 9), info.getTermIndex());
        assertEquals(
                List.of("000008.sst", "CURRENT"),
                info.getFiles().stream()
                        .map(file -> String.valueOf(file.getPath().getFileName()))
                        .toList());
    }

    private Optional<TermIndex> shown() {
        return Optional.ofNullable(snapshots.getLatestSnapshot()).map(SnapshotInfo::getTermIndex);
    }

    /** Ratis asks with every entry, and is shown what was found before unless something has changed. */
    @Test
    void whatIsShownIsAsNewAsTheLastSnapshotThatWasTakenOrWent() throws IOException {
        assertEquals(Optional.empty(), shown());
        for (int index = 1; index <= 20; index++) {
            snapshot("draft-next", "CURRENT");
            assertTrue(snapshots.complete(snapshots.draft(), TermIndex.valueOf(1, index)));
            // As on a file system whose clock has not moved meanwhile.
            Files.setLastModifiedTime(directory, FileTime.fromMillis(0));
            assertEquals(Optional.of(TermIndex.valueOf(1, index)), shown());
            assertSame(snapshots.getLatestSnapshot(), snapshots.getLatestSnapshot());
        }
        snapshots.cleanupOldSnapshots(KEEP_TWO);
        snapshots.dropUnwanted();
        assertEquals(Optional.of(TermIndex.valueOf(1, 20)), shown());
    }

    /** Ratis writes what it gets from the leader beside this directory, and puts it in its place. */
    @Test
    void anInstalledSnapshotIsShownAlthoughTheWholeDirectoryIsAnother() throws IOException {
        snapshot("1_9", "CURRENT");
        assertEquals(Optional.of(TermIndex.valueOf(1, 9)), shown());
        var installed = Files.createDirectory(directory.resolveSibling("installed"));
        Files.createDirectory(installed.resolve("3_20"));
        Files.setLastModifiedTime(installed, Files.getLastModifiedTime(directory));
        Files.move(directory, directory.resolveSibling("former"));
        Files.move(installed, directory);
        assertEquals(Optional.of(TermIndex.valueOf(3, 20)), shown());
    }

    @Test
    void theOldestGoAndTheRestStays() throws IOException {
        snapshot("1_9", "CURRENT");
        snapshot("1_10", "CURRENT");
        snapshot("2_3", "CURRENT");
        snapshots.dropUnwanted();
        assertEquals(3, names(directory).size(), "nobody has said how many are wanted");
        var told = new AtomicInteger();
        snapshots.whenSomeAreUnwanted(told::incrementAndGet);
        snapshots.cleanupOldSnapshots(KEEP_TWO);
        assertEquals(1, told.get());
        assertEquals(3, names(directory).size(), "whoever asks does not wait for the disk");
        snapshots.dropUnwanted();
        assertEquals(List.of("1_10", "2_3"), names(directory));
        snapshots.dropUnwanted();
        assertEquals(List.of("1_10", "2_3"), names(directory));
        snapshots.cleanupOldSnapshots(new SnapshotRetentionPolicy() {});
        snapshots.dropUnwanted();
        assertEquals(Optional.of(TermIndex.valueOf(2, 3)), latest());
    }

    private static List<String> names(Path directory) throws IOException {
        try (var left = Files.list(directory)) {
            return left.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    @Test
    void beforeItIsInitializedItKnowsNothing() {
        assertThrows(IllegalStateException.class, () -> new SnapshotDirectory().latest());
    }
}
