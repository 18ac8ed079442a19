package io.seqsvr.storesvr.raft;

import io.seqsvr.core.store.StoreChange;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.util.FileUtils;

/**
 * The Raft part of a data directory whose log begins with a state: formatted, with one snapshot and no entry. A member
 * starts from it as from any snapshot; whom the group has its settings say, as for a new one.
 */
public final class FirstSnapshot {
    /** As if one entry had been applied, in the first term; so the next entry and the next term are later. */
    private static final TermIndex AT = TermIndex.valueOf(1, 1);

    private FirstSnapshot() {}

    /**
     * Formats the Raft part of a data directory; on disk when this returns.
     *
     * @param directory Ratis' part of the data directory
     * @param group name of the group
     * @param scratch for a database while the snapshot is made; gone afterwards
     * @param rows all rows of the state
     */
    public static void format(Path directory, String group, Path scratch, List<StoreChange> rows) throws IOException {
        RaftMember.format(directory, group);
        var properties = new RaftProperties();
        RaftSettings.storage(properties, directory);
        try (var storage = StorageImplUtils.initRaftStorage(group, RaftStorage.StartupOption.RECOVER, properties)) {
            // The term of the snapshot is one that this member has seen.
            storage.getMetadataFile()
                    .persist(RaftStorageMetadata.valueOf(
                            AT.getTerm(), RaftStorageMetadata.getDefault().getVotedFor()));
            var snapshots = new SnapshotDirectory();
            snapshots.init(storage);
            try (var database = StoreDatabase.open(scratch)) {
                database.write(rows, new Applied(AT.getTerm(), AT.getIndex()));
                database.checkpoint(snapshots.draft());
            }
            snapshots.complete(snapshots.draft(), AT);
        }
        FileUtils.deleteFully(scratch);
    }
}
