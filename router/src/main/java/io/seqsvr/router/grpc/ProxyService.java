package io.seqsvr.router.grpc;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.failover.AssignmentPlan;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.api.Answering;
import io.seqsvr.node.api.CallerTime;
import io.seqsvr.node.api.FrameReader;
import io.seqsvr.node.api.RefusedCalls;
import io.seqsvr.node.api.SequencesApi;
import io.seqsvr.node.server.HealthRpc;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.router.role.SeenCluster;
import io.vertx.core.Future;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The public service of a router: takes each call to the owner of its user's segment, in frames that calls of all
 * connections share, and tries again while its caller waits. It holds no numbers: only the owner has a say, and a
 * former owner has none.
 */
public final class ProxyService implements Answering {
    private static final long HEALTH_TIMEOUT_MILLIS = 500;

    private final SeenCluster cluster;
    private final CallLoop owners;
    private final UnaryCaller health;

    /**
     * A proxy by what this router has seen.
     *
     * @param owners takes calls to owners, on the event loop of the port
     * @param health asks owners how they are
     */
    public ProxyService(SeenCluster cluster, CallLoop owners, UnaryCaller health) {
        this.cluster = cluster;
        this.owners = owners;
        this.health = health;
    }

    /**
     * Binds the methods to a port.
     *
     * @param refused counts what is refused within replies
     */
    public void bind(NodeServer.Builder port, RefusedCalls refused) {
        new SequencesApi(this, refused).bind(port);
        var reader = new FrameReader();
        port.whenCallersLeave(owners::callersLeft);
        port.stream(SequencesRpc.ALLOCATE, replies -> new FrameProxy(replies, owners, reader, refused));
    }

    @Override
    public Future<Answer> answer(Wanted wanted, long timeoutMillis, Caller caller) {
        var call = new PassedCall(wanted, CallerTime.usableNanos(timeoutMillis), caller);
        owners.callHere(call);
        return call.future();
    }

    @Override
    public Future<List<Future<Answer>>> together(List<Wanted> wanted, long timeoutMillis, Caller caller) {
        var answers = new ArrayList<Future<Answer>>(wanted.size());
        for (var each : wanted) {
            answers.add(answer(each, timeoutMillis, caller));
        }
        // What became of each stands in its future.
        return Future.join(answers).otherwiseEmpty().map(answers);
    }

    /** Whether a request for any user would be answered: every segment has an owner, and every owner serves. */
    public Future<Boolean> healthy() {
        var view = cluster.view();
        if (view.isEmpty() || !AssignmentPlan.complete(view.get())) {
            return Future.succeededFuture(false);
        }
        var checks = ownersOf(view.get()).stream().map(this::serves).toList();
        return Future.all(checks).map(true).otherwise(false);
    }

    private static Set<String> ownersOf(StoreView view) {
        var owners = new HashSet<String>();
        for (var range : view.routes().ranges()) {
            view.session(range.owner()).ifPresent(member -> owners.add(member.address()));
        }
        return owners;
    }

    private Future<HealthCheckResponse> serves(String address) {
        return HostPort.reachable(address)
                .map(known -> health.call(
                        known.socketAddress(),
                        HealthRpc.CHECK,
                        HealthCheckRequest.getDefaultInstance(),
                        HEALTH_TIMEOUT_MILLIS))
                // StoreSvr takes no such address in any more, but its log may have one.
                .orElseGet(() -> Future.failedFuture("nobody can be called at '" + address + "'"))
                .compose(answer -> answer.getStatus() == ServingStatus.SERVING
                        ? Future.succeededFuture(answer)
                        : Future.failedFuture(address + " does not serve"));
    }
}
