package io.seqsvr.storesvr.raft;

import io.seqsvr.proto.rpc.HostPort;
import java.util.List;
import java.util.Optional;

/**
 * The members of the group as this peer's settings name them.
 *
 * @param self id of this peer
 * @param all every member, this peer among them
 */
public record RaftPeers(String self, List<Peer> all) {
    /**
     * One member.
     *
     * @param id its id, never given to another peer
     * @param raft where it talks Raft
     * @param service where it serves allocators and routers
     */
    public record Peer(String id, HostPort raft, HostPort service) {}

    /** Checked members. */
    public RaftPeers {
        all = List.copyOf(all);
        if (all.stream().noneMatch(peer -> peer.id().equals(self))) {
            throw new IllegalArgumentException("peer " + self + " is not among " + all);
        }
    }

    /** A member by id. */
    public Optional<Peer> find(String id) {
        return all.stream().filter(peer -> peer.id().equals(id)).findFirst();
    }

    /** This peer. */
    public Peer own() {
        return find(self).orElseThrow();
    }
}
