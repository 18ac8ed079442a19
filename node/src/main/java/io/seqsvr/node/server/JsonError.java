package io.seqsvr.node.server;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;

/** An error as HTTP: status code, {@code Retry-After} where waiting helps, and a google.rpc.Status as JSON body. */
final class JsonError {
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer()
            .omittingInsignificantWhitespace()
            .usingTypeRegistry(JsonFormat.TypeRegistry.newBuilder()
                    .add(ErrorInfo.getDescriptor())
                    .add(RetryInfo.getDescriptor())
                    .build());

    private JsonError() {}

    static void send(HttpServerResponse response, RpcException error) {
        send(response, httpStatus(error.status()), error);
    }

    static void send(HttpServerResponse response, int httpStatus, RpcException error) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (error.retryAfterMillis() >= 0) {
            response.putHeader("retry-after", Long.toString((error.retryAfterMillis() + 999) / 1000));
        }
        response.setStatusCode(httpStatus)
                .putHeader("content-type", "application/json")
                .end(body(error));
    }

    private static String body(RpcException error) {
        try {
            // Once through the JSON library: the printer escapes apostrophes as if for HTML.
            return new JsonObject(PRINTER.print(error.toStatus())).encode() + "\n";
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException("an error of ours holds a detail that nobody can print", impossible);
        }
    }

    /** The mapping that gRPC gateways share. */
    private static int httpStatus(GrpcStatus status) {
        return switch (status) {
            case OK -> 200;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND -> 404;
            case ALREADY_EXISTS, ABORTED -> 409;
            case RESOURCE_EXHAUSTED -> 429;
            case CANCELLED -> 499;
            case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
            case UNIMPLEMENTED -> 501;
            case UNAVAILABLE -> 503;
            case DEADLINE_EXCEEDED -> 504;
        };
    }
}
