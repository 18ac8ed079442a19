package io.seqsvr.storesvr.grpc;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.CommandDecoder;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.RaisedItem;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storesvr.expiry.SessionExpiry;
import io.seqsvr.storesvr.raft.EntryQueue;
import io.seqsvr.storesvr.raft.RaftMember;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.raft.RaftSettings;
import io.seqsvr.storesvr.replica.Replica;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * StoreSvr's internal service. A command is refused before it reaches the log (another cluster or another life of it,
 * not leading, too large, or one to which the rules say no whatever comes), or submitted; a submitted one is answered
 * by its reply or by an error that leaves the outcome unknown.
 */
public final class StoreService {
    private static final Logger LOG = LoggerFactory.getLogger(StoreService.class);
    private static final long MOST_WAIT_MILLIS = 60_000;

    private final String clusterId;
    private final RaftPeers peers;
    private final RaftMember member;
    private final EntryQueue queue;
    private final Replica replica;
    private final SessionExpiry expiry;
    private final Context context;
    private final WatchQueue watches;
    private final StatusAnswer status;
    private final BackupAnswer backups;
    private final PeersService changes;
    private final Counter raised;
    private final Counter stale;
    private final Counter unheard;

    /** A service of one peer; listens to the replica from now on. */
    public StoreService(
            Vertx vertx,
            Context context,
            String clusterId,
            RaftPeers peers,
            Standing standing,
            RaftMember member,
            EntryQueue queue,
            Replica replica,
            SessionExpiry expiry,
            MeterRegistry registry) {
        this.clusterId = clusterId;
        this.peers = peers;
        this.member = member;
        this.queue = queue;
        this.replica = replica;
        this.expiry = expiry;
        this.context = context;
        this.watches = new WatchQueue(
                vertx, context, replica, clusterId, () -> member.group().members());
        this.status = new StatusAnswer(clusterId, peers, standing, member, queue, replica);
        this.backups = new BackupAnswer(
                vertx,
                context,
                peers.self(),
                queue,
                replica,
                member::readLogAfter,
                this::isReady,
                () -> member.group().leader().isPresent());
        this.changes =
                new PeersService(context, clusterId, peers.self(), member.group(), standing, replica, this::isReady);
        this.raised = raises(registry, "accepted");
        this.stale = raises(registry, "stale");
        this.unheard = Counter.builder("seqsvr.store.renewals.unheard")
                .description("Renewals refused because their senders had not heard what they were answered")
                .tags("tier", "storesvr")
                .register(registry);
        replica.listen(watches);
        standing.listen(watches::regrouped);
    }

    private static Counter raises(MeterRegistry registry, String result) {
        return Counter.builder("seqsvr.store.raises")
                .description("Segments raised through this peer, by result")
                .tags("tier", "storesvr", "result", result)
                .register(registry);
    }

    /** Binds the methods to a port. */
    public void bind(NodeServer.Builder port) {
        changes.bind(port);
        port.method(StoreRpc.EXECUTE, (request, timeout, caller) -> execute(request))
                .method(StoreRpc.WATCH, (request, timeout, caller) -> watch(request))
                .method(StoreRpc.STATUS, (request, timeout, caller) -> status(request))
                .method(StoreRpc.BACKUP, (request, timeout, caller) -> backups.page(request));
    }

    private Future<ExecuteReply> execute(ExecuteRequest request) {
        var refused = refusal(request);
        if (refused.isPresent()) {
            return Future.succeededFuture(signed(refused.get()));
        }
        var submitted = queue.offer(request.getCommand());
        if (submitted.isEmpty()) {
            var busy = notSubmitted(
                    NotSubmitted.Cause.BUSY,
                    "too many commands wait for the log of this peer; try again a little later");
            return Future.succeededFuture(signed(busy.orElseThrow()));
        }
        return Future.fromCompletionStage(submitted.get(), context)
                .recover(failure -> Future.failedFuture(RpcException.of(
                        GrpcStatus.UNAVAILABLE,
                        ErrorReason.NOT_READY,
                        "the outcome of the command is unknown: " + failure.getMessage())))
                .map(reply -> signed(ExecuteReply.newBuilder().setReply(finish(request.getCommand(), reply))));
    }

    /** Every answer says of which cluster this peer is, and of which of its lives. */
    private ExecuteReply signed(ExecuteReply.Builder reply) {
        replica.cluster().ifPresent(cluster -> reply.setIncarnation(cluster.incarnation()));
        return reply.setClusterId(clusterId).build();
    }

    /** The answer to a command that must not reach the log. */
    private Optional<ExecuteReply.Builder> refusal(ExecuteRequest request) {
        if (!request.getClusterId().isEmpty() && !request.getClusterId().equals(clusterId)) {
            return notSubmitted(
                    NotSubmitted.Cause.OTHER_CLUSTER,
                    "this peer is of cluster " + clusterId + ", the caller of " + request.getClusterId());
        }
        var cluster = replica.cluster();
        if (request.hasIncarnation()
                && cluster.isPresent()
                && request.getIncarnation() != cluster.get().incarnation()) {
            return notSubmitted(
                    NotSubmitted.Cause.OTHER_INCARNATION,
                    "this peer is of incarnation " + cluster.get().incarnation() + " of the cluster, the caller of "
                            + Integer.toUnsignedString(request.getIncarnation()));
        }
        if (!isReady()) {
            var refusal = NotSubmitted.newBuilder().setCause(NotSubmitted.Cause.NOT_LEADER);
            member.group()
                    .leader()
                    .filter(leader -> !leader.id().equals(peers.self()))
                    .ifPresent(
                            leader -> refusal.setLeaderAddress(leader.service().toString()));
            return Optional.of(ExecuteReply.newBuilder().setNotSubmitted(refusal));
        }
        if (request.getCommand().getSerializedSize() > RaftSettings.MOST_COMMAND_BYTES) {
            return notSubmitted(
                    NotSubmitted.Cause.TOO_LARGE,
                    "the command has " + request.getCommand().getSerializedSize() + " bytes; it may have "
                            + RaftSettings.MOST_COMMAND_BYTES);
        }
        return refusalByRules(request.getCommand());
    }

    /** Whether this peer takes commands. The first leader of all is of no use before it has created the cluster. */
    private boolean isReady() {
        return expiry.isLeading() && member.isLeader() && replica.cluster().isPresent();
    }

    private Optional<ExecuteReply.Builder> refusalByRules(Command command) {
        StoreCommand decoded;
        try {
            decoded = CommandDecoder.decode(command);
        } catch (IllegalArgumentException malformed) {
            return notSubmitted(NotSubmitted.Cause.MALFORMED, String.valueOf(malformed.getMessage()));
        }
        if (decoded instanceof StoreCommand.ExpireSession || decoded instanceof StoreCommand.CreateCluster) {
            return notSubmitted(NotSubmitted.Cause.MALFORMED, "only StoreSvr itself sends " + command.getKindCase());
        }
        return refusalOfTheAddress(decoded)
                .or(() -> refusalOfTheGroup(decoded))
                .or(() -> refusalOfTheLeader(decoded))
                .map(reply -> ExecuteReply.newBuilder().setReply(ReplyEncoder.encode(reply)));
    }

    private Optional<StoreReply> refusalOfTheLeader(StoreCommand command) {
        var refused = expiry.refuse(command);
        if (refused.isPresent() && refused.get() instanceof StoreReply.RenewalUnheard unheard) {
            this.unheard.increment();
            LOG.warn("event=renewal_unheard session={}", unheard.session());
        }
        return refused;
    }

    /** Core does not know how addresses are written; of what is too long for it, it says so itself. */
    private static Optional<StoreReply> refusalOfTheAddress(StoreCommand command) {
        return command instanceof StoreCommand.OpenSession open
                        && open.address().length() <= StoreCommand.MAX_NAME
                        && HostPort.reachable(open.address()).isEmpty()
                ? Optional.of(new StoreReply.Rejected("OpenSession of '" + open.name() + "' with the address '"
                        + open.address() + "', which is no HOST:PORT with a port from 1 to 65535; others could not call"
                        + " it; it was not put into the log"))
                : Optional.empty();
    }

    /** What core cannot refuse, as it does not know how many elect a leader here, and for how long. */
    private Optional<StoreReply> refusalOfTheGroup(StoreCommand command) {
        return command instanceof StoreCommand.AlterCluster alter
                        && alter.change().ttlNanos().isPresent()
                ? RaftSettings.ttlProblem(
                                alter.change().ttlNanos().getAsLong(),
                                member.group().members().size())
                        .map(StoreReply.ClusterRefused::new)
                : Optional.empty();
    }

    private static Optional<ExecuteReply.Builder> notSubmitted(NotSubmitted.Cause cause, String detail) {
        return Optional.of(ExecuteReply.newBuilder()
                .setNotSubmitted(NotSubmitted.newBuilder().setCause(cause).setDetail(detail)));
    }

    /** What only the leader's soft state can add to a reply, and what is counted. */
    private Reply finish(Command command, Reply reply) {
        switch (reply.getKindCase()) {
            case RENEWED ->
                expiry.renewed(
                        command.getRenew().getSession(), command.getRenew().getAttempt());
            case SESSION_HELD -> {
                var held = reply.getSessionHeld();
                return ReplyEncoder.encode(expiry.complete(
                        new StoreReply.SessionHeld(held.getHolder(), held.getName(), held.getAddress(), 0)));
            }
            case RAISED -> {
                long accepted = reply.getRaised().getItemsList().stream()
                        .filter(RaisedItem::getAccepted)
                        .count();
                raised.increment((double) accepted);
                stale.increment((double) (reply.getRaised().getItemsCount() - accepted));
            }
            default -> {}
        }
        return reply;
    }

    /** Who is of another cluster, or has seen a later life of this one, hears at once whom it asks. */
    private Future<WatchReply> watch(WatchRequest request) {
        if ((!request.getClusterId().isEmpty() && !request.getClusterId().equals(clusterId))
                || replica.cluster()
                        .filter(cluster -> Stamp.incarnation(request.getSince()) > cluster.incarnation())
                        .isPresent()) {
            return Future.succeededFuture(watches.withoutView());
        }
        return watches.watch(request.getSince(), Math.min(MOST_WAIT_MILLIS, request.getWaitMillis()));
    }

    private Future<StatusReply> status(StatusRequest request) {
        var answer = status.now(request, isReady());
        return request.getDigests()
                ? context.executeBlocking(() -> status.withDigests(answer))
                : Future.succeededFuture(answer);
    }
}
