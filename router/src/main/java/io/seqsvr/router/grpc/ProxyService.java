package io.seqsvr.router.grpc;

import com.google.protobuf.Message;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.failover.AssignmentPlan;
import io.seqsvr.core.front.Routing;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.api.ManyApi;
import io.seqsvr.node.api.PublicApi;
import io.seqsvr.node.server.HealthRpc;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.NextResult;
import io.seqsvr.proto.v1.RaiseFloorReply;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.router.role.SeenCluster;
import io.vertx.core.Future;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The public service of a router: passes each request to the owner of its user's segment, and the owner's answer or
 * error back unchanged. It holds no numbers: only the owner has a say, and a former owner has none.
 */
public final class ProxyService {
    private static final long HEALTH_TIMEOUT_MILLIS = 500;

    private final SeenCluster cluster;
    private final UnaryCaller owners;
    private final ManyProxy<NextItem, NextResult, NextManyRequest, NextManyReply> nextMany;
    private final ManyProxy<CurrentItem, CurrentResult, CurrentManyRequest, CurrentManyReply> currentMany;

    /** A proxy by what this router has seen. */
    public ProxyService(SeenCluster cluster, UnaryCaller owners) {
        this.cluster = cluster;
        this.owners = owners;
        this.nextMany = new ManyProxy<>(cluster, owners, new ManyVerb.Next());
        this.currentMany = new ManyProxy<>(cluster, owners, new ManyVerb.Current());
    }

    /** Binds the methods to a port. */
    public void bind(NodeServer.Builder port) {
        port.method(SequencesRpc.NEXT, this::next)
                .method(SequencesRpc.CURRENT, this::current)
                .method(SequencesRpc.RAISE_FLOOR, this::raiseFloor)
                .method(SequencesRpc.NEXT_MANY, this::nextMany)
                .method(SequencesRpc.CURRENT_MANY, this::currentMany);
    }

    private Future<NextReply> next(NextRequest request, long timeoutMillis) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        return pass(
                request.getNamespace(),
                request.getUid(),
                SequencesRpc.NEXT,
                request,
                NextReply::getEpoch,
                timeoutMillis);
    }

    private Future<CurrentReply> current(CurrentRequest request, long timeoutMillis) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        return pass(
                request.getNamespace(),
                request.getUid(),
                SequencesRpc.CURRENT,
                request,
                CurrentReply::getEpoch,
                timeoutMillis);
    }

    private Future<RaiseFloorReply> raiseFloor(RaiseFloorRequest request, long timeoutMillis) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        return pass(
                request.getNamespace(),
                request.getUid(),
                SequencesRpc.RAISE_FLOOR,
                request,
                RaiseFloorReply::getEpoch,
                timeoutMillis);
    }

    private Future<NextManyReply> nextMany(NextManyRequest request, long timeoutMillis) {
        try {
            ManyApi.check(request);
        } catch (RpcException malformed) {
            return Future.failedFuture(malformed);
        }
        return nextMany.answer(request.getNamespace(), request.getItemsList(), timeoutMillis);
    }

    private Future<CurrentManyReply> currentMany(CurrentManyRequest request, long timeoutMillis) {
        try {
            ManyApi.check(request);
        } catch (RpcException malformed) {
            return Future.failedFuture(malformed);
        }
        return currentMany.answer(request.getNamespace(), request.getItemsList(), timeoutMillis);
    }

    private <Q extends Message, R extends Message> Future<R> pass(
            String namespace,
            long uid,
            RpcMethod<Q, R> method,
            Q request,
            ToLongFunction<R> epoch,
            long timeoutMillis) {
        var target = cluster.routes().find(namespace, uid);
        if (target instanceof Routing.Owner owner) {
            return owners.call(HostPort.parse(owner.address()).socketAddress(), method, request, timeoutMillis)
                    .compose(reply -> believed(owner, reply, epoch.applyAsLong(reply)));
        }
        return Future.failedFuture(PublicApi.error(((Routing.Nobody) target).answer()));
    }

    /** An answer of an older epoch than one that was seen comes from a former owner, and would take its caller back. */
    private <R> Future<R> believed(Routing.Owner owner, R reply, long epoch) {
        if (cluster.routes().believes(owner.segment(), epoch)) {
            return Future.succeededFuture(reply);
        }
        return Future.failedFuture(disbelieved(owner, epoch));
    }

    /** What a caller hears in place of an answer of a former owner. */
    static RpcException disbelieved(Routing.Owner owner, long epoch) {
        return PublicApi.error(new Answer.Refused(
                Refusal.NOT_OWNER,
                owner.address() + " answered for segment " + owner.segment() + " under epoch " + epoch
                        + ", but a newer epoch of it is known"));
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
        return owners.call(
                        HostPort.parse(address).socketAddress(),
                        HealthRpc.CHECK,
                        HealthCheckRequest.getDefaultInstance(),
                        HEALTH_TIMEOUT_MILLIS)
                .compose(answer -> answer.getStatus() == ServingStatus.SERVING
                        ? Future.succeededFuture(answer)
                        : Future.failedFuture(address + " does not serve"));
    }
}
