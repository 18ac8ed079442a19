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
import java.util.function.Supplier;

/**
 * The standard gRPC health service, {@code Check} and {@code Watch}: the whole node ({@code ""}) and each of its
 * services are SERVING exactly while the node says that it can really answer. (The library's own service answers
 * SERVING for {@code ""} whatever the node says.)
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

    /** The state of the whole node; a node that cannot tell does not serve. */
    Future<ServingStatus> status() {
        return Future.succeededFuture()
                .compose(now -> healthy.get())
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

    private void watch(GrpcServerRequest<Buffer, Buffer> call) {
        call.handler(message -> {
            call.handler(more -> {});
            try {
                new Watch(call, HealthCheckRequest.parseFrom(message.getBytes()).getService()).begin();
            } catch (InvalidProtocolBufferException broken) {
                call.response().status(GrpcStatus.INVALID_ARGUMENT).end();
            }
        });
    }

    /** One caller that watches: it is sent the state at once and then each change, as long as it stays. */
    private final class Watch {
        private final GrpcServerRequest<Buffer, Buffer> call;
        private final String service;
        private ServingStatus sent = ServingStatus.UNRECOGNIZED;
        private boolean gone;

        Watch(GrpcServerRequest<Buffer, Buffer> call, String service) {
            this.call = call;
            this.service = service;
        }

        void begin() {
            long timer = vertx.setPeriodic(0, WATCH_EVERY_MILLIS, fired -> look());
            // The first tells of a stream taken back, the second of a connection lost.
            call.errorHandler(reset -> end(timer));
            call.response().exceptionHandler(lost -> end(timer));
        }

        private void end(long timer) {
            gone = true;
            vertx.cancelTimer(timer);
        }

        private void look() {
            var now = knows(service) ? status() : Future.succeededFuture(ServingStatus.SERVICE_UNKNOWN);
            now.onSuccess(this::tell);
        }

        private void tell(ServingStatus status) {
            if (!gone && status != sent && !call.response().writeQueueFull()) {
                sent = status;
                call.response().write(Buffer.buffer(response(status).toByteArray()));
            }
        }
    }

    private static HealthCheckResponse response(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }
}
