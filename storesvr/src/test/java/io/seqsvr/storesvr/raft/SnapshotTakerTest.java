package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When snapshots are taken, and that nobody waits for the disk but whoever has to. */
class SnapshotTakerTest {
    private static final long SECONDS = 30;

    @TempDir
    private Path root = Path.of("");

    private final SnapshotDirectory directory = new SnapshotDirectory();
    /** Checkpoints that were begun. */
    private final BlockingQueue<Path> begun = new LinkedBlockingQueue<>();
    /** How each of them ends. */
    private final BlockingQueue<Optional<Applied>> ends = new SynchronousQueue<>();

    private final BlockingQueue<String> finished = new LinkedBlockingQueue<>();
    private final BlockingQueue<Exception> failed = new LinkedBlockingQueue<>();
    private final SnapshotTaker taker =
            new SnapshotTaker(directory, this::checkpoint, 10, () -> finished.add("finished"), failed::add);

    @SuppressWarnings("NullAway.Init") // JUnit calls open first
    private RaftStorage storage;

    @BeforeEach
    void open() throws IOException {
        storage = new RaftDirectory(root).open();
        directory.init(storage);
        taker.begin(-1);
    }

    @AfterEach
    void close() throws IOException {
        taker.close();
        storage.close();
    }

    /** A disk that takes as long as the test wants. */
    private Applied checkpoint(Path target) throws IOException {
        begun.add(target);
        try {
            var end = ends.poll(SECONDS, TimeUnit.SECONDS);
            Files.createDirectory(target);
            return Optional.ofNullable(end)
                    .flatMap(at -> at)
                    .orElseThrow(() -> new IOException("No space left on device"));
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private void end(Applied at) throws InterruptedException {
        assertTrue(ends.offer(Optional.of(at), SECONDS, TimeUnit.SECONDS), "no checkpoint is being written");
    }

    private void awaitBegun() throws InterruptedException {
        assertEquals(directory.draft(), begun.poll(SECONDS, TimeUnit.SECONDS));
    }

    private void awaitFinished() throws InterruptedException {
        assertEquals("finished", finished.poll(SECONDS, TimeUnit.SECONDS));
    }

    private Optional<TermIndex> latest() throws IOException {
        return directory.latest().map(SnapshotDirectory.Snapshot::at);
    }

    @Test
    void entriesGoOnWhileACheckpointHangs() throws Exception {
        taker.applied(8, false);
        assertTrue(begun.isEmpty(), "before its time");
        taker.applied(9, false);
        awaitBegun();
        // On this thread: if any of these waited for the disk, the test would never let the disk go on.
        for (long index = 10; index < 100; index++) {
            taker.applied(index, false);
        }
        assertEquals(Optional.empty(), latest());
        end(new Applied(1, 12));
        awaitFinished();
        assertEquals(Optional.of(TermIndex.valueOf(1, 12)), latest());
        assertEquals(12, taker.tell());
        assertEquals(12, taker.tell(), "the same one when it is asked once more, and none is taken for that");
        assertTrue(begun.isEmpty(), "one at a time");
    }

    /** Files may be large, and a disk slow to let them go. */
    @Test
    void whoeverWantsOldOnesDeletedDoesNotWaitForThat() throws Exception {
        for (int index = 1; index <= 3; index++) {
            Files.createDirectory(directory.draft());
            assertTrue(directory.complete(directory.draft(), TermIndex.valueOf(1, index)));
        }
        taker.applied(9, false);
        awaitBegun();
        // The thread that deletes is busy: did this one delete, or wait, the test would never let the other go on.
        directory.cleanupOldSnapshots(new SnapshotRetentionPolicy() {
            @Override
            public int getNumSnapshotsRetained() {
                return 2;
            }
        });
        assertEquals(List.of("1_1", "1_2", "1_3"), names());
        end(new Applied(1, 9));
        awaitFinished();
        assertEquals(9, taker.tell());
        // That thread does one thing after the other: with the next one the old ones are gone.
        for (long index = 19; begun.isEmpty(); index++) {
            taker.applied(index, false);
        }
        assertEquals(List.of("1_3", "1_9"), names());
        end(new Applied(1, 19));
    }

    private List<String> names() throws IOException {
        try (var all = Files.list(Objects.requireNonNull(directory.draft().getParent()))) {
            return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    @Test
    void aLeaderOfOthersTakesHalfAsMany() throws Exception {
        taker.applied(18, true);
        assertTrue(begun.isEmpty(), "its followers can");
        taker.applied(19, true);
        awaitBegun();
        end(new Applied(1, 19));
        awaitFinished();
    }

    @Test
    void ratisIsToldAgainUntilItHasAsked() throws Exception {
        taker.applied(9, false);
        end(new Applied(1, 9));
        awaitFinished();
        // The taker's thread may still be on its way out of what it finished.
        while (finished.isEmpty()) {
            taker.applied(10, false);
        }
        assertEquals(9, taker.tell());
    }

    @Test
    void whatIsToldNeverGoesBack() throws Exception {
        taker.applied(9, false);
        awaitBegun();
        end(new Applied(1, 9));
        awaitFinished();
        var asked = CompletableFuture.supplyAsync(this::take);
        awaitBegun();
        end(new Applied(1, 12));
        assertEquals(12, asked.get(SECONDS, TimeUnit.SECONDS));
        assertEquals(12, taker.tell(), "one that was taken since is newer");
        // The taker's thread may still be on its way out.
        while (begun.isEmpty() && finished.isEmpty()) {
            taker.applied(30, false);
        }
        assertTrue(finished.isEmpty(), "Ratis knows it");
        awaitBegun();
        end(new Applied(1, 30));
        awaitFinished();
    }

    private long take() {
        try {
            return taker.take();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void oneThatFailedIsToldAndIsNone() throws Exception {
        taker.applied(9, false);
        awaitBegun();
        assertTrue(ends.offer(Optional.empty(), SECONDS, TimeUnit.SECONDS));
        assertInstanceOf(IOException.class, failed.poll(SECONDS, TimeUnit.SECONDS));
        assertTrue(finished.isEmpty());
        assertEquals(-1, taker.tell());
        assertEquals(Optional.empty(), latest());
    }

    @Test
    void anInstallationWaitsForTheOneThatIsBeingTakenAndThenNoneIs() throws Exception {
        taker.applied(9, false);
        awaitBegun();
        var halted = CompletableFuture.runAsync(taker::halt);
        assertFalse(halted.isDone());
        end(new Applied(1, 9));
        halted.get(SECONDS, TimeUnit.SECONDS);
        taker.applied(100, false);
        assertThrows(IOException.class, taker::take);
        assertTrue(begun.isEmpty(), "the directory is another's now");
        assertEquals(-1, taker.tell(), "it is older than the one that was installed");
        taker.begin(200);
        taker.applied(209, false);
        assertTrue(begun.isEmpty());
    }

    @Test
    void beforeTheFirstCommandThereIsNothingToTake() throws Exception {
        taker.applied(9, false);
        awaitBegun();
        end(Applied.NOTHING);
        var next = CompletableFuture.supplyAsync(this::take);
        awaitBegun();
        end(new Applied(1, 10));
        assertEquals(10, next.get(SECONDS, TimeUnit.SECONDS));
        assertTrue(finished.isEmpty());
    }
}
