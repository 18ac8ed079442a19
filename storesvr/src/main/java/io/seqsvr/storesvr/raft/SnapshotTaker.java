package io.seqsvr.storesvr.raft;

import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots, and deletes old ones, on a thread of its own, beside the one that applies: however long the disk
 * takes, no entry waits for it. A checkpoint says itself after which entry it was taken, and is named by that.
 *
 * <p>The leader of several takes its snapshots half as often as its followers. To leave them to the followers for good
 * would let its log grow without end: as long as entries come there is a follower that could.
 *
 * <p>Locks: this object's own is held while a snapshot is written or deleted, so only {@link #take} and {@link #halt}
 * wait for it.
 */
final class SnapshotTaker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTaker.class);
    private static final long NONE = RaftLog.INVALID_LOG_INDEX;

    private final SnapshotDirectory directory;
    private final Checkpoints checkpoints;
    private final long every;
    private final Runnable finished;
    private final Consumer<Exception> failed;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "snapshots");
        thread.setDaemon(true);
        return thread;
    });

    /** Where snapshots come from. */
    @FunctionalInterface
    interface Checkpoints {
        /**
         * Writes a checkpoint of some moment, while entries go on.
         *
         * @param target a directory that does not exist yet
         * @return the last entry in it
         */
        Applied write(Path target) throws IOException;
    }

    private boolean halted;
    /** Where the count to the next one begins: the newest snapshot, or one that is being taken. */
    private volatile long since = NONE;

    private volatile boolean busy;
    /** The last entry in the newest snapshot; none while one is installed. */
    private volatile long newest = NONE;
    /** The newest of which Ratis knows. */
    private volatile long told = NONE;

    /**
     * A taker that has taken none.
     *
     * @param every entries between two snapshots
     * @param finished called on the taker's thread when there is one of which Ratis does not know yet
     * @param failed told why one could not be written, on the thread that wrote it; nothing tries again
     */
    SnapshotTaker(
            SnapshotDirectory directory,
            Checkpoints checkpoints,
            long every,
            Runnable finished,
            Consumer<Exception> failed) {
        this.directory = directory;
        this.checkpoints = checkpoints;
        this.every = every;
        this.finished = finished;
        this.failed = failed;
        directory.whenSomeAreUnwanted(this::dropBeside);
    }

    /** The state was loaded from this entry's snapshot, or from nothing: from here on snapshots are taken. */
    synchronized void begin(long index) {
        since = index;
        newest = index;
        told = index;
        halted = false;
    }

    /** From now on the snapshots' directory belongs to an installation; waits for a snapshot that is being taken. */
    synchronized void halt() {
        halted = true;
        newest = NONE;
        told = NONE;
    }

    /**
     * An entry was applied. Returns at once.
     *
     * @param leadsOthers whether this peer leads, and others follow
     */
    void applied(long index, boolean leadsOthers) {
        if (busy) {
            return;
        }
        if (told < newest && newest < index) {
            run(this::askAgain);
        } else if (index - since >= (leadsOthers ? 2 * every : every)) {
            since = index;
            run(this::takeBeside);
        }
    }

    private void run(Runnable task) {
        busy = true;
        try {
            writer.execute(() -> {
                try {
                    task.run();
                } finally {
                    busy = false;
                }
            });
        } catch (RejectedExecutionException closed) {
            // A peer that stops takes its last snapshot itself.
            busy = false;
        }
    }

    private void dropBeside() {
        try {
            writer.execute(this::drop);
        } catch (RejectedExecutionException closed) {
            LOG.debug("old snapshots stay until the next one is taken after a start", closed);
        }
    }

    private synchronized void drop() {
        if (halted) {
            return;
        }
        try {
            directory.dropUnwanted();
        } catch (IOException | RuntimeException failure) {
            LOG.warn("event=snapshots_not_deleted error=\"{}\"", failure.getMessage());
        }
    }

    private void askAgain() {
        // Ratis may have asked since.
        if (told < newest) {
            finished.run();
        }
    }

    private void takeBeside() {
        try {
            if (takeUnlessHalted()) {
                finished.run();
            }
        } catch (IOException told) {
            LOG.debug("a snapshot failed, of which the process was told", told);
        }
    }

    private synchronized boolean takeUnlessHalted() throws IOException {
        if (halted) {
            return false;
        }
        take();
        return told < newest;
    }

    /**
     * Takes one on this thread, after one that is being taken.
     *
     * @return the index of the last entry with commands in it; negative if there was none yet
     */
    synchronized long take() throws IOException {
        if (halted) {
            throw new IOException("no snapshot is taken while one is installed");
        }
        try {
            return write(directory.draft());
        } catch (IOException | RuntimeException broken) {
            failed.accept(broken);
            throw broken;
        }
    }

    private long write(Path draft) throws IOException {
        FileUtils.deleteFully(draft);
        var at = checkpoints.write(draft);
        if (at.index() < 0) {
            FileUtils.deleteFully(draft);
            return NONE;
        }
        if (directory.complete(draft, termIndex(at))) {
            LOG.info("event=snapshot_taken term={} index={}", at.term(), at.index());
        }
        since = Math.max(since, at.index());
        newest = Math.max(newest, at.index());
        return at.index();
    }

    /**
     * The last entry in the newest snapshot, which Ratis knows from now on; negative if there is none, or while one is
     * installed. Never less than before: Ratis ends a member whose snapshots go back. Waits for nobody.
     */
    long tell() {
        told = newest;
        return told;
    }

    static TermIndex termIndex(Applied applied) {
        return applied.index() < 0 ? TermIndex.INITIAL_VALUE : TermIndex.valueOf(applied.term(), applied.index());
    }

    /** Takes none any more; waits for one that is being taken. */
    @Override
    public void close() {
        writer.shutdown();
        halt();
    }
}
