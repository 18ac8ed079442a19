package io.seqsvr.cli;

import io.seqsvr.node.server.HealthRpc;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Asks processes for their health, all at once. */
final class NodeHealth implements Function<List<HostPort>, Map<HostPort, NodeHealth.Said>> {
    /** What a process said. */
    enum Said {
        /** It can answer. */
        SERVING,
        /** It runs, and cannot answer now. */
        NOT_SERVING,
        /** Nothing, in time. */
        SILENT
    }

    private final Duration timeout;

    /**
     * Asks nobody yet.
     *
     * @param timeout how long each may take
     */
    NodeHealth(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public Map<HostPort, Said> apply(List<HostPort> addresses) {
        return StoreOptions.on(vertx -> {
                    var caller = new UnaryCaller(vertx);
                    var asked = new LinkedHashMap<HostPort, Future<Said>>();
                    addresses.forEach(address -> asked.computeIfAbsent(address, once -> ask(caller, once)));
                    return Future.all(List.copyOf(asked.values())).map(all -> {
                        var said = new LinkedHashMap<HostPort, Said>();
                        asked.forEach((address, answer) -> said.put(address, answer.result()));
                        return said;
                    });
                })
                .result();
    }

    /** Never fails: who is called may have any name, as long as it was taken in for an address. */
    private Future<Said> ask(UnaryCaller caller, HostPort address) {
        return caller.call(
                        address.socketAddress(),
                        HealthRpc.CHECK,
                        HealthCheckRequest.getDefaultInstance(),
                        timeout.toMillis())
                .map(answer -> answer.getStatus() == ServingStatus.SERVING ? Said.SERVING : Said.NOT_SERVING)
                .otherwise(NodeHealth::said);
    }

    /** A process that refuses to tell its health runs; one that is not there, or says nothing in time, is silent. */
    private static Said said(Throwable failure) {
        return failure instanceof RpcException call
                        && call.status() != GrpcStatus.UNAVAILABLE
                        && call.status() != GrpcStatus.DEADLINE_EXCEEDED
                ? Said.NOT_SERVING
                : Said.SILENT;
    }
}
