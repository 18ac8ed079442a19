package io.seqsvr.node.server;

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
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The standard gRPC health service, {@code Check} and {@code Watch}: the whole node ({@code ""}) and each of its
 * services are SERVING exactly while the node says that it can really answer. (The library's own service answers
 * SERVING for {@code ""} whatever the node says.)
 */
final class HealthEndpoint {
    private static final long WATCH_EVERY_MILLIS = 250;
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final Set<String> services;
    private final Supplier<Future<Boolean>> healthy;
    private final Set<Watch> watches = new LinkedHashSet<>();
    private long timer = NO_TIMER;

    HealthEndpoint(Vertx vertx, Set<String> services, Supplier<Future<Boolean>> healthy) {
        this.vertx = vertx;
        this.services = services;
        this.healthy = healthy;
    }

    void bind(LibraryPort port, RequestMetrics metrics, UnreadReplies unread) {
        GrpcEndpoint.bind(
                port,
                // It tells that the port stops, to the end.
                new BoundMethod<>(
                        vertx, HealthRpc.CHECK, (request, timeout, caller) -> check(request), metrics, new UnderWay()),
                unread);
        port.bind(
                ServiceMethod.server(
                        HealthRpc.CHECK.serviceName(),
                        "Watch",
                        GrpcMessageEncoder.IDENTITY,
                        GrpcMessageDecoder.IDENTITY),
                call -> watch(call, port.mostBytes()));
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

    /** It begins when the request has ended: one that does not is taken back, and nobody would tell the watch. */
    private void watch(GrpcServerRequest<Buffer, Buffer> call, int mostBytes) {
        var body = new GrpcEndpoint.FirstMessage(mostBytes);
        call.invalidMessageHandler(tooLarge -> body.refuse());
        call.handler(body::take);
        call.endHandler(ended -> {
            try {
                new Watch(call, body.read(HealthRpc.CHECK).getService()).begin();
            } catch (RpcException malformed) {
                GrpcEndpoint.fail(call.response(), malformed);
            }
        });
    }

    /** Those who watch share each look: at a router one asks every owner. */
    private void look() {
        if (watches.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        } else {
            status().onSuccess(status -> List.copyOf(watches).forEach(watch -> watch.tell(status)));
        }
    }

    /** One caller that watches: it is sent the state at once and then each change, as long as it stays. */
    private final class Watch {
        private final GrpcServerRequest<Buffer, Buffer> call;
        private final boolean known;
        private ServingStatus sent = ServingStatus.UNRECOGNIZED;

        Watch(GrpcServerRequest<Buffer, Buffer> call, String service) {
            this.call = call;
            this.known = knows(service);
        }

        void begin() {
            watches.add(this);
            // The first tells of a stream taken back, the second of a connection lost.
            call.errorHandler(reset -> watches.remove(this));
            call.response().exceptionHandler(lost -> watches.remove(this));
            if (timer == NO_TIMER) {
                timer = vertx.setPeriodic(WATCH_EVERY_MILLIS, fired -> look());
            }
            status().onSuccess(this::tell);
        }

        private void tell(ServingStatus node) {
            var status = known ? node : ServingStatus.SERVICE_UNKNOWN;
            if (status != sent && watches.contains(this) && !call.response().writeQueueFull()) {
                sent = status;
                call.response().write(Buffer.buffer(response(status).toByteArray()));
            }
        }
    }

    private static HealthCheckResponse response(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }
}
