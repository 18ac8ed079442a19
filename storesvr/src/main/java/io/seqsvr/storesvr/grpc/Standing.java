package io.seqsvr.storesvr.grpc;

import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.PeerMark;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.raft.OwnGroup;
import io.seqsvr.storesvr.raft.PeerGroup;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this peer is to its group. One that is to join asks the leader for admission until it is in; one that is in and
 * hears of no leader asks the others whether it still is, and stops the process if not. Marks what it learns in the
 * data directory.
 */
public final class Standing {
    private static final Logger LOG = LoggerFactory.getLogger(Standing.class);

    private static final long LOOK_MILLIS = 250;
    /** Above any election that goes well. */
    private static final long ALONE_NANOS = 3_000_000_000L;

    private static final long STATUS_MILLIS = 2_000;
    /** Longer than the leader takes at most. */
    private static final long ADMISSION_MILLIS = 40_000;

    private final DataDirectory directory;
    private final RaftPeers.Peer own;
    private final String clusterId;
    private final Consumer<Throwable> fatal;

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile PeerMark mark;
    private int asked;
    private boolean asking;
    private String lastRefusal = "";
    private long leaderKnownNanos = System.nanoTime();

    /** A standing as the mark of a directory tells it. */
    public Standing(DataDirectory directory, RaftPeers.Peer own, Consumer<Throwable> fatal) throws StartupException {
        this.directory = directory;
        this.own = own;
        this.mark = directory.mark();
        this.clusterId = mark.getClusterId();
        this.fatal = fatal;
    }

    /** Who counts as the group before the log says so. */
    public PeerGroup.Beginning beginning() {
        if (mark.getSettled()) {
            return PeerGroup.Beginning.INSIDE;
        }
        return mark.hasJoining() ? PeerGroup.Beginning.OUTSIDE : PeerGroup.Beginning.NEW_GROUP;
    }

    /** Refuses a peer that was taken out of its group and knows it. */
    public void check(PeerGroup group) throws StartupException {
        if (mark.getSettled() && group.leavesSelfOut()) {
            throw new StartupException(group.takenOut());
        }
    }

    /** Whether this peer is in its group as far as it knows. */
    public boolean isSettled() {
        return mark.getSettled();
    }

    /** Ids that were in the group, as far as this peer knows, and are not. */
    public Set<String> formerMembers(List<RaftPeers.Peer> members) {
        var former = new TreeSet<>(mark.getPeersSeenList());
        members.forEach(member -> former.remove(member.id()));
        return former;
    }

    /** Is called after each configuration that is applied, on Raft's thread: must be quick and must not throw. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** A configuration was applied. On Raft's thread: what it says is on disk before anything after it is applied. */
    public void applied(Set<String> members) {
        try {
            directory.change(before -> {
                var seen = new TreeSet<>(before.getPeersSeenList());
                seen.addAll(members);
                var after = before.toBuilder().clearPeersSeen().addAllPeersSeen(seen);
                return members.contains(own.id())
                        ? after.setSettled(true).clearJoining().build()
                        : after.build();
            });
            var after = directory.mark();
            if (after.getSettled() && mark.hasJoining()) {
                LOG.info("event=joined peer={} members={}", own.id(), members);
            }
            mark = after;
            listeners.forEach(Runnable::run);
        } catch (StartupException unwritable) {
            fatal.accept(unwritable);
        }
    }

    /** Looks after the standing from now on, on the context that calls. */
    public void watch(Vertx vertx, OwnGroup group) {
        var caller = new UnaryCaller(vertx);
        leaderKnownNanos = System.nanoTime();
        vertx.setPeriodic(LOOK_MILLIS, fired -> {
            if (group.leader().isPresent()) {
                leaderKnownNanos = System.nanoTime();
            }
            if (asking) {
                return;
            }
            if (!mark.getSettled() && mark.hasJoining()) {
                once(askForAdmission(caller, group));
            } else if (mark.getSettled() && System.nanoTime() - leaderKnownNanos > ALONE_NANOS) {
                once(askWhetherIn(caller, group));
            }
        });
    }

    private void once(Future<?> question) {
        asking = true;
        question.onComplete(answered -> asking = false);
    }

    private Future<?> askForAdmission(UnaryCaller caller, OwnGroup group) {
        var joining = mark.getJoining();
        var addresses = new ArrayList<HostPort>();
        joining.getStoreList().forEach(address -> addresses.add(HostPort.parse(address)));
        group.members().stream()
                .map(RaftPeers.Peer::service)
                .filter(address -> !addresses.contains(address) && !address.equals(own.service()))
                .forEach(addresses::add);
        var request = ChangePeersRequest.newBuilder()
                .setClusterId(clusterId)
                .setIncarnation(mark.getIncarnation())
                .setAdd(GroupMember.newBuilder()
                        .setPeerId(own.id())
                        .setAddress(own.service().toString())
                        .setRaft(own.raft().toString()))
                .setRemove(joining.getReplaces())
                .build();
        return admission(caller, addresses.get(asked++ % addresses.size()), request, 2);
    }

    private Future<?> admission(UnaryCaller caller, HostPort peer, ChangePeersRequest request, int hints) {
        return caller.call(peer.socketAddress(), StoreRpc.CHANGE_PEERS, request, ADMISSION_MILLIS)
                .compose(reply -> {
                    var leader = reply.getRefused().getLeaderAddress();
                    if (!leader.isEmpty() && hints > 0) {
                        return admission(caller, HostPort.parse(leader), request, hints - 1);
                    }
                    answered(peer, reply);
                    return Future.succeededFuture();
                })
                .onFailure(failure -> report(peer, String.valueOf(failure.getMessage())));
    }

    private void answered(HostPort peer, ChangePeersReply reply) {
        if (reply.hasNow()) {
            report(peer, "admitted; waiting for the configuration");
            return;
        }
        var refused = reply.getRefused();
        switch (refused.getCause()) {
            case AGAINST_RULES ->
                fatal.accept(new IllegalStateException(own.id() + " is not admitted: " + refused.getDetail()));
            case NOT_LEADER -> report(peer, "it does not lead, and knows nobody who does");
            default -> report(peer, refused.getDetail());
        }
    }

    /** Once for each change of what is said, as it is asked again and again. */
    private void report(HostPort peer, String answer) {
        if (!answer.equals(lastRefusal)) {
            lastRefusal = answer;
            LOG.info("event=admission peer={} asked={} answer=\"{}\"", own.id(), peer, answer);
        }
    }

    /** Raft cannot always tell: after a restart, a peer that is half out neither votes nor hears of anybody. */
    private Future<?> askWhetherIn(UnaryCaller caller, OwnGroup group) {
        return Future.join(group.members().stream()
                        .filter(member -> !member.id().equals(own.id()))
                        .map(member -> caller.call(
                                        member.service().socketAddress(),
                                        StoreRpc.STATUS,
                                        StatusRequest.getDefaultInstance(),
                                        STATUS_MILLIS)
                                .otherwise(StatusReply.getDefaultInstance()))
                        .toList())
                .onSuccess(all -> {
                    if (all.<StatusReply>list().stream().anyMatch(said -> isOutBy(said, group.term()))) {
                        fatal.accept(new IllegalStateException(group.takenOut()));
                    }
                });
    }

    /**
     * A leader's word counts, unless it is a former one, which may know nothing of a peer that came in after it:
     * whoever took this peer out knows of a term that is no older than this peer's.
     */
    private boolean isOutBy(StatusReply reply, long term) {
        return reply.getReady()
                && reply.getTerm() >= term
                && reply.getClusterId().equals(clusterId)
                && reply.getIncarnation() == mark.getIncarnation()
                && Stream.concat(
                                reply.getMembersList().stream().map(GroupMember::getPeerId),
                                Stream.of(reply.getPeerId()))
                        .noneMatch(own.id()::equals);
    }
}
