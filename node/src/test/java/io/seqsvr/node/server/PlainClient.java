package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An HTTP client that knows nothing of gRPC, and what it may expect of every error. */
final class PlainClient {
    private static final Duration GENEROUS = Duration.ofMillis(TestClient.GENEROUS_MILLIS);
    private static final JsonFormat.Parser STATUS = JsonFormat.parser()
            .usingTypeRegistry(JsonFormat.TypeRegistry.newBuilder()
                    .add(ErrorInfo.getDescriptor())
                    .add(RetryInfo.getDescriptor())
                    .build());

    private final HttpClient http;
    private final TestPort port;

    PlainClient(TestPort port, HttpClient.Version version) {
        this.port = port;
        this.http = HttpClient.newBuilder().version(version).build();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + port.address() + path))
                .timeout(GENEROUS);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException none) {
            return fail("no response", none);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path).POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    /** What the port answers to these very bytes, until it closes the connection. */
    static String raw(TestPort port, String bytes) {
        try (var socket = new Socket(port.address().host(), port.address().port())) {
            socket.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException none) {
            return fail("no response", none);
        }
    }

    /** The error of a JSON body. */
    static Status status(String body) {
        try {
            var status = Status.newBuilder();
            STATUS.merge(body, status);
            return status.build();
        } catch (InvalidProtocolBufferException broken) {
            return fail("no google.rpc.Status: " + body, broken);
        }
    }

    static ErrorInfo info(Status status) {
        try {
            return status.getDetails(0).unpack(ErrorInfo.class);
        } catch (InvalidProtocolBufferException broken) {
            return fail(broken);
        }
    }

    /** Checks what holds of every error and tells its message. */
    static String assertError(int http, GrpcStatus code, ErrorReason reason, HttpResponse<String> response) {
        assertEquals(http, response.statusCode(), response::body);
        assertEquals(
                "application/json",
                response.headers().firstValue("content-type").orElse(""));
        var status = status(response.body());
        assertEquals(code.code, status.getCode());
        assertEquals("seqsvr", info(status).getDomain());
        assertEquals(reason.name(), info(status).getReason());
        return status.getMessage();
    }
}
