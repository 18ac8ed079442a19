package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** Makes a running peer take a snapshot at once, as an operator of Ratis would, over its Raft port. */
public final class SnapshotTrigger {
    private static final long TIMEOUT_MILLIS = 10_000;

    private SnapshotTrigger() {}

    /**
     * Takes a snapshot of all that the peer has applied.
     *
     * @param data the peer's data directory
     * @return the directory of its newest snapshot
     */
    public static Path take(String clusterId, RaftPeers.Peer peer, Path data) throws IOException {
        var id = RaftPeerId.valueOf(peer.id());
        var group = RaftGroup.valueOf(
                RaftGroupId.valueOf(UUID.fromString(clusterId)),
                List.of(RaftPeer.newBuilder()
                        .setId(id)
                        .setAddress(peer.raft().toString())
                        .build()));
        try (var client = RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRaftGroup(group)
                .build()) {
            assertTrue(client.getSnapshotManagementApi(id)
                    .create(1, TIMEOUT_MILLIS)
                    .isSuccess());
        }
        return newest(data.resolve("raft").resolve(clusterId).resolve("sm"));
    }

    private static Path newest(Path snapshots) throws IOException {
        try (var all = Files.list(snapshots)) {
            return all.max(Comparator.comparingLong(SnapshotTrigger::index)).orElseThrow();
        }
    }

    private static long index(Path snapshot) {
        var name = String.valueOf(snapshot.getFileName());
        return Long.parseLong(name.substring(name.indexOf('_') + 1));
    }
}
