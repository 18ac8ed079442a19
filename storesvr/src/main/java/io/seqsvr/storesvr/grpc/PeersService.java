package io.seqsvr.storesvr.grpc;

import io.seqsvr.core.store.Cluster;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.ChangeRefused;
import io.seqsvr.proto.internal.v1.ChangeRefused.Cause;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.PeersNow;
import io.seqsvr.proto.internal.v1.TransferLeaderRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.storesvr.peer.GroupChange;
import io.seqsvr.storesvr.raft.PeerGroup;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.replica.Replica;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes of the group, asked for by new peers and by operators. Only the leader makes them, one at a time. */
public final class PeersService {
    private static final Logger LOG = LoggerFactory.getLogger(PeersService.class);

    private static final Duration CHANGE_WITHIN = Duration.ofSeconds(30);
    private static final Duration TRANSFER_WITHIN = Duration.ofSeconds(3);
    private static final int LOOKS_AFTER_TRANSFER = 100;
    private static final long BETWEEN_LOOKS_MILLIS = 100;

    private final String clusterId;
    private final String self;
    private final PeerGroup group;
    private final Standing standing;
    private final Replica replica;
    private final BooleanSupplier ready;
    private final Context context;

    /**
     * A service of one peer.
     *
     * @param ready whether this peer leads and takes commands
     */
    public PeersService(
            Context context,
            String clusterId,
            String self,
            PeerGroup group,
            Standing standing,
            Replica replica,
            BooleanSupplier ready) {
        this.context = context;
        this.clusterId = clusterId;
        this.self = self;
        this.group = group;
        this.standing = standing;
        this.replica = replica;
        this.ready = ready;
    }

    /** Binds the methods to a port. */
    public void bind(NodeServer.Builder port) {
        port.method(StoreRpc.CHANGE_PEERS, (request, timeout, caller) -> change(request))
                .method(StoreRpc.TRANSFER_LEADER, (request, timeout, caller) -> transfer(request));
    }

    private Future<ChangePeersReply> change(ChangePeersRequest request) {
        var unable = unable(
                request.getClusterId(),
                request.hasIncarnation() ? OptionalInt.of(request.getIncarnation()) : OptionalInt.empty());
        if (unable.isPresent()) {
            return unable.get();
        }
        GroupChange change;
        try {
            change = decode(request);
        } catch (IllegalArgumentException malformed) {
            return refused(Cause.AGAINST_RULES, String.valueOf(malformed.getMessage()));
        }
        var members = group.stableMembers();
        if (members.isEmpty()) {
            return refused(Cause.CHANGE_UNDER_WAY, "another change of the group is under way");
        }
        // A peer that asks again says its address as it did at first; the settings here may spell it otherwise.
        if (change.isDone(members.get())
                || group.stableMembersInLog().filter(change::isDone).isPresent()) {
            return now();
        }
        var known = known(members.get());
        var refusal = change.refusal(known);
        if (refusal.isPresent()) {
            return refused(Cause.AGAINST_RULES, refusal.get());
        }
        var tooFew = change.tooFewAnswer(known);
        if (tooFew.isPresent()) {
            return refused(Cause.FAILED, tooFew.get());
        }
        if (change.remove().equals(Optional.of(self))) {
            return lead(change.after(members.get()));
        }
        LOG.info("event=group_changing add={} remove={}", request.getAdd().getPeerId(), request.getRemove());
        return Future.fromCompletionStage(
                        group.change(members.get(), change.after(members.get()), CHANGE_WITHIN), context)
                .compose(this::answer);
    }

    private GroupChange.Known known(List<RaftPeers.Peer> members) {
        var ttl =
                replica.cluster().map(cluster -> OptionalLong.of(cluster.lease().ttlNanos()));
        return new GroupChange.Known(
                members, group.answering(), standing.formerMembers(members), ttl.orElse(OptionalLong.empty()));
    }

    private static GroupChange decode(ChangePeersRequest request) {
        var add = request.getAdd();
        if (request.hasAdd() && add.getPeerId().isEmpty()) {
            throw new IllegalArgumentException("the new peer has no id");
        }
        return new GroupChange(
                request.hasAdd()
                        ? Optional.of(new RaftPeers.Peer(
                                add.getPeerId(), HostPort.parse(add.getRaft()), HostPort.parse(add.getAddress())))
                        : Optional.empty(),
                Optional.of(request.getRemove()).filter(id -> !id.isEmpty()));
    }

    /** The leader does not take itself out: another one leads first, and is to be asked then. */
    private Future<ChangePeersReply> lead(List<RaftPeers.Peer> after) {
        var heir = group.heir().filter(after::contains);
        if (heir.isEmpty()) {
            return refused(Cause.FAILED, "no other peer is there to lead in place of " + self);
        }
        return transfer(heir.get().id())
                .compose(result -> result.outcome() == PeerGroup.Outcome.DONE
                        ? reply(ChangeRefused.newBuilder()
                                .setCause(Cause.NOT_LEADER)
                                .setLeaderAddress(heir.get().service().toString()))
                        : answer(result));
    }

    private Future<ChangePeersReply> transfer(TransferLeaderRequest request) {
        var unable = unable(
                request.getClusterId(),
                request.hasIncarnation() ? OptionalInt.of(request.getIncarnation()) : OptionalInt.empty());
        if (unable.isPresent()) {
            return unable.get();
        }
        var to = request.getTo().isEmpty() ? group.heir().map(RaftPeers.Peer::id) : Optional.of(request.getTo());
        if (to.isEmpty()) {
            return refused(Cause.AGAINST_RULES, "no other peer is there to lead");
        }
        if (to.get().equals(self)) {
            return now();
        }
        if (group.find(to.get()).isEmpty()) {
            return refused(Cause.AGAINST_RULES, to.get() + " is not in the group");
        }
        if (!group.answering().contains(to.get())) {
            return refused(Cause.AGAINST_RULES, to.get() + " does not answer, so it cannot lead");
        }
        return transfer(to.get()).compose(this::answer);
    }

    private Future<PeerGroup.Result> transfer(String to) {
        return Future.fromCompletionStage(group.transfer(to, TRANSFER_WITHIN), context)
                .compose(result -> result.outcome() == PeerGroup.Outcome.UNKNOWN
                        ? elected(to, result, LOOKS_AFTER_TRANSFER)
                        : Future.succeededFuture(result));
    }

    /** Ratis gives up where an election takes its time; whoever leads after it tells what came of the transfer. */
    private Future<PeerGroup.Result> elected(String to, PeerGroup.Result unknown, int looks) {
        var leader = group.leader().map(RaftPeers.Peer::id);
        if (leader.isPresent()) {
            return Future.succeededFuture(
                    leader.get().equals(to)
                            ? new PeerGroup.Result(PeerGroup.Outcome.DONE, "")
                            : new PeerGroup.Result(PeerGroup.Outcome.FAILED, leader.get() + " leads instead"));
        }
        return looks == 0
                ? Future.succeededFuture(unknown)
                : context.owner().timer(BETWEEN_LOOKS_MILLIS).compose(later -> elected(to, unknown, looks - 1));
    }

    private Optional<Future<ChangePeersReply>> unable(String callersCluster, OptionalInt callersLife) {
        if (!callersCluster.isEmpty() && !callersCluster.equals(clusterId)) {
            return Optional.of(refused(
                    Cause.OTHER_CLUSTER, "this peer is of cluster " + clusterId + ", the caller of " + callersCluster));
        }
        var life = replica.cluster().map(Cluster::incarnation);
        if (life.isPresent() && callersLife.isPresent() && callersLife.getAsInt() != life.get()) {
            return Optional.of(refused(
                    Cause.OTHER_INCARNATION,
                    "this peer is of incarnation " + life.get() + " of the cluster, the caller of "
                            + Integer.toUnsignedString(callersLife.getAsInt())));
        }
        if (ready.getAsBoolean()) {
            return Optional.empty();
        }
        var refusal = ChangeRefused.newBuilder().setCause(Cause.NOT_LEADER).setDetail(self + " does not lead");
        group.leader()
                .filter(leader -> !leader.id().equals(self))
                .ifPresent(leader -> refusal.setLeaderAddress(leader.service().toString()));
        return Optional.of(reply(refusal));
    }

    private Future<ChangePeersReply> answer(PeerGroup.Result result) {
        LOG.info("event=group_changed outcome={} detail=\"{}\"", result.outcome(), result.detail());
        return switch (result.outcome()) {
            case DONE -> now();
            case UNDER_WAY -> refused(Cause.CHANGE_UNDER_WAY, result.detail());
            case FAILED -> refused(Cause.FAILED, result.detail());
            case UNKNOWN -> refused(Cause.UNKNOWN, result.detail());
        };
    }

    private Future<ChangePeersReply> now() {
        var now = PeersNow.newBuilder();
        group.members().forEach(peer -> now.addMembers(encode(peer)));
        group.leader().ifPresent(leader -> now.setLeaderId(leader.id()));
        return Future.succeededFuture(ChangePeersReply.newBuilder()
                .setClusterId(clusterId)
                .setNow(now)
                .build());
    }

    static GroupMember encode(RaftPeers.Peer peer) {
        return GroupMember.newBuilder()
                .setPeerId(peer.id())
                .setAddress(peer.service().toString())
                .setRaft(peer.raft().toString())
                .build();
    }

    private Future<ChangePeersReply> refused(Cause cause, String detail) {
        return reply(ChangeRefused.newBuilder().setCause(cause).setDetail(detail));
    }

    private Future<ChangePeersReply> reply(ChangeRefused.Builder refused) {
        return Future.succeededFuture(ChangePeersReply.newBuilder()
                .setClusterId(clusterId)
                .setRefused(refused)
                .build());
    }
}
