package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** How a gRPC response ends. */
final class GrpcTrailers {
    private static final CharSequence STATUS = HttpHeaders.createOptimized("grpc-status");
    private static final CharSequence MESSAGE = HttpHeaders.createOptimized("grpc-message");
    private static final CharSequence OK = HttpHeaders.createOptimized("0");

    private GrpcTrailers() {}

    /** Well, after the last of what there is to say. Said by itself, that would cost a frame and a flush more. */
    static void endWith(HttpServerResponse response, Buffer last) {
        response.putTrailer(STATUS, OK);
        response.end(last);
    }

    /** With an error and its details. */
    static void end(HttpServerResponse response, RpcException error) {
        error.writeTo(response.trailers());
        end(response, error.status(), error.message());
    }

    /** With a status, and a message if there is one. */
    static void end(HttpServerResponse response, GrpcStatus status, String message) {
        response.putTrailer(STATUS, Integer.toString(status.code));
        if (!message.isEmpty()) {
            response.putTrailer(MESSAGE, percentEncoded(message));
        }
        response.end();
    }

    /** As gRPC wants it in {@code grpc-message}. */
    private static String percentEncoded(String message) {
        var encoded = new StringBuilder();
        for (byte each : message.getBytes(StandardCharsets.UTF_8)) {
            if (each >= 0x20 && each < 0x7f && each != '%') {
                encoded.append((char) each);
            } else {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return encoded.toString();
    }
}
