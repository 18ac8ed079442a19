package io.seqsvr.storesvr.raft;

import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.disk.Shortage;
import io.seqsvr.storesvr.raft.SnapshotDirectory.Snapshot;
import io.seqsvr.storesvr.rocks.OtherFormatException;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.FileUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what the leader sent, before it takes the place of what this peer has. Ratis compares what came with digests of
 * what the leader read, damage included; and the leader knows of none, as it reads its state from memory.
 */
final class SnapshotTrial {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTrial.class);

    private final SnapshotDirectory snapshots;
    private final SparseLine refusal = new SparseLine();

    SnapshotTrial(SnapshotDirectory snapshots) {
        this.snapshots = snapshots;
    }

    /**
     * Opens the snapshot that is complete, if one is, as a start would, and reads all of it.
     *
     * @param leader who sent it
     * @return the index of the last entry in it; negative if there is none
     * @throws UncheckedIOException if no peer could start from it: it is deleted, whatever this peer has stays, and
     *     Ratis tells the leader, which tries again
     */
    long admit(@Nullable Object leader) {
        var transfers = snapshots.transfers();
        try {
            var complete = transfers.last();
            if (complete.isEmpty()) {
                return RaftLog.INVALID_LOG_INDEX;
            }
            try {
                return open(complete.get(), transfers.scratch());
            } catch (IOException | RuntimeException unfit) {
                transfers.drop(complete.get());
                refusal.say(soFar -> LOG.warn(
                        "event=snapshot_refused leader={} so_far={} error=\"{}\"; this peer keeps what it has: {}",
                        leader,
                        soFar,
                        unfit.getMessage(),
                        advice(unfit, leader)));
                throw new IOException("a snapshot of " + leader + " is not taken: " + unfit.getMessage(), unfit);
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static long open(Path transfer, Path scratch) throws IOException {
        var name = "";
        try {
            var snapshot = SnapshotDirectory.latest(transfer)
                    .orElseThrow(() -> new IOException("there is no snapshot in what was sent"));
            name = "snapshot " + snapshot.path().getFileName() + ": ";
            read(snapshot, scratch);
            return snapshot.at().getIndex();
        } catch (OtherFormatException whole) {
            throw whole;
        } catch (IOException | RuntimeException unfit) {
            var why = name + unfit.getMessage();
            // Before the copy is deleted, which provides room.
            throw Shortage.explains(unfit, scratch) ? new Lacking(why, unfit) : new IOException(why, unfit);
        } finally {
            FileUtils.deleteFully(scratch);
        }
    }

    /** It could not be read, and nothing of it is to blame. */
    private static final class Lacking extends IOException {
        private static final long serialVersionUID = 1L;

        Lacking(String message, Exception cause) {
            super(message, cause);
        }
    }

    private static void read(Snapshot snapshot, Path scratch) throws IOException {
        FileUtils.deleteFully(scratch);
        Files.createDirectories(scratch);
        snapshot.copyTo(scratch);
        try (var database = StoreDatabase.open(scratch)) {
            database.verifyChecksums();
            database.load(new StoreState());
            snapshot.checkHolds(database.applied());
        }
    }

    private static String advice(Exception unfit, @Nullable Object leader) {
        if (unfit instanceof OtherFormatException) {
            return "it can follow this leader once it runs that version";
        }
        if (unfit instanceof Lacking) {
            return "nothing of the snapshot is damaged; provide here what is missing";
        }
        return "if that goes on, the leader's copy in its directory 'sm' is damaged: have another peer lead"
                + " ('seqsvr store transfer-leader --store HOST:PORT'), then replace " + leader
                + " ('seqsvr store replace --config NEW.yaml --store HOST:PORT --old " + leader + "')";
    }
}
