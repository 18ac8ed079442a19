package io.seqsvr.node.server;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The standard gRPC health service, {@code Check} and {@code Watch}: the whole node ({@code ""}) and each of its services
 * are SERVING exactly while the node says that it can really answer. (The library's own service answers SERVING for
 * {@code ""} whatever the node says.)
 */
final class HealthEndpoint {
    private static final long WATCH_EVERY_MILLIS = 250;

    private final Vertx vertx;
    private final Set<String> services;
    private final Supplier<Future<Boolean>> healthy;

    HealthEndpoint(Vertx vertx, Set<String> services, Supplier<Future<Boolean>> healthy) {
        this.vertx = vertx;
        this.services = services;
        this.healthy = healthy;
    }

    void bind(GrpcServer server, RequestMetrics metrics) {
        GrpcEndpoint.bind(
                server, new BoundMethod<>(vertx, HealthRpc.CHECK, (request, timeout) -> check(request), metrics));
        server.callHandler(
                ServiceMethod.server(
                        HealthRpc.CHECK.serviceName(),
                        "Watch",
                        GrpcMessageEncoder.IDENTITY,
                        GrpcMessageDecoder.IDENTITY),
                this::watch);
    }

    /** The state of the whole node. */
    Future<ServingStatus> status() {
        return healthy.get()
                .map(well -> well ? ServingStatus.SERVING : ServingStatus.NOT_SERVING)
                .otherwise(ServingStatus.NOT_SERVING);
    }

    private boolean knows(String service) {
        return service.isEmpty() || services.contains(service);
    }

    private Future<HealthCheckResponse> check(HealthCheckRequest request) {
        if (!knows(request.getService())) {
            return Future.failedFuture(RpcException.ofField(
                    GrpcStatus.NOT_FOUND,
                    ErrorReason.PATH_UNKNOWN,
                    "service",
                    "this node has no service '" + request.getService() + "'"));
        }
        return status().map(HealthEndpoint::response);
    }

    /** Sends the state at once and then each change of it, as long as the caller stays. */
    private void watch(GrpcServerRequest<Buffer, Buffer> call) {
        var sent = new AtomicReference<>(ServingStatus.UNRECOGNIZED);
        call.handler(message -> {
            String service;
            try {
                service = HealthCheckRequest.parseFrom(message.getBytes()).getService();
            } catch (InvalidProtocolBufferException broken) {
                call.response().status(GrpcStatus.INVALID_ARGUMENT).end();
                return;
            }
            tell(call, service, sent);
            long timer = vertx.setPeriodic(WATCH_EVERY_MILLIS, fired -> tell(call, service, sent));
            call.errorHandler(gone -> vertx.cancelTimer(timer));
            call.exceptionHandler(gone -> vertx.cancelTimer(timer));
            call.connection().closeHandler(gone -> vertx.cancelTimer(timer));
        });
    }

    private void tell(GrpcServerRequest<Buffer, Buffer> call, String service, AtomicReference<ServingStatus> sent) {
        var now = knows(service) ? status() : Future.succeededFuture(ServingStatus.SERVICE_UNKNOWN);
        now.onSuccess(status -> {
            if (sent.getAndSet(status) != status && !call.response().writeQueueFull()) {
                call.response().write(Buffer.buffer(response(status).toByteArray()));
            }
        });
    }

    private static HealthCheckResponse response(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }
}
