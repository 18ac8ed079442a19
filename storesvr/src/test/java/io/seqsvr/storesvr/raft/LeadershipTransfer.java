package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** Makes a peer the leader, over the Raft ports. */
public final class LeadershipTransfer {
    private static final long TIMEOUT_MILLIS = 30_000;

    private LeadershipTransfer() {}

    /** Hands leadership over to one of the peers. */
    public static void to(RaftPeers.Peer next, String clusterId, List<RaftPeers.Peer> peers) throws IOException {
        var group = RaftGroup.valueOf(
                RaftGroupId.valueOf(UUID.fromString(clusterId)),
                peers.stream()
                        .map(peer -> RaftPeer.newBuilder()
                                .setId(peer.id())
                                .setAddress(peer.raft().toString())
                                .build())
                        .toList());
        try (var client = RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRaftGroup(group)
                .build()) {
            assertTrue(client.admin()
                    .transferLeadership(RaftPeerId.valueOf(next.id()), TIMEOUT_MILLIS)
                    .isSuccess());
        }
    }
}
