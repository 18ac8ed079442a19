package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A whole gRPC response as it came over the wire. */
record GrpcAnswer(MultiMap headers, MultiMap trailers, Buffer body) {
    /** Of the trailers, or of the headers where a response has nothing else. */
    String trailer(String name) {
        var value = (trailers.contains("grpc-status") ? trailers : headers).get(name);
        return value == null ? "" : value;
    }

    GrpcStatus status() {
        var status = GrpcStatus.valueOf(Integer.parseInt(trailer("grpc-status")));
        assertNotNull(status);
        return status;
    }

    String message() {
        // A plus is one there; in the form that the decoder knows it is a space.
        return URLDecoder.decode(trailer("grpc-message").replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    Status details() {
        try {
            return Status.parseFrom(Base64.getDecoder().decode(trailer("grpc-status-details-bin")));
        } catch (InvalidProtocolBufferException broken) {
            return fail(broken);
        }
    }

    ErrorInfo info() {
        try {
            for (Any detail : details().getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return detail.unpack(ErrorInfo.class);
                }
            }
            return fail("no ErrorInfo in " + details());
        } catch (InvalidProtocolBufferException broken) {
            return fail(broken);
        }
    }

    void assertError(GrpcStatus status, ErrorReason reason, String message) {
        assertEquals(status, status());
        assertEquals(message, message());
        assertEquals(message, details().getMessage());
        assertEquals(status.code, details().getCode());
        assertEquals("seqsvr", info().getDomain());
        assertEquals(reason.name(), info().getReason());
        assertEquals(0, body.length());
    }

    <R extends Message> R only(RpcMethod<?, R> method) {
        assertEquals(GrpcStatus.OK, status(), this::message);
        assertEquals(body.length() - 5, body.getInt(1));
        try {
            return method.replyParser().parseFrom(body.getBytes(5, body.length()));
        } catch (InvalidProtocolBufferException broken) {
            return fail(broken);
        }
    }
}
