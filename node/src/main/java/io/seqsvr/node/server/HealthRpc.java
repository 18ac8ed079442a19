package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcMethod;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthProto;

/** The methods of the standard health service that nodes call at each other. */
public final class HealthRpc {
    /** Asks for the state of a node or of one of its services. */
    public static final RpcMethod<HealthCheckRequest, HealthCheckResponse> CHECK = RpcMethod.of(
            HealthProto.getDescriptor(),
            "Health",
            "Check",
            HealthCheckRequest.getDefaultInstance(),
            HealthCheckResponse.getDefaultInstance());

    private HealthRpc() {}
}
