package io.seqsvr.storesvr;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.Restoration;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.PeerMark;
import io.seqsvr.storesvr.backup.Backup;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.raft.FirstSnapshot;
import io.seqsvr.storesvr.raft.GroupName;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first peer of a cluster's next life: its data directory begins with the state that a backup becomes. */
public final class RestoredPeer {
    private static final Logger LOG = LoggerFactory.getLogger(RestoredPeer.class);

    private RestoredPeer() {}

    /**
     * Formats the data directory of the settings; nothing is written where anything is refused.
     *
     * @param incarnation of the new life, above every one before it
     * @param advance at least 1: no segment's max_seq grew by more since the backup
     * @param former the longest terms that any lease had since the backup
     * @param note is run before the directory can be started from, and only if it will be, unless a crash comes between
     */
    public static void format(
            StoreSvrSettings settings, Backup backup, int incarnation, long advance, LeaseTerms former, Runnable note)
            throws StartupException, BackupException {
        var clusterId = backup.facts().clusterId();
        refuseOthers(settings, clusterId);
        var rows = rows(backup, incarnation, advance, former);
        var data = settings.data();
        var mark = PeerMark.newBuilder()
                .setFormat(DataDirectory.FORMAT)
                .setClusterId(clusterId)
                .setPeerId(settings.peers().self())
                .setIncarnation(incarnation)
                .setRestoredFrom(backup.digest())
                .build();
        try (var directory = DataDirectory.format(data, mark)) {
            StoreDatabase.loadLibrary(directory.nativeLibraries());
            FirstSnapshot.format(directory.raft(), GroupName.of(clusterId, incarnation), directory.database(), rows);
            note.run();
            directory.completeFormat();
        } catch (IOException unwritable) {
            throw new StartupException("data directory " + data + " cannot be formatted: " + unwritable.getMessage()
                    + "; remove the directory before you try again");
        }
        LOG.info(
                "event=restored data={} cluster={} peer={} incarnation={} advance={}",
                data,
                clusterId,
                settings.peers().self(),
                incarnation,
                advance);
    }

    private static void refuseOthers(StoreSvrSettings settings, String clusterId) throws StartupException {
        if (settings.peers().all().size() > 1) {
            throw new StartupException("the settings name other_peers, but a restored cluster begins with this one peer"
                    + " alone; take other_peers out, and add peers when it runs");
        }
        if (settings.clusterId().isPresent() && !settings.clusterId().get().equals(clusterId)) {
            throw new StartupException("the backup is of cluster " + clusterId + ", not of "
                    + settings.clusterId().get() + "; correct 'cluster_id' or give another backup");
        }
    }

    private static List<StoreChange> rows(Backup backup, int incarnation, long advance, LeaseTerms former)
            throws BackupException {
        try {
            return new Restoration().rows(backup.state(), incarnation, advance, former);
        } catch (IllegalArgumentException refused) {
            throw new BackupException(String.valueOf(refused.getMessage()));
        }
    }

    /**
     * Refuses the first start of a restored directory as one of several peers. Another one that was restored too passes
     * for its replica, as groups and places in the log are the same, though it may hold another state.
     */
    static void refuseOthersAtFirst(PeerMark mark, RaftPeers peers, Path data) throws StartupException {
        if (!mark.getRestoredFrom().isEmpty()
                && !mark.getSettled()
                && peers.all().size() > 1) {
            throw new StartupException("data directory " + data + " was restored and never started, and the settings"
                    + " name other_peers; a restored cluster begins with one peer alone: take other_peers out and start"
                    + " it, then add each other peer with 'seqsvr store join', from an empty directory");
        }
    }

    /**
     * Refuses a start in which the mark of the directory and the state that was loaded are of two lives, or in which
     * the state of a restored one is gone: a cluster would begin from nothing, under an id that was used before.
     */
    static void refuseOtherLife(PeerMark mark, Replica replica, Path data) throws StartupException {
        var cluster = replica.cluster();
        if (cluster.isPresent() && cluster.get().incarnation() != mark.getIncarnation()) {
            throw new StartupException("data directory " + data + " holds the state of incarnation "
                    + cluster.get().incarnation() + " of the cluster, and its mark says " + mark.getIncarnation()
                    + "; its parts are of two directories, replace this peer");
        }
        if (cluster.isEmpty() && !mark.getRestoredFrom().isEmpty()) {
            throw new StartupException("data directory " + data + " was restored from backup " + mark.getRestoredFrom()
                    + ", and that state is gone; remove the directory and restore again under a higher incarnation");
        }
    }
}
