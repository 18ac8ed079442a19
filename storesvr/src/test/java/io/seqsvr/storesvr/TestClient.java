package io.seqsvr.storesvr;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.internal.v1.TransferLeaderRequest;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.storeclient.NotSubmittedException;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What allocators and routers have of StoreSvr, the real {@link StoreClient}, and below it the bare calls. */
public final class TestClient implements AutoCloseable {
    /** Four classes of clusters run at once, and share one disk and two cores. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private static final long RETRY_MILLIS = 10;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final StoreClient store;
    private final UnaryCaller bare;

    /** A client that asks these peers, the first one first. */
    public TestClient(List<HostPort> peers) {
        store = new StoreClient(vertx, peers, TIMEOUT);
        bare = new UnaryCaller(vertx);
    }

    /** Puts a command through the log; tried again only while there is no leader to submit it. */
    public StoreReply execute(StoreCommand command) {
        return Deadline.await(start(command, failure -> failure instanceof NotSubmittedException));
    }

    /** Puts a command through the log whose reply is of this kind. */
    public <T extends StoreReply> T execute(Class<T> kind, StoreCommand command) {
        return cast(kind, execute(command));
    }

    /** Puts a command through that may be applied twice: tried again whatever happens. */
    public <T extends StoreReply> T executeThroughFailures(Class<T> kind, StoreCommand command) {
        return cast(kind, Deadline.await(start(command, failure -> true)));
    }

    private static <T extends StoreReply> T cast(Class<T> kind, StoreReply reply) {
        if (!kind.isInstance(reply)) {
            throw new AssertionError("no " + kind.getSimpleName() + " but " + reply);
        }
        return kind.cast(reply);
    }

    /** Sends a command once. */
    public Future<StoreReply> start(StoreCommand command) {
        return start(command, failure -> false);
    }

    private Future<StoreReply> start(StoreCommand command, Predicate<Throwable> again) {
        return NodeServer.onContext(context, () -> store.execute(command))
                .recover(failure -> again.test(failure)
                        ? vertx.timer(RETRY_MILLIS).compose(later -> start(command, again))
                        : Future.failedFuture(failure));
    }

    /** Opens a session; through failures, as its nonce makes a repeat harmless. */
    public long open(String name) {
        var command = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, name.hashCode(), name, name + ":1");
        return executeThroughFailures(StoreReply.SessionOpened.class, command).session();
    }

    /**
     * Gives segments of one namespace to a session, from the table as it is; nobody else publishes meanwhile. Through
     * failures: a repeat of what was applied after all is refused, with the version of that.
     */
    public long publish(int namespaceId, int first, int last, long session) {
        var move = List.of(new StoreCommand.Move(namespaceId, first, last, session));
        long before = executeThroughFailures(StoreReply.RoutesRefused.class, new StoreCommand.PublishRoutes(-1, move))
                .version();
        var reply = executeThroughFailures(StoreReply.class, new StoreCommand.PublishRoutes(before, move));
        if (reply instanceof StoreReply.RoutesRefused refused && refused.version() != before) {
            var view = awaitView(seen -> seen.publishVersion() >= refused.version());
            if (view.routes().find(namespaceId, first).stream().noneMatch(range -> range.owner() == session)) {
                throw new AssertionError("somebody else published: " + view);
            }
            return refused.version();
        }
        return cast(StoreReply.RoutesPublished.class, reply).version();
    }

    /** Raises one segment. */
    public StoreReply.RaisedItem raise(long session, SegmentId segment, long epoch, long maxSeq) {
        var item = new StoreCommand.RaiseItem(segment, epoch, maxSeq);
        return execute(StoreReply.Raised.class, new StoreCommand.Raise(session, List.of(item)))
                .items()
                .get(0);
    }

    /** All that a session owns. */
    public List<StoreReply.ClaimedSegment> claim(long session) {
        return execute(StoreReply.Claimed.class, new StoreCommand.Claim(session, 0))
                .segments();
    }

    /** The view as soon as one satisfies the condition. */
    public StoreView awaitView(Predicate<StoreView> condition) {
        return Deadline.await(awaitView(0, condition));
    }

    /** The future of the view that satisfies the condition; polls on through failures. */
    public Future<StoreView> awaitView(long since, Predicate<StoreView> condition) {
        return NodeServer.onContext(context, () -> store.watch(since, Duration.ofSeconds(Deadline.SECONDS)))
                .recover(failure -> vertx.timer(RETRY_MILLIS).map(later -> Optional.empty()))
                .compose(answer -> {
                    if (answer.isPresent() && condition.test(answer.get())) {
                        return Future.succeededFuture(answer.get());
                    }
                    return awaitView(answer.map(StoreView::version).orElse(since), condition);
                });
    }

    /**
     * All that callers can learn of the store.
     *
     * @param version of the newest change that a watch shows
     * @param namespaces all namespaces
     * @param sessions open sessions
     * @param tableVersion version of the route table
     * @param publishVersion version of the last PublishRoutes
     * @param ranges who owns what, in which epoch
     * @param released what of it was given back
     * @param owned by session, but for expelled ones: segments with epoch, base and max_seq
     */
    public record Truth(
            long version,
            List<Namespace> namespaces,
            List<StoreView.Member> sessions,
            long tableVersion,
            long publishVersion,
            List<RouteRange> ranges,
            List<RouteRange> released,
            Map<Long, List<StoreReply.ClaimedSegment>> owned) {}

    /** Asks for everything that was applied before. */
    public Truth truth() {
        // A watch may show a peer that still replays its log; a command is answered after all before it.
        execute(StoreReply.SessionGone.class, new StoreCommand.Renew(-1));
        var view = awaitView(any -> true);
        var owned = new TreeMap<Long, List<StoreReply.ClaimedSegment>>();
        view.receivers().forEach(session -> owned.put(session.id(), claim(session.id())));
        return new Truth(
                view.version(),
                view.namespaces(),
                view.sessions(),
                view.routes().version(),
                view.publishVersion(),
                view.routes().ranges(),
                view.released().ranges(),
                owned);
    }

    /** The bare call: a command for one peer, in the name of a cluster. */
    public ExecuteReply execute(HostPort peer, String clusterId, Command command) {
        return execute(peer, request(clusterId, command));
    }

    /** Whether one peer puts a command through the log; not if it does not lead, or no longer. */
    public boolean isAnsweredBy(HostPort peer, String clusterId, Command command) {
        return Deadline.await(call(peer, request(clusterId, command))
                .map(ExecuteReply::hasReply)
                .otherwise(false));
    }

    /** The bare call, with all that a caller may say of itself. */
    public ExecuteReply execute(HostPort peer, ExecuteRequest request) {
        return Deadline.await(call(peer, request));
    }

    private static ExecuteRequest request(String clusterId, Command command) {
        return ExecuteRequest.newBuilder()
                .setClusterId(clusterId)
                .setCommand(command)
                .build();
    }

    private Future<ExecuteReply> call(HostPort peer, ExecuteRequest request) {
        return NodeServer.onContext(
                context, () -> bare.call(peer.socketAddress(), StoreRpc.EXECUTE, request, TIMEOUT.toMillis()));
    }

    /** The bare call: what a peer says of itself. */
    public StatusReply status(HostPort peer) {
        return status(peer, StatusRequest.getDefaultInstance());
    }

    /** The bare call: what a peer says of itself, and of its state. */
    public StatusReply statusWithDigests(HostPort peer) {
        return status(peer, StatusRequest.newBuilder().setDigests(true).build());
    }

    private StatusReply status(HostPort peer, StatusRequest request) {
        return Deadline.await(NodeServer.onContext(
                context, () -> bare.call(peer.socketAddress(), StoreRpc.STATUS, request, TIMEOUT.toMillis())));
    }

    /** The bare call: a change of the group. */
    public ChangePeersReply changePeers(HostPort peer, Optional<RaftPeers.Peer> add, String remove) {
        return changePeers(peer, "", add, remove);
    }

    /** The bare call: a change of the group, in the name of a cluster. */
    public ChangePeersReply changePeers(HostPort peer, String clusterId, Optional<RaftPeers.Peer> add, String remove) {
        var request = ChangePeersRequest.newBuilder().setClusterId(clusterId).setRemove(remove);
        add.ifPresent(one -> request.setAdd(GroupMember.newBuilder()
                .setPeerId(one.id())
                .setAddress(one.service().toString())
                .setRaft(one.raft().toString())));
        return changePeers(peer, request.build());
    }

    /** The bare call: a change of the group, with all that a caller may say of itself. */
    public ChangePeersReply changePeers(HostPort peer, ChangePeersRequest request) {
        return Deadline.await(NodeServer.onContext(
                context,
                () -> bare.call(
                        peer.socketAddress(),
                        StoreRpc.CHANGE_PEERS,
                        request,
                        TimeUnit.SECONDS.toMillis(Deadline.SECONDS))));
    }

    /** The bare call: somebody else is to lead. */
    public ChangePeersReply transferLeader(HostPort peer, String to) {
        return transferLeader(peer, TransferLeaderRequest.newBuilder().setTo(to).build());
    }

    /** The bare call: the same, with all that a caller may say of itself. */
    public ChangePeersReply transferLeader(HostPort peer, TransferLeaderRequest request) {
        return Deadline.await(NodeServer.onContext(
                context,
                () -> bare.call(
                        peer.socketAddress(),
                        StoreRpc.TRANSFER_LEADER,
                        request,
                        TimeUnit.SECONDS.toMillis(Deadline.SECONDS))));
    }

    /** The bare call: one long poll. */
    public Future<WatchReply> watch(HostPort peer, long since, int waitMillis) {
        return watch(peer, "", since, waitMillis);
    }

    /** The same of a caller that says to which cluster it belongs. */
    public Future<WatchReply> watch(HostPort peer, String clusterId, long since, int waitMillis) {
        var request = WatchRequest.newBuilder()
                .setClusterId(clusterId)
                .setSince(since)
                .setWaitMillis(waitMillis)
                .build();
        return NodeServer.onContext(
                context,
                () -> bare.call(peer.socketAddress(), StoreRpc.WATCH, request, waitMillis + TIMEOUT.toMillis()));
    }

    /** The future of a peer's having applied all up to a version. */
    public Future<Long> watchUntil(HostPort peer, long version) {
        return watchUntil(peer, 0, version);
    }

    private Future<Long> watchUntil(HostPort peer, long since, long version) {
        return watch(peer, since, (int) TimeUnit.SECONDS.toMillis(Deadline.SECONDS))
                .compose(reply -> reply.getVersion() >= version
                        ? Future.succeededFuture(reply.getVersion())
                        : watchUntil(peer, reply.getVersion(), version));
    }

    /** Waits until a peer is in its group, and has what the group has. */
    public void awaitServing(HostPort peer) {
        long start = System.nanoTime();
        while (!health(peer).contains("\"SERVING\"")) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(40)) {
                throw new AssertionError(peer + " does not serve: " + status(peer));
            }
        }
    }

    /** What {@code /healthz} says. */
    public String health(HostPort peer) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://" + peer + "/healthz"))
                    .timeout(TIMEOUT)
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .strip();
        } catch (IOException unreachable) {
            throw new AssertionError(unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Runs on the client's loop. */
    public Vertx vertx() {
        return vertx;
    }

    @Override
    public void close() {
        Deadline.await(vertx.close());
    }
}
