package io.seqsvr.storesvr.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.StorageImplUtils;

/** Ratis' part of a data directory, formatted, without a Ratis that runs on it. */
final class RaftDirectory {
    private final String clusterId = UUID.randomUUID().toString();
    private final Path path;

    RaftDirectory(Path path) throws IOException {
        this.path = path;
        RaftMember.format(path, clusterId);
    }

    RaftStorage open() throws IOException {
        var properties = new RaftProperties();
        RaftSettings.storage(properties, path);
        return StorageImplUtils.initRaftStorage(clusterId, RaftStorage.StartupOption.RECOVER, properties);
    }

    /** Where snapshots go. */
    Path snapshots() {
        return path.resolve(clusterId).resolve("sm");
    }
}
