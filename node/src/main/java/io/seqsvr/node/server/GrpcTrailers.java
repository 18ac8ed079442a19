package io.seqsvr.node.server;

import io.seqsvr.node.socket.EarlyEnds;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/** How a gRPC response ends. */
final class GrpcTrailers {
    /** Messages are not compressed. */
    static final String IDENTITY = "identity";

    private static final String ENCODING = "grpc-encoding";
    private static final CharSequence STATUS = HttpHeaders.createOptimized("grpc-status");
    private static final CharSequence MESSAGE = HttpHeaders.createOptimized("grpc-message");
    private static final CharSequence OK = HttpHeaders.createOptimized("0");

    private GrpcTrailers() {}

    /** Well, with whatever ends the response. */
    static void well(HttpServerResponse response) {
        response.putTrailer(STATUS, OK);
    }

    /**
     * Well, where nothing else ends the response.
     *
     * @return done when it has left, or was lost with its connection
     */
    static Future<Void> end(HttpServerRequest request) {
        last(request.response()).set(STATUS, OK);
        return over(request);
    }

    /**
     * With an error and its details.
     *
     * @return done when it has left, or was lost with its connection
     */
    static Future<Void> end(HttpServerRequest request, RpcException error) {
        write(error, last(request.response()));
        return over(request);
    }

    private static Future<Void> over(HttpServerRequest request) {
        EarlyEnds.after(request);
        return request.response().end();
    }

    /**
     * Where nothing was said yet the headers are all there is: one frame, which waits for no caller to read what went
     * before over its connection.
     */
    private static MultiMap last(HttpServerResponse response) {
        return response.headWritten() ? response.trailers() : response.headers();
    }

    private static void write(RpcException error, MultiMap last) {
        error.writeTo(last);
        last.set(STATUS, Integer.toString(error.status().code));
        if (!error.message().isEmpty()) {
            last.set(MESSAGE, percentEncoded(error.message()));
        }
    }

    /** How the messages of a request are compressed, as it says. */
    static String encodingOf(HttpServerRequest request) {
        return Objects.requireNonNullElse(request.getHeader(ENCODING), IDENTITY);
    }

    /** Why a request is refused whose messages are compressed as is not read here; the response tells what is. */
    static RpcException unreadEncoding(HttpServerRequest request, String accepted) {
        request.response().putHeader("grpc-accept-encoding", accepted);
        return RpcException.of(
                GrpcStatus.UNIMPLEMENTED,
                ErrorReason.MALFORMED_REQUEST,
                "grpc-encoding is " + encodingOf(request) + "; what is understood is " + accepted);
    }

    /** At once, in the headers, where browsers see it too. */
    static void refuse(HttpServerRequest request, CharSequence contentType, RpcException error) {
        request.response().putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        write(error, request.response().headers());
        over(request);
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
