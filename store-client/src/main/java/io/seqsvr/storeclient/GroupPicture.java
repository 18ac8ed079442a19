package io.seqsvr.storeclient;

import io.seqsvr.proto.rpc.HostPort;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Who is in a StoreSvr group, as the peers that answered say. For people and for a first check: only the leader
 * decides.
 *
 * @param clusterId the cluster
 * @param incarnation which life of the cluster
 * @param leader where the leader answered
 * @param members the members, as the leader says
 * @param answering ids of the peers that answered
 * @param former ids that were in the group and are not, as far as those that answered know
 * @param ttlNanos how long leases last; absent before the cluster is known
 */
public record GroupPicture(
        String clusterId,
        int incarnation,
        HostPort leader,
        List<Peer> members,
        Set<String> answering,
        Set<String> former,
        OptionalLong ttlNanos) {
    /**
     * A member.
     *
     * @param id its id
     * @param service where it serves
     * @param raft where it talks Raft
     */
    public record Peer(String id, HostPort service, HostPort raft) {}

    /**
     * The picture, or why there is none.
     *
     * @param picture what was seen; nothing if nobody who answered leads
     * @param failure why there is none, one sentence; empty if there is one
     * @param mayPass whether another look may show more, as peers elect
     */
    public record Look(Optional<GroupPicture> picture, String failure, boolean mayPass) {
        static Look of(GroupPicture picture) {
            return new Look(Optional.of(picture), "", false);
        }

        static Look failed(String why) {
            return new Look(Optional.empty(), why, false);
        }

        static Look leaderless() {
            return new Look(
                    Optional.empty(), "no peer that answered leads: without a majority a group cannot change", true);
        }
    }

    /** Keeps copies. */
    public GroupPicture {
        members = List.copyOf(members);
        answering = Set.copyOf(answering);
        former = Set.copyOf(former);
    }
}
