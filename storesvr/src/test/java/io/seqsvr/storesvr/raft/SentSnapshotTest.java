package io.seqsvr.storesvr.raft;

import static io.seqsvr.storesvr.raft.StateMachineCalls.CREATE;
import static io.seqsvr.storesvr.raft.StateMachineCalls.DIVISION;
import static io.seqsvr.storesvr.raft.StateMachineCalls.NOBODY;
import static io.seqsvr.storesvr.raft.StateMachineCalls.apply;
import static io.seqsvr.storesvr.raft.StateMachineCalls.open;
import static io.seqsvr.storesvr.raft.StateMachineCalls.serverOfNoGroup;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.Rows;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.AnotherFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a snapshot that the leader has sent, and of what this peer had. */
class SentSnapshotTest {
    private static final int NEVER = 1_000_000;

    @TempDir
    private Path root = Path.of("");

    private final List<Throwable> fatal = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // JUnit calls openStorage first
    private RaftDirectory raft;

    @SuppressWarnings("NullAway.Init")
    private RaftStorage storage;

    @BeforeAll
    static void loadLibrary() throws IOException {
        NativeLibrary.load();
    }

    @BeforeEach
    void openStorage() throws IOException {
        raft = new RaftDirectory(root.resolve("raft"));
        storage = raft.open();
    }

    @AfterEach
    void closeStorage() throws IOException {
        storage.close();
    }

    private StoreStateMachine start(Replica replica) throws IOException {
        var machine = new StoreStateMachine(root.resolve("db"), NEVER, replica, NOBODY, fatal::add);
        machine.initialize(serverOfNoGroup(), RaftGroupId.randomId(), storage);
        return machine;
    }

    /** One that may stop its process, has nothing yet, and was sent all of a snapshot after entry 1. */
    private StoreStateMachine behind(Replica replica) throws Exception {
        var leader = start(new Replica());
        apply(leader, 1, CREATE, open("a"), open("b"));
        leader.takeSnapshot();
        close(leader);
        var snapshot = Files.move(raft.snapshots().resolve("1_1"), root.resolve("1_1"));
        var behind = start(replica);
        Files.move(snapshot, Files.createDirectory(transfer()).resolve("1_1"));
        return behind;
    }

    private Path transfer() {
        return raft.snapshots().resolveSibling("tmp").resolve("snapshot-7");
    }

    private static void close(StoreStateMachine machine) {
        machine.expectClose();
        machine.close();
    }

    /** Ratis would drop its log for it, and tell the leader that it is there. */
    @Test
    void aSnapshotFromTheLeaderThatCannotBeSyncedStopsTheProcess() throws Exception {
        var machine = behind(new Replica());
        Files.createSymbolicLink(transfer().resolve("1.sst"), transfer().resolve("nowhere"));
        assertThrows(UncheckedIOException.class, machine::pause);
        var line = String.valueOf(fatal.get(0).getMessage());
        assertTrue(line.startsWith("a snapshot from the leader for the log "), line);
        assertNotEquals(LifeCycle.State.PAUSED, machine.getLifeCycleState());
        close(machine);
    }

    private static Path table(Path snapshot) throws IOException {
        try (var files = Files.list(snapshot)) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .min(Path::compareTo)
                    .orElseThrow();
        }
    }

    private void assertRefused(StoreStateMachine machine, String why) throws Exception {
        var refused = assertThrows(UncheckedIOException.class, machine::pause);
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.getMessage());
        assertFalse(Files.exists(transfer()), "it is left");
        assertEquals(List.of(), fatal);
        assertEquals(LifeCycle.State.RUNNING, machine.getLifeCycleState());
        assertEquals(1, apply(machine, 1, CREATE).size());
        assertEquals(1, machine.takeSnapshot());
        close(machine);
    }

    /** Ratis compares what came with digests of what the leader read, and both are the same. */
    @Test
    void aSnapshotWithADamagedTableIsDeletedAndTheStateMachineGoesOnWithWhatItHas() throws Exception {
        var machine = behind(new Replica());
        var table = table(transfer().resolve("1_1"));
        var bytes = Files.readAllBytes(table);
        bytes[10] ^= 0x10;
        Files.delete(table);
        Files.write(table, bytes);
        assertRefused(machine, "snapshot 1_1: RocksDB cannot ");
    }

    @Test
    void aSnapshotUnderTheNameOfAnotherEntryIsNotTaken() throws Exception {
        var machine = behind(new Replica());
        Files.move(transfer().resolve("1_1"), transfer().resolve("1_7"));
        assertRefused(machine, "snapshot 1_7: it holds the state after ");
    }

    @Test
    void aSnapshotOfALaterVersionIsNotTaken() throws Exception {
        var machine = behind(new Replica());
        AnotherFormat.write(transfer().resolve("1_1"));
        assertRefused(machine, "the database has format 2; this version reads format 1");
    }

    @Test
    void aTransferWithoutASnapshotIsNotTaken() throws Exception {
        var machine = behind(new Replica());
        Files.move(transfer().resolve("1_1"), transfer().resolve("else"));
        assertRefused(machine, "there is no snapshot in what was sent");
    }

    @Test
    void aWholeSnapshotTakesThePlaceOfTheStateAndStaysAsItWasSent() throws Exception {
        var replica = new Replica();
        var machine = behind(replica);
        var names = names(transfer().resolve("1_1"));
        machine.pause();
        assertEquals(names, names(transfer().resolve("1_1")));
        assertEquals(List.of("snapshot-7"), names(raft.snapshots().resolveSibling("tmp")));
        Files.delete(raft.snapshots());
        Files.move(transfer(), raft.snapshots());
        machine.reinitialize();
        assertEquals(2, Rows.renewals(replica).size());
        close(machine);
    }

    private static List<String> names(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Ratis tells the leader that it could not rename, and goes on with a state machine that is paused. */
    @Test
    void aSnapshotThatCannotBePutInPlaceStopsTheProcess() throws Exception {
        var machine = behind(new Replica());
        machine.pause();
        // It is about to be renamed, by the thread that has Ratis' lock.
        assertNull(machine.getLatestSnapshot());
        Files.delete(raft.snapshots());
        assertThrows(UncheckedIOException.class, machine::getLatestSnapshot);
        assertEquals(List.of(), fatal);
        synchronized (DIVISION) {
            assertThrows(UncheckedIOException.class, machine::getLatestSnapshot);
        }
        assertEquals(1, fatal.size(), fatal::toString);
        var line = String.valueOf(fatal.get(0).getMessage());
        assertTrue(line.contains(" cannot be put in place of the one before it: " + raft.snapshots()), line);
        close(machine);
    }

    @Test
    void soDoesOneThatStaysBesideTheSnapshotsItWasToReplace() throws Exception {
        var machine = behind(new Replica());
        machine.pause();
        synchronized (DIVISION) {
            assertThrows(UncheckedIOException.class, machine::pause);
        }
        assertEquals(1, fatal.size(), fatal::toString);
        var line = String.valueOf(fatal.get(0).getMessage());
        assertTrue(line.contains(" cannot be put in place of the one before it: "), line);
        close(machine);
    }

    /** The leader may have dropped more of its log meanwhile, and sends a newer one. */
    @Test
    void anotherOneThatComesWhileThatInPlaceIsStillToBeLoadedStopsNobody() throws Exception {
        var machine = behind(new Replica());
        machine.pause();
        Files.delete(raft.snapshots());
        Files.move(transfer(), raft.snapshots());
        synchronized (DIVISION) {
            assertThrows(UncheckedIOException.class, machine::pause);
        }
        assertEquals(List.of(), fatal);
        machine.reinitialize();
        close(machine);
    }
}
