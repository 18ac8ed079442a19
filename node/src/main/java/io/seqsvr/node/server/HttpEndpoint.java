package io.seqsvr.node.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.node.socket.EarlyEnds;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;

/** What the port answers to plain HTTP: JSON calls, {@code /healthz} and {@code /metrics}. */
final class HttpEndpoint {
    /** A call for 10,000 users fits, whatever its numbers. */
    private static final int MAX_BODY_BYTES = 2 << 20;

    private final Vertx vertx;
    private final List<JsonRoute<?, ?>> routes;
    private final HealthEndpoint health;
    private final PrometheusMeterRegistry registry;
    private final RequestMetrics metrics;
    private final UnfinishedRequests unfinished;
    private final UnreadReplies unread;

    HttpEndpoint(
            Vertx vertx,
            List<JsonRoute<?, ?>> routes,
            HealthEndpoint health,
            PrometheusMeterRegistry registry,
            RequestMetrics metrics,
            UnfinishedRequests unfinished,
            UnreadReplies unread) {
        this.vertx = vertx;
        this.routes = List.copyOf(routes);
        this.health = health;
        this.registry = registry;
        this.metrics = metrics;
        this.unfinished = unfinished;
        this.unread = unread;
    }

    void handle(HttpServerRequest request) {
        body(request)
                .onSuccess(body -> dispatch(request, body))
                .onFailure(error -> refuseBody(request, (RpcException) error));
    }

    private void refuseBody(HttpServerRequest request, RpcException error) {
        if (error.reason() == ErrorReason.MALFORMED_REQUEST) {
            // What is too long comes to its end by itself; Java's own client waits for ever if it is cut short.
            JsonError.send(request.response(), 413, counted(error));
        } else {
            EarlyEnds.after(request);
            refuse(request, error);
        }
    }

    private void refuse(HttpServerRequest request, RpcException error) {
        JsonError.send(request.response(), counted(error));
    }

    private RpcException counted(RpcException error) {
        metrics.turnedAway(error.reason().name());
        return error;
    }

    private void dispatch(HttpServerRequest request, Buffer body) {
        switch (request.path()) {
            case "/metrics" -> onlyGet(request, () -> metrics(request));
            case "/healthz" -> onlyGet(request, () -> healthz(request));
            default -> json(request, body);
        }
    }

    private void onlyGet(HttpServerRequest request, Runnable answer) {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            answer.run();
        } else {
            wrongVerb(request, "GET");
        }
    }

    private void metrics(HttpServerRequest request) {
        request.response().putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
        end(request, Buffer.buffer(registry.scrape()));
    }

    private void end(HttpServerRequest request, Buffer body) {
        if (!unread.end(request, body)) {
            refuse(request, unread.refusal(request.connection()));
        }
    }

    private void healthz(HttpServerRequest request) {
        health.status()
                .onSuccess(status -> request.response()
                        .setStatusCode(status == ServingStatus.SERVING ? 200 : 503)
                        .putHeader("content-type", "application/json")
                        .end("{\"status\":\"" + status.name() + "\"}\n"));
    }

    private void json(HttpServerRequest request, Buffer body) {
        var otherOrigin = request.method().equals(HttpMethod.POST) ? OtherOrigin.refusal(request) : null;
        if (otherOrigin != null) {
            refuse(request, otherOrigin);
            return;
        }
        var allowed = "";
        for (var route : routes) {
            if (!route.matches(request.path())) {
                continue;
            }
            if (route.verb().equals(request.method())) {
                answer(request, route.answer(request, body));
                return;
            }
            allowed = route.verb().name();
        }
        if (!allowed.isEmpty()) {
            wrongVerb(request, allowed);
            return;
        }
        refuse(
                request,
                RpcException.of(
                        GrpcStatus.NOT_FOUND,
                        ErrorReason.PATH_UNKNOWN,
                        "there is nothing at " + request.method() + " " + request.path()));
    }

    private void answer(HttpServerRequest request, Future<Buffer> reply) {
        reply.onSuccess(json -> {
                    if (!request.response().closed()) {
                        request.response().putHeader("content-type", "application/json");
                        end(request, json.appendString("\n"));
                    }
                })
                .onFailure(error -> JsonError.send(request.response(), (RpcException) error));
    }

    private void wrongVerb(HttpServerRequest request, String allowed) {
        request.response().putHeader("allow", allowed);
        JsonError.send(
                request.response(),
                405,
                counted(RpcException.of(
                        GrpcStatus.UNIMPLEMENTED,
                        ErrorReason.PATH_UNKNOWN,
                        request.path() + " answers " + allowed + ", not " + request.method())));
    }

    /** The whole body; fails once it passes its bound, or that of all requests together, or does not end in time. */
    private Future<Buffer> body(HttpServerRequest request) {
        // Of its context: several wait for it, and what they throw is told there.
        var body = new Body(((VertxInternal) vertx).promise(), unfinished.roomOf(request.connection()));
        request.handler(body::append);
        request.endHandler(ended -> body.whole.tryComplete(body.bytes));
        request.exceptionHandler(broken -> body.whole.tryFail(
                RpcException.of(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, "the request broke off")));
        var begun = unfinished.begins(() -> body.whole.tryFail(unfinished.refusal("the request")));
        return body.whole.future().onComplete(known -> {
            begun.ends();
            body.forget();
        });
    }

    /** What has come of a body. */
    private static final class Body {
        private final Promise<Buffer> whole;
        private final UnfinishedBytes.Share ofConnection;
        private final BodyRoom room;
        private Buffer bytes = Buffer.buffer();

        Body(Promise<Buffer> whole, UnfinishedBytes.Share ofConnection) {
            this.whole = whole;
            this.ofConnection = ofConnection;
            this.room = new BodyRoom(ofConnection, this::refuse);
        }

        void append(Buffer chunk) {
            if (whole.future().isComplete()) {
                // The rest is read and dropped: bytes that nobody reads would hold up the connection.
                return;
            }
            if (bytes.length() + chunk.length() > MAX_BODY_BYTES) {
                whole.fail(RpcException.of(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.MALFORMED_REQUEST,
                        "the body is larger than " + MAX_BODY_BYTES + " bytes"));
            } else if (room.keep(chunk.length())) {
                bytes.appendBuffer(chunk);
            } else {
                refuse();
            }
        }

        private void refuse() {
            whole.tryFail(ofConnection.refusal());
        }

        void forget() {
            room.leave();
            // A request that was refused may go on for long.
            bytes = Buffer.buffer();
        }
    }
}
