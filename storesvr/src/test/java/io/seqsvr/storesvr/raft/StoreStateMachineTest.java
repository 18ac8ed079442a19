package io.seqsvr.storesvr.raft;

import static io.seqsvr.storesvr.raft.StateMachineCalls.CREATE;
import static io.seqsvr.storesvr.raft.StateMachineCalls.NOBODY;
import static io.seqsvr.storesvr.raft.StateMachineCalls.apply;
import static io.seqsvr.storesvr.raft.StateMachineCalls.open;
import static io.seqsvr.storesvr.raft.StateMachineCalls.server;
import static io.seqsvr.storesvr.raft.StateMachineCalls.serverOfNoGroup;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.LogEntry;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.Rows;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the state machine keeps Ratis' rules, call by call. */
class StoreStateMachineTest {
    /** More entries than a test applies. */
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
        machine.expectClose();
        machine.initialize(serverOfNoGroup(), RaftGroupId.randomId(), storage);
        return machine;
    }

    @Test
    void anEntryIsAnsweredCommandByCommandAndMovesTheAppliedIndex() throws Exception {
        var machine = start(new Replica());
        assertEquals(TermIndex.INITIAL_VALUE, machine.getLastAppliedTermIndex());
        var replies = apply(machine, 3, CREATE, open("a"), open("b"));
        assertEquals(3 * 1_024 + 2, replies.get(2).getSessionOpened().getSession());
        assertEquals(TermIndex.valueOf(1, 3), machine.getLastAppliedTermIndex());
        machine.close();
    }

    @Test
    void aRestartBeginsAtTheSnapshotAndForgetsWhatWasAppliedAfterIt() throws Exception {
        var machine = start(new Replica());
        apply(machine, 1, CREATE, open("a"));
        assertEquals(1, machine.takeSnapshot());
        apply(machine, 2, open("b"));
        machine.close();

        var replica = new Replica();
        var restarted = start(replica);
        assertEquals(TermIndex.valueOf(1, 1), restarted.getLastAppliedTermIndex());
        assertEquals(Map.of(1_025L, 1_025L), Rows.renewals(replica));
        assertEquals(
                2_048, apply(restarted, 2, open("b")).get(0).getSessionOpened().getSession());
        restarted.close();
    }

    @Test
    void withoutAnythingAppliedThereIsNothingToSnapshot() throws IOException {
        var machine = start(new Replica());
        assertEquals(-1, machine.takeSnapshot());
        assertNull(machine.getLatestSnapshot());
        machine.close();
    }

    @Test
    void aSnapshotIsNamedByTheLastEntryWithCommandsWhateverCameAfterIt() throws Exception {
        var machine = start(new Replica());
        apply(machine, 1, CREATE);
        machine.notifyTermIndexUpdated(2, 5);
        assertEquals(1, machine.takeSnapshot());
        assertEquals(
                new Applied(1, 1),
                Rows.inCheckpoint(raft.snapshots().resolve("1_1")).applied());
        machine.close();
    }

    @Test
    void aSecondSnapshotAtTheSameEntryIsTheFirst() throws Exception {
        var machine = start(new Replica());
        apply(machine, 1, CREATE);
        assertEquals(1, machine.takeSnapshot());
        assertEquals(1, machine.takeSnapshot());
        machine.close();
    }

    @Test
    void aDraftThatACrashLeftIsInNobodysWay() throws Exception {
        Files.createDirectories(raft.snapshots().resolve("draft-next"));
        Files.writeString(raft.snapshots().resolve("draft-next/CURRENT"), "half of it");
        var machine = start(new Replica());
        apply(machine, 1, CREATE);
        assertEquals(1, machine.takeSnapshot());
        assertFalse(Files.exists(raft.snapshots().resolve("draft-next")));
        machine.close();
        start(new Replica()).close();
    }

    @Test
    void aSnapshotThatHoldsAnotherEntrysStateIsNeverStartedFrom() throws Exception {
        var machine = start(new Replica());
        apply(machine, 1, CREATE);
        machine.takeSnapshot();
        machine.close();
        Files.move(raft.snapshots().resolve("1_1"), raft.snapshots().resolve("1_7"));
        var refused = assertThrows(IOException.class, () -> start(new Replica()));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains("1_7 is damaged, or cannot be read: it holds the state after"),
                refused.getMessage());
    }

    @Test
    void theDigestsThatAnInstallationLeavesAreNoPartOfTheDatabase() throws Exception {
        var machine = start(new Replica());
        apply(machine, 1, CREATE, open("a"));
        machine.takeSnapshot();
        machine.close();
        Files.writeString(raft.snapshots().resolve("1_1/CURRENT.md5"), "digest");
        var replica = new Replica();
        var restarted = start(replica);
        assertEquals(1, Rows.renewals(replica).size());
        assertFalse(Files.exists(root.resolve("db/CURRENT.md5")));
        restarted.close();
    }

    @Test
    void anInstalledSnapshotReplacesWhatWasAppliedBefore() throws Exception {
        var ahead = start(new Replica());
        apply(ahead, 1, CREATE, open("a"), open("b"));
        ahead.takeSnapshot();
        ahead.close();
        var elsewhere = root.resolve("installed");
        Files.move(raft.snapshots().resolve("1_1"), elsewhere);

        var replica = new Replica();
        var behind = start(replica);
        assertEquals(Map.of(), Rows.renewals(replica));
        behind.pause();
        assertEquals(LifeCycle.State.PAUSED, behind.getLifeCycleState());
        Files.move(elsewhere, raft.snapshots().resolve("1_1"));
        behind.reinitialize();
        assertEquals(LifeCycle.State.RUNNING, behind.getLifeCycleState());
        assertEquals(TermIndex.valueOf(1, 1), behind.getLastAppliedTermIndex());
        assertEquals(2, Rows.renewals(replica).size());
        behind.close();
    }

    @Test
    void anEntryThatComesWhileASnapshotIsInstalledStopsNobody() throws Exception {
        var replica = new Replica();
        var machine = start(replica);
        apply(machine, 1, CREATE, open("a"));
        machine.takeSnapshot();
        machine.pause();
        // Ratis applies on another thread than it installs, and may be in the middle of older entries.
        assertThrows(ExecutionException.class, () -> apply(machine, 1, open("b")));
        assertEquals(List.of(), fatal);
        machine.reinitialize();
        assertEquals(1, Rows.renewals(replica).size());
        assertEquals(
                2_048, apply(machine, 2, open("b")).get(0).getSessionOpened().getSession());
        machine.close();
    }

    @Test
    void anEntryThatCannotBeAppliedStopsTheProcess() throws Exception {
        var machine = start(new Replica());
        apply(machine, 1, CREATE);
        assertTrue(apply(machine, 2, new byte[] {7}).isCompletedExceptionally());
        assertEquals(1, fatal.size());
        var unknown =
                LogEntry.newBuilder().setFormat(RaftMember.ENTRY_FORMAT).addCommands(Command.getDefaultInstance());
        assertTrue(apply(machine, 2, unknown.build().toByteArray()).isCompletedExceptionally());
        assertEquals(2, fatal.size());
        var newer = LogEntry.newBuilder().setFormat(RaftMember.ENTRY_FORMAT + 1).addCommands(CREATE);
        assertTrue(apply(machine, 2, newer.build().toByteArray()).isCompletedExceptionally());
        assertEquals(3, fatal.size());
        assertEquals(TermIndex.valueOf(1, 1), machine.getLastAppliedTermIndex());
        machine.close();
    }

    @Test
    void aLogThatCannotBeWrittenStopsTheProcessUnlessItEndsAnyway() throws Exception {
        var machine = new StoreStateMachine(root.resolve("db"), NEVER, new Replica(), NOBODY, fatal::add);
        machine.initialize(serverOfNoGroup(), RaftGroupId.randomId(), storage);
        var full = new IOException("No space left on device");
        machine.notifyLogFailed(full, null);
        assertEquals(
                List.of("the Raft log " + storage.getStorageDir().getCurrentDir()
                        + " cannot be written: No space left on device; this peer has stopped, and a majority of others"
                        + " goes on: free space there, then start it again"),
                fatal.stream().map(Throwable::getMessage).toList());
        machine.expectClose();
        machine.notifyLogFailed(full, null);
        assertEquals(1, fatal.size());
        machine.close();
    }

    @Test
    void aSnapshotThatCannotBeWrittenStopsTheProcessUnlessItEndsAnyway() throws Exception {
        var machine = new StoreStateMachine(root.resolve("db"), NEVER, new Replica(), NOBODY, fatal::add);
        machine.initialize(serverOfNoGroup(), RaftGroupId.randomId(), storage);
        apply(machine, 1, CREATE);
        var snapshots = storage.getStorageDir().getStateMachineDir().toPath();
        Files.delete(snapshots);
        Files.writeString(snapshots, "in the way");
        assertThrows(IOException.class, machine::takeSnapshot);
        assertEquals(1, fatal.size(), fatal::toString);
        var said = String.valueOf(fatal.get(0).getMessage());
        var log = storage.getStorageDir().getCurrentDir();
        assertTrue(said.startsWith("a snapshot for the log " + log + " cannot be written: "), said);
        machine.expectClose();
        assertThrows(IOException.class, machine::takeSnapshot);
        assertEquals(1, fatal.size(), fatal::toString);
        machine.close();
    }

    @Test
    void commandsAndLooksGoOnWhileACheckpointHangsOnTheDisk() throws Exception {
        var replica = new Replica();
        var begun = new CountDownLatch(1);
        var disk = new CountDownLatch(1);
        var machine = new StoreStateMachine(
                root.resolve("db"),
                2,
                target -> {
                    begun.countDown();
                    awaitUninterrupted(disk);
                    return replica.checkpoint(target);
                },
                replica,
                NOBODY,
                fatal::add);
        machine.expectClose();
        machine.initialize(serverOfNoGroup(), RaftGroupId.randomId(), storage);
        apply(machine, 1, CREATE);
        apply(machine, 2, open("a"));
        awaitUninterrupted(begun);
        // On this thread: had any of these to wait for the disk, the test would never let it go on.
        for (long index = 3; index < 100; index++) {
            apply(machine, index, open("session-" + index));
        }
        assertEquals(98, Rows.renewals(replica).size());
        assertEquals(99 * 1_024, replica.view().orElseThrow().version());
        assertNull(machine.getLatestSnapshot());
        disk.countDown();
        machine.close();
        assertEquals(
                TermIndex.valueOf(1, 99),
                Objects.requireNonNull(machine.getLatestSnapshot()).getTermIndex());
    }

    @Test
    void ratisIsToldOfASnapshotWithoutAnotherOneBeingTakenForThat() throws Exception {
        var replica = new Replica();
        var taken = new AtomicInteger();
        var machine = new StoreStateMachine(
                root.resolve("db"),
                2,
                target -> {
                    taken.incrementAndGet();
                    return replica.checkpoint(target);
                },
                replica,
                NOBODY,
                fatal::add);
        var told = new CompletableFuture<Long>();
        var server = server(() -> {
            try {
                told.complete(machine.takeSnapshot());
            } catch (IOException failed) {
                told.completeExceptionally(failed);
            }
        });
        machine.initialize(server, RaftGroupId.randomId(), storage);
        apply(machine, 0, CREATE);
        apply(machine, 1, open("a"));
        assertEquals(1, told.get(30, TimeUnit.SECONDS));
        assertEquals(1, taken.get());
        assertEquals(List.of(), fatal);
        machine.expectClose();
        machine.close();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void anEndThatNobodyAskedForStopsTheProcess() throws Exception {
        var machine = new StoreStateMachine(root.resolve("db"), NEVER, new Replica(), NOBODY, fatal::add);
        machine.initialize(serverOfNoGroup(), RaftGroupId.randomId(), storage);
        machine.close();
        assertEquals(1, fatal.size());
        assertEquals(
                "Raft ended this member by itself; the line before says why, and a start may mend it",
                fatal.get(0).getMessage());
    }
}
