package io.seqsvr.storesvr.raft;

import io.seqsvr.proto.rpc.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.JavaUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft group as this peer has it now. Who is in it stands in the log alone; where a member is, the settings say if
 * they name it, else the log.
 */
public final class PeerGroup implements OwnGroup {
    private static final Logger LOG = LoggerFactory.getLogger(PeerGroup.class);

    /** A follower that was silent for longer does not count as there. */
    static final long SILENT_MILLIS = 2L * RaftSettings.ELECTION_MOST_MILLIS;

    private final RaftServer server;
    private final RaftGroupId groupId;
    private final RaftPeers settings;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong lastCall = new AtomicLong();

    PeerGroup(RaftServer server, RaftGroupId groupId, RaftPeers settings) {
        this.server = server;
        this.groupId = groupId;
        this.settings = settings;
    }

    /** What came of a change of the group. */
    public enum Outcome {
        /** It is in force. */
        DONE,
        /** Another one is under way; nothing was done. */
        UNDER_WAY,
        /** The group is as it was. */
        FAILED,
        /** It may come into force or not. */
        UNKNOWN
    }

    /**
     * What came of a change, with one sentence about it.
     *
     * @param outcome which it is
     * @param detail why; empty if it is done
     */
    public record Result(Outcome outcome, String detail) {}

    /** How this peer begins: who counts as the group before its log says so. */
    public enum Beginning {
        /** In a new group: those whom the settings name. */
        NEW_GROUP,
        /** Outside of a living group: nobody, so that it neither votes nor leads before it is admitted. */
        OUTSIDE,
        /** In its group: its disk must say who that is. The settings tell addresses only. */
        INSIDE
    }

    static RaftGroup given(RaftGroupId groupId, RaftPeers peers, Beginning beginning) {
        return beginning == Beginning.OUTSIDE
                ? RaftGroup.valueOf(groupId)
                : RaftGroup.valueOf(
                        groupId, peers.all().stream().map(PeerGroup::encode).toList());
    }

    private static RaftPeer encode(RaftPeers.Peer peer) {
        return RaftPeer.newBuilder()
                .setId(peer.id())
                .setAddress(peer.raft().toString())
                .setClientAddress(peer.service().toString())
                .build();
    }

    private static RaftPeers.Peer decode(RaftPeer peer) {
        return new RaftPeers.Peer(
                peer.getId().toString(),
                HostPort.parse(peer.getAddress()),
                HostPort.parse(
                        Optional.ofNullable(peer.getClientAddress()).orElse("").isEmpty()
                                ? peer.getAddress()
                                : peer.getClientAddress()));
    }

    private Optional<RaftConfiguration> configuration() {
        try {
            return Optional.of(server.getDivision(groupId).getRaftConf());
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    private RaftPeers.Peer located(RaftPeers.Peer peer) {
        return settings.find(peer.id()).orElse(peer);
    }

    private static Stream<RaftPeers.Peer> voters(RaftConfiguration configuration) {
        return Stream.concat(configuration.getCurrentPeers().stream(), configuration.getPreviousPeers().stream())
                .map(PeerGroup::decode)
                .distinct()
                .sorted(Comparator.comparing(RaftPeers.Peer::id));
    }

    @Override
    public List<RaftPeers.Peer> members() {
        return configuration().stream()
                .flatMap(PeerGroup::voters)
                .map(this::located)
                .toList();
    }

    /** A member by id. */
    public Optional<RaftPeers.Peer> find(String id) {
        return members().stream().filter(peer -> peer.id().equals(id)).findFirst();
    }

    /** Whether this peer is in the group, as far as it knows. */
    public boolean includesSelf() {
        return find(settings.self()).isPresent();
    }

    /** The members, unless the group is changing. */
    public Optional<List<RaftPeers.Peer>> stableMembers() {
        return configuration()
                .filter(one -> one.getPreviousPeers().isEmpty())
                .map(one -> voters(one).map(this::located).toList());
    }

    /** The same, each where the log has it: what a change has put there, whatever the settings of this peer say. */
    public Optional<List<RaftPeers.Peer>> stableMembersInLog() {
        return configuration()
                .filter(one -> one.getPreviousPeers().isEmpty())
                .map(one -> voters(one).toList());
    }

    /** Whether this peer has a configuration, in its log or beside it. */
    private boolean isKnown() {
        return configuration().filter(one -> one.getLogEntryIndex() >= 0).isPresent();
    }

    /** Whether this peer's configuration is final and leaves it out. */
    public boolean leavesSelfOut() {
        return isKnown()
                && configuration()
                        .filter(one -> one.getPreviousPeers().isEmpty()
                                && one.getPeer(RaftPeerId.valueOf(settings.self())) == null)
                        .isPresent();
    }

    /** Whether Raft may have ended this peer because it is in the group no more. */
    boolean wasTakenOut() {
        try {
            // A leader that has a configuration without a candidate ends the candidate.
            return leavesSelfOut() || server.getDivision(groupId).getInfo().isCandidate();
        } catch (IOException closed) {
            return leavesSelfOut();
        }
    }

    @Override
    public long term() {
        try {
            return server.getDivision(groupId).getInfo().getCurrentTerm();
        } catch (IOException closed) {
            // Whatever anybody says is of no use any more.
            return Long.MAX_VALUE;
        }
    }

    @Override
    public String takenOut() {
        return settings.self()
                + " was taken out of the group and stops for good; its directory is of no use any more, and its id must"
                + " not be used again";
    }

    /** Says where settings and group differ: nothing of it is used in silence. */
    void compareWithSettings() {
        configuration().filter(one -> one.getLogEntryIndex() >= 0).ifPresent(now -> {
            var members = voters(now).toList();
            for (var member : members) {
                settings.find(member.id())
                        .filter(named -> !named.equals(member))
                        .ifPresent(named -> LOG.warn(
                                "event=address_differs peer={} settings={} settings_raft={} group={} group_raft={}"
                                        + " used=settings",
                                member.id(),
                                named.service(),
                                named.raft(),
                                member.service(),
                                member.raft()));
            }
            settings.all().stream()
                    .filter(named ->
                            members.stream().noneMatch(member -> member.id().equals(named.id())))
                    .filter(named -> !named.id().equals(settings.self()))
                    .forEach(named -> LOG.warn("event=peer_not_in_group peer={} used=no", named.id()));
        });
    }

    @Override
    public Optional<RaftPeers.Peer> leader() {
        try {
            return Optional.ofNullable(server.getDivision(groupId).getInfo().getLeaderId())
                    .flatMap(id -> find(id.toString()));
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /** Of the leader: members that are there now, itself among them. Nobody at any other peer. */
    public Set<String> answering() {
        var answering = new HashSet<String>();
        try {
            var role = server.getDivision(groupId).getInfo().getRoleInfoProto();
            if (role.getRole() == RaftPeerRole.LEADER) {
                answering.add(settings.self());
                role.getLeaderInfo().getFollowerInfoList().stream()
                        .filter(follower -> follower.getLastRpcElapsedTimeMs() <= SILENT_MILLIS)
                        .map(follower ->
                                RaftPeerId.valueOf(follower.getId().getId()).toString())
                        .forEach(answering::add);
            }
        } catch (IOException closed) {
            // Nobody then.
        }
        return answering;
    }

    /**
     * Up to which index of the log each member has it on its disk, as the leader knows.
     *
     * @param here the leader's own
     * @param there those of the others
     */
    record Synced(long here, List<Long> there) {}

    /** What is on the disks, if this peer leads. */
    Optional<Synced> synced() {
        try {
            var division = server.getDivision(groupId);
            // None at a peer that does not lead.
            return Optional.ofNullable(division.getInfo().getFollowerMatchIndices())
                    .map(there -> new Synced(
                            division.getRaftLog().getFlushIndex(),
                            LongStream.of(there).boxed().toList()));
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /** Of the leader: whether those that answer it can elect one of them without it. */
    boolean electsWithoutThis() {
        var answering = answering();
        var members = members();
        long others = members.stream()
                .filter(peer -> !peer.id().equals(settings.self()) && answering.contains(peer.id()))
                .count();
        return others > members.size() / 2;
    }

    /** Of the leader: the member to lead in its place, which is there and has most of the log. */
    public Optional<RaftPeers.Peer> heir() {
        var answering = answering();
        var committed = committed();
        return members().stream()
                .filter(peer -> !peer.id().equals(settings.self()) && answering.contains(peer.id()))
                .max(Comparator.comparing(peer -> committed.getOrDefault(peer.id(), -1L)));
    }

    private Map<String, Long> committed() {
        var committed = new HashMap<String, Long>();
        try {
            for (var one : server.getDivision(groupId).getCommitInfos()) {
                committed.put(RaftPeerId.valueOf(one.getServer().getId()).toString(), one.getCommitIndex());
            }
        } catch (IOException closed) {
            // Nothing is known then.
        }
        return committed;
    }

    /**
     * Of the leader: replaces the configuration, if it is still the one that was looked at.
     *
     * @param before the members as they were looked at
     * @param after the members to be
     */
    public CompletableFuture<Result> change(
            Collection<RaftPeers.Peer> before, Collection<RaftPeers.Peer> after, Duration within) {
        var arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInCurrentConf(before.stream().map(PeerGroup::encode).toList())
                .setServersInNewConf(after.stream().map(PeerGroup::encode).toList())
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .build();
        try {
            return result(
                    server.setConfigurationAsync(new SetConfigurationRequest(
                            clientId, server.getId(), groupId, lastCall.incrementAndGet(), arguments)),
                    within,
                    "the change");
        } catch (IOException closed) {
            return CompletableFuture.completedFuture(failure(closed, "the change"));
        }
    }

    /**
     * Of the leader: has another member lead.
     *
     * @param to a member other than this one; Ratis would never take a command again after being asked for another
     */
    public CompletableFuture<Result> transfer(String to, Duration within) {
        if (to.equals(settings.self()) || find(to).isEmpty()) {
            return CompletableFuture.completedFuture(new Result(Outcome.FAILED, to + " is no other member"));
        }
        try {
            return result(
                    server.transferLeadershipAsync(new TransferLeadershipRequest(
                            clientId,
                            server.getId(),
                            groupId,
                            lastCall.incrementAndGet(),
                            RaftPeerId.valueOf(to),
                            within.toMillis())),
                    within.multipliedBy(2),
                    "the transfer");
        } catch (IOException closed) {
            return CompletableFuture.completedFuture(failure(closed, "the transfer"));
        }
    }

    private static CompletableFuture<Result> result(
            CompletableFuture<RaftClientReply> reply, Duration within, String what) {
        return reply.orTimeout(within.toMillis(), TimeUnit.MILLISECONDS).handle((answer, failure) -> {
            if (failure != null) {
                return failure(failure, what);
            }
            return answer.isSuccess() ? new Result(Outcome.DONE, "") : failure(answer.getException(), what);
        });
    }

    private static Result failure(Throwable failure, String what) {
        var cause = JavaUtils.unwrapCompletionException(failure);
        if (cause instanceof ReconfigurationInProgressException) {
            return new Result(Outcome.UNDER_WAY, "another change of the group is under way");
        }
        if (cause instanceof ReconfigurationTimeoutException) {
            return new Result(
                    Outcome.FAILED, "the new peer was silent while it was to catch up; the group is as it was");
        }
        if (cause instanceof SetConfigurationException) {
            return new Result(Outcome.FAILED, "the group has changed meanwhile; this change was not begun");
        }
        if (cause instanceof TimeoutException) {
            return new Result(Outcome.UNKNOWN, what + " took too long");
        }
        return new Result(Outcome.UNKNOWN, what + " was cut short: " + cause.getMessage());
    }
}
