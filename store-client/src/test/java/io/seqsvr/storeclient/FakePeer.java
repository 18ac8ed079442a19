package io.seqsvr.storeclient;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.Renewed;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** A StoreSvr peer by hand, on a real port: it answers as the test tells it to and remembers what it was asked. */
final class FakePeer {
    static final String CLUSTER = "cluster-1";

    private final List<ExecuteRequest> commands = new CopyOnWriteArrayList<>();
    private final List<WatchRequest> watches = new CopyOnWriteArrayList<>();
    private final NodeServer port;
    private volatile Function<ExecuteRequest, Future<ExecuteReply>> onCommand = command -> renewed(1);
    private volatile Function<WatchRequest, Future<WatchReply>> onWatch = watch -> never();

    FakePeer(Loop loop) {
        this(loop, new HostPort("127.0.0.1", 0));
    }

    FakePeer(Loop loop, HostPort address) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        port = loop.result(() -> new NodeServer.Builder(loop.vertx(), registry, "storesvr")
                .method(StoreRpc.EXECUTE, (command, timeout, caller) -> {
                    commands.add(command);
                    return onCommand.apply(command);
                })
                .method(StoreRpc.WATCH, (watch, timeout, caller) -> {
                    watches.add(watch);
                    return onWatch.apply(watch);
                })
                .listen(address, () -> Future.succeededFuture(true)));
    }

    FakePeer answers(Function<ExecuteRequest, Future<ExecuteReply>> how) {
        onCommand = how;
        return this;
    }

    FakePeer answersWatches(Function<WatchRequest, Future<WatchReply>> how) {
        onWatch = how;
        return this;
    }

    HostPort address() {
        return port.address();
    }

    /** The commands that reached it, in order. */
    List<ExecuteRequest> commands() {
        return commands;
    }

    /** The long polls that reached it, in order. */
    List<WatchRequest> watches() {
        return watches;
    }

    /**
     * Where a peer can die and come back. Such a port is below those that the system gives to callers: one who tries a
     * port of that range until somebody listens may be given that very port, and keeps the peer from it.
     */
    static HostPort lastingAddress() throws IOException {
        while (true) {
            int port = RandomGenerator.getDefault().nextInt(20_000, 30_000);
            try (var probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return new HostPort("127.0.0.1", probe.getLocalPort());
            } catch (BindException taken) {
                // Another one then.
            }
        }
    }

    /** It dies: nobody listens at its address any more. */
    void die() {
        Loop.await(port.close());
    }

    /** A renewal's reply; the version tells the test which one it was. */
    static Future<ExecuteReply> renewed(long version) {
        return Future.succeededFuture(reply(CLUSTER, version));
    }

    static ExecuteReply reply(String cluster, long version) {
        return ExecuteReply.newBuilder()
                .setClusterId(cluster)
                .setReply(Reply.newBuilder().setRenewed(Renewed.newBuilder().setAssignmentVersion(version)))
                .build();
    }

    static Future<ExecuteReply> notLeader(String leaderAddress) {
        return notSubmitted(NotSubmitted.newBuilder()
                .setCause(NotSubmitted.Cause.NOT_LEADER)
                .setLeaderAddress(leaderAddress));
    }

    static Future<ExecuteReply> notSubmitted(NotSubmitted.Builder refusal) {
        return Future.succeededFuture(ExecuteReply.newBuilder()
                .setClusterId(CLUSTER)
                .setNotSubmitted(refusal)
                .build());
    }

    /** What a peer answers when a submitted command failed. */
    static <T> Future<T> unknownOutcome() {
        return Future.failedFuture(RpcException.of(
                GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "the outcome of the command is unknown"));
    }

    /** A peer that is frozen. */
    static <T> Future<T> never() {
        return Promise.<T>promise().future();
    }
}
