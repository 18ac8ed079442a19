package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a caller makes of what a server answers: the reply, or a typed error; never a message that nobody sent. */
@Timeout(20)
class UnaryCallerReplyTest {
    private static final NextReply REPLY =
            NextReply.newBuilder().setUid(7).setFirst(1).setLast(1).setEpoch(1).build();

    private final TestCaller caller = new TestCaller();

    @AfterEach
    void close() {
        caller.close();
    }

    private RpcException errorFrom(Handler<HttpServerRequest> answer) {
        try (var server = BadServer.http(answer)) {
            return caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS));
        }
    }

    private static void assertDefect(String message, RpcException error) {
        assertEquals(GrpcStatus.INTERNAL, error.status());
        assertEquals(ErrorReason.INTERNAL_DEFECT, error.reason());
        assertTrue(error.message().contains(message), error::message);
    }

    @Test
    void replyIsWhatTheServerSentAndTheServerLearnsPathAndDeadline() {
        var path = new CompletableFuture<String>();
        var deadline = new CompletableFuture<Long>();
        try (var server = BadServer.http(request -> {
            path.complete(request.path());
            deadline.complete(Long.parseLong(request.getHeader("grpc-timeout").replace("000u", "")));
            var response = BadServer.reply(request);
            response.write(BadServer.frame(REPLY));
            BadServer.end(response, 0);
        })) {
            assertEquals(REPLY, caller.replyOf(caller.next(server, 1_234)));
        }
        assertEquals("/seqsvr.v1.Sequences/Next", path.join());
        // What passed until there was a connection is gone.
        assertTrue(deadline.join() > 0 && deadline.join() < 1_234, () -> deadline.join() + " ms");
    }

    @Test
    void successWithoutAMessageIsADefect() {
        assertDefect("bears 0 messages, not one", errorFrom(request -> BadServer.end(BadServer.reply(request), 0)));
    }

    @Test
    void successWithTwoMessagesIsADefect() {
        assertDefect("bears 2 messages, not one", errorFrom(request -> {
            var response = BadServer.reply(request);
            response.write(BadServer.frame(REPLY).appendBuffer(BadServer.frame(REPLY)));
            BadServer.end(response, 0);
        }));
    }

    @Test
    void successWithBytesThatAreNoMessageIsADefect() {
        assertDefect("is not a NextReply", errorFrom(request -> {
            var response = BadServer.reply(request);
            response.write(BadServer.frame((byte) 0xff, (byte) 0xff, (byte) 0xff));
            BadServer.end(response, 0);
        }));
    }

    @Test
    void successWithAMessageCutShortIsADefect() {
        assertDefect("bears 0 messages, not one", errorFrom(request -> {
            var whole = BadServer.frame(REPLY);
            var response = BadServer.reply(request);
            response.write(whole.slice(0, whole.length() - 1));
            BadServer.end(response, 0);
        }));
    }

    @Test
    void replyBeyondTheBoundIsATypedError() {
        var error = errorFrom(request -> {
            var response = BadServer.reply(request);
            response.write(Buffer.buffer()
                    .appendByte((byte) 0)
                    .appendInt(UnaryCaller.MAX_REPLY_BYTES + 1)
                    .appendBytes(new byte[1_000]));
            BadServer.end(response, 0);
        });
        assertEquals(GrpcStatus.UNAVAILABLE, error.status());
    }

    @Test
    void messageFollowedByAnErrorIsAnError() {
        var error = errorFrom(request -> {
            var response = BadServer.reply(request);
            response.write(BadServer.frame(REPLY));
            BadServer.end(response, GrpcStatus.UNAVAILABLE.code);
        });
        assertEquals(GrpcStatus.UNAVAILABLE, error.status());
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, error.reason());
    }

    @Test
    void messageWithoutAnyStatusIsAnError() {
        var error = errorFrom(request -> {
            var response = BadServer.reply(request);
            response.write(BadServer.frame(REPLY));
            response.end();
        });
        assertEquals(GrpcStatus.UNKNOWN, error.status());
    }

    @Test
    void messageWithAStatusThatDoesNotExistIsAnError() {
        var error = errorFrom(request -> {
            var response = BadServer.reply(request);
            response.write(BadServer.frame(REPLY));
            BadServer.end(response, 99);
        });
        assertEquals(GrpcStatus.UNAVAILABLE, error.status());
        assertEquals(ErrorReason.OWNER_UNREACHABLE, error.reason());
    }

    @Test
    void errorInTheTrailersComesWithItsDetails() {
        var sent = RpcException.ofField(GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", "uid is 7");
        var received = errorFrom(request -> {
            var response = BadServer.reply(request);
            response.writeHead();
            sent.writeTo(response.trailers());
            BadServer.end(response, GrpcStatus.OUT_OF_RANGE.code);
        });
        assertEquals(sent.toStatus(), received.toStatus());
    }

    @Test
    void errorOfAReplyThatIsTrailersOnlyComesWithItsDetails() {
        var sent = RpcException.retryable(GrpcStatus.RESOURCE_EXHAUSTED, ErrorReason.TOO_MANY_WAITING, "too many", 50);
        var received = errorFrom(request -> {
            var response = BadServer.reply(request).putHeader("grpc-status", "8");
            sent.writeTo(response.headers());
            response.end();
        });
        assertEquals(sent.toStatus(), received.toStatus());
        assertEquals(50, received.retryAfterMillis());
    }

    @Test
    void errorOfAForeignServerKeepsItsMessage() {
        var error = errorFrom(request -> BadServer.reply(request)
                .putHeader("grpc-status", "12")
                .putHeader("grpc-message", "no such%20method")
                .end());
        assertEquals(GrpcStatus.UNIMPLEMENTED, error.status());
        assertEquals("no such method", error.message());
    }

    @Test
    void pageOfAProxyIsNoReply() {
        var error = errorFrom(request -> request.response()
                .setStatusCode(503)
                .putHeader("content-type", "text/html")
                .end("<h1>no upstream</h1>"));
        assertEquals(GrpcStatus.UNAVAILABLE, error.status());
        assertEquals(ErrorReason.OWNER_UNREACHABLE, error.reason());
    }
}
