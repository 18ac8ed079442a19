package io.seqsvr.storesvr.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;

/** The connections of Raft from this peer to the others, and whether anything is heard of those. */
final class PeerConnections {
    /** Without a leader: longer than an election and the way to peers far away take together. */
    static final Duration WITHOUT_LEADER = Duration.ofSeconds(1);

    /** As a leader: longer than a stall of a follower that is well, as what is under way to it is sent again. */
    static final Duration LEADING = Duration.ofSeconds(5);

    private final RaftServer server;
    private final RaftGroupId groupId;

    PeerConnections(RaftServer server, RaftGroupId groupId) {
        this.server = server;
        this.groupId = groupId;
    }

    /**
     * Peers that should be heard and are not, with how long to bear with each: of a leader the silent followers, of who
     * knows no leader all others.
     */
    Map<String, Duration> unheard() {
        try {
            var division = server.getDivision(groupId);
            var info = division.getInfo();
            var role = info.getRoleInfoProto();
            if (role.getRole() == RaftPeerRole.LEADER) {
                return silentFollowers(role, info, division.getRaftLog().getStartIndex());
            }
            return info.getLeaderId() == null ? others(division) : Map.of();
        } catch (IOException closed) {
            return Map.of();
        }
    }

    private Map<String, Duration> others(RaftServer.Division division) {
        var configuration = division.getRaftConf();
        var others = new HashMap<String, Duration>();
        Stream.concat(configuration.getCurrentPeers().stream(), configuration.getPreviousPeers().stream())
                .filter(peer -> !peer.getId().equals(server.getId()))
                .forEach(peer -> others.put(peer.getId().toString(), WITHOUT_LEADER));
        return others;
    }

    private static Map<String, Duration> silentFollowers(RoleInfoProto role, DivisionInfo info, long logStart) {
        var followers = role.getLeaderInfo().getFollowerInfoList();
        // In the same order, unless the group has just changed.
        long[] next = info.getFollowerNextIndices();
        var silent = new HashMap<String, Duration>();
        if (next == null || next.length != followers.size()) {
            return silent;
        }
        for (int i = 0; i < next.length; i++) {
            var follower = followers.get(i);
            if (follower.getLastRpcElapsedTimeMs() > PeerGroup.SILENT_MILLIS) {
                // While it takes a snapshot in, it may have nothing to say for long.
                silent.put(
                        RaftPeerId.valueOf(follower.getId().getId()).toString(),
                        next[i] < logStart ? RaftSettings.SNAPSHOT_ANSWER : LEADING);
            }
        }
        return silent;
    }

    /** What is sent to a peer from now on goes over new connections. Blocks until the old ones are closed. */
    void giveUp(String peer) {
        server.getServerRpc()
                .handleException(RaftPeerId.valueOf(peer), new IOException("nothing was heard of it"), true);
    }
}
