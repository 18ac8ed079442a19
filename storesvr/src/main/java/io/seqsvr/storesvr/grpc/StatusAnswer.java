package io.seqsvr.storesvr.grpc;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.proto.codec.SettingsCodec;
import io.seqsvr.proto.internal.v1.SegmentName;
import io.seqsvr.proto.internal.v1.SegmentStatus;
import io.seqsvr.proto.internal.v1.StateDigest;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.internal.v1.WaitingCommands;
import io.seqsvr.storesvr.raft.EntryQueue;
import io.seqsvr.storesvr.raft.RaftMember;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.replica.Digests;
import io.seqsvr.storesvr.replica.Replica;

/** What a peer says of itself, each part as it finds it at that moment. For display: nothing is decided by it. */
final class StatusAnswer {
    private final String clusterId;
    private final RaftPeers peers;
    private final Standing standing;
    private final RaftMember member;
    private final EntryQueue queue;
    private final Replica replica;
    private final Digests digests;

    StatusAnswer(
            String clusterId,
            RaftPeers peers,
            Standing standing,
            RaftMember member,
            EntryQueue queue,
            Replica replica) {
        this.standing = standing;
        this.clusterId = clusterId;
        this.peers = peers;
        this.member = member;
        this.queue = queue;
        this.replica = replica;
        this.digests = new Digests(replica);
    }

    /**
     * The answer now.
     *
     * @param request what is to be told besides; of digests another tells
     * @param ready whether this peer takes commands
     */
    StatusReply now(StatusRequest request, boolean ready) {
        var reply = StatusReply.newBuilder()
                .setPeerId(peers.self())
                .setClusterId(clusterId)
                .setLeads(member.isLeader())
                .setReady(ready)
                .setTerm(member.term())
                .setUnapplied(
                        Math.max(0, member.lastIndex() - member.appliedIndex().orElse(-1)))
                .setWaiting(waiting());
        member.appliedIndex().ifPresent(reply::setAppliedIndex);
        var members = member.group().members();
        member.group()
                .leader()
                .ifPresent(leader -> reply.setLeaderId(leader.id())
                        .setLeaderAddress(leader.service().toString()));
        members.forEach(peer -> reply.addMembers(PeersService.encode(peer)));
        reply.addAllFormerMembers(standing.formerMembers(members));
        return replica.look(state -> {
                    if (request.hasSegment()) {
                        addSegment(reply, request.getSegment(), state);
                    }
                    return addState(reply, state);
                })
                .build();
    }

    private static void addSegment(StatusReply.Builder reply, SegmentName name, StoreState state) {
        state.segment(new SegmentId(name.getNamespaceId(), name.getSegment()))
                .ifPresent(segment -> reply.setSegment(SegmentStatus.newBuilder()
                        .setEpoch(segment.epoch())
                        .setOwner(segment.owner())
                        .setBase(segment.base())
                        .setMaxSeq(segment.maxSeq())));
    }

    /** The same answer with the digests of the state. Slow: keep it off event loops. */
    StatusReply withDigests(StatusReply answer) {
        var reply = answer.toBuilder();
        digests.now()
                .forEach(one -> reply.addDigests(
                        StateDigest.newBuilder().setIndex(one.index()).setDigest(one.digest())));
        return reply.build();
    }

    private WaitingCommands waiting() {
        return WaitingCommands.newBuilder()
                .setRenewals(queue.waiting(EntryQueue.Lane.RENEWAL))
                .setConfirmations(queue.waiting(EntryQueue.Lane.CONFIRMATION))
                .setOthers(queue.waiting(EntryQueue.Lane.OTHER))
                .setExpiries(queue.waiting(EntryQueue.Lane.EXPIRY))
                .build();
    }

    private static StatusReply.Builder addState(StatusReply.Builder reply, StoreState state) {
        state.cluster()
                .ifPresent(cluster -> reply.setIncarnation(cluster.incarnation())
                        .setLease(SettingsCodec.encode(cluster.lease()))
                        .setNamespaceDefaults(SettingsCodec.encode(cluster.defaults()))
                        .setWatchVersion(cluster.watchVersion()));
        return reply.setAllocators(sessions(state, SessionKind.ALLOCATOR))
                .setRouters(sessions(state, SessionKind.ROUTER))
                .setNamespaces(state.namespaces().size())
                .setSegments(state.segments().size());
    }

    private static int sessions(StoreState state, SessionKind kind) {
        return (int) state.sessions().stream()
                .filter(session -> session.kind() == kind)
                .count();
    }
}
