package io.seqsvr.router.grpc;

import com.google.protobuf.Message;
import io.seqsvr.core.front.Routing;
import io.seqsvr.node.api.ManyApi;
import io.seqsvr.node.api.PublicApi;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.router.role.SeenCluster;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls of one verb for many users at a router: split by owner, one call for each owner, results in the order of the
 * items. An owner that fails costs its own items their answers, and nobody else's.
 */
final class ManyProxy<I, X, Q extends Message, R extends Message> {
    /** Of the caller's time this part is kept, so that it still hears of those who answered when one owner hangs. */
    private static final int KEPT_PART = 10;

    private final SeenCluster cluster;
    private final UnaryCaller owners;
    private final ManyVerb<I, X, Q, R> verb;

    ManyProxy(SeenCluster cluster, UnaryCaller owners, ManyVerb<I, X, Q, R> verb) {
        this.cluster = cluster;
        this.owners = owners;
        this.verb = verb;
    }

    /** An item that goes to an owner. */
    private record Routed<T>(int place, T item, Routing.Owner owner) {}

    /**
     * Answers a call.
     *
     * @return the reply; fails only with what is true of all items
     */
    Future<R> answer(String namespace, List<I> items, long timeoutMillis) {
        var results = new ArrayList<X>(items.size());
        var parts = new LinkedHashMap<String, List<Routed<I>>>();
        for (var item : items) {
            var uid = verb.uid(item);
            if (uid.isEmpty()) {
                results.add(verb.refused(item, PublicApi.missing("uid")));
                continue;
            }
            var target = cluster.routes().find(namespace, uid.getAsLong());
            if (target instanceof Routing.Owner owner) {
                parts.computeIfAbsent(owner.address(), address -> new ArrayList<>())
                        .add(new Routed<>(results.size(), item, owner));
                results.add(verb.refused(item, unanswered(owner.address())));
                continue;
            }
            var nobody = ((Routing.Nobody) target).answer();
            var errorOfAll = ManyApi.errorOfAll(nobody);
            if (errorOfAll.isPresent()) {
                return Future.failedFuture(errorOfAll.get());
            }
            results.add(verb.refused(item, PublicApi.error(nobody)));
        }
        return ask(namespace, parts, results, timeoutMillis).map(asked -> verb.reply(results));
    }

    private Future<?> ask(String namespace, Map<String, List<Routed<I>>> parts, List<X> results, long timeoutMillis) {
        long ownersMillis = Math.max(1, timeoutMillis - timeoutMillis / KEPT_PART);
        var calls = new ArrayList<Future<?>>(parts.size());
        parts.forEach((address, part) -> {
            var request =
                    verb.request(namespace, part.stream().map(Routed::item).toList());
            calls.add(owners.call(HostPort.parse(address).socketAddress(), verb.method(), request, ownersMillis)
                    .compose(reply -> checked(address, part, verb.results(reply)))
                    .onSuccess(answers -> put(part, answers, results))
                    .onFailure(error -> refuse(part, typed(error, address), results)));
        });
        // Never fails: what became of each part stands in the results.
        return Future.join(calls).otherwiseEmpty();
    }

    /** A reply that is not one to these items must never look like one. */
    private Future<List<X>> checked(String address, List<Routed<I>> part, List<X> answers) {
        boolean fits = answers.size() == part.size();
        for (int i = 0; fits && i < part.size(); i++) {
            fits = verb.answered(answers.get(i)) == verb.uid(part.get(i).item()).orElseThrow();
        }
        return fits
                ? Future.succeededFuture(answers)
                : Future.failedFuture(RpcException.of(
                        GrpcStatus.INTERNAL,
                        ErrorReason.INTERNAL_DEFECT,
                        address + " answered " + answers.size() + " results that do not fit the " + part.size()
                                + " items"));
    }

    private void put(List<Routed<I>> part, List<X> answers, List<X> results) {
        for (int i = 0; i < part.size(); i++) {
            var routed = part.get(i);
            var answer = answers.get(i);
            var epoch = verb.epoch(answer);
            boolean believed =
                    epoch.isEmpty() || cluster.routes().believes(routed.owner().segment(), epoch.getAsLong());
            results.set(
                    routed.place(),
                    believed
                            ? answer
                            : verb.refused(routed.item(), ProxyService.disbelieved(routed.owner(), epoch.getAsLong())));
        }
    }

    private void refuse(List<Routed<I>> part, RpcException error, List<X> results) {
        part.forEach(routed -> results.set(routed.place(), verb.refused(routed.item(), error)));
    }

    private static RpcException typed(Throwable cause, String address) {
        return cause instanceof RpcException error ? error : unanswered(address);
    }

    private static RpcException unanswered(String address) {
        return RpcException.retryable(
                GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, "no answer from " + address, 0);
    }
}
