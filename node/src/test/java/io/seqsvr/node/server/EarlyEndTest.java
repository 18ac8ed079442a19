package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.StreamResetException;
import io.vertx.grpc.common.GrpcStatus;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that the server ends first: their callers hear all of the answer, then that nobody reads on. */
@Timeout(30)
class EarlyEndTest {
    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";
    private static final long NO_ERROR = 0;
    private static final Buffer PART_OF_A_MESSAGE =
            Buffer.buffer().appendByte((byte) 0).appendInt(10);
    private static final Buffer COMPRESSED =
            Buffer.buffer().appendByte((byte) 1).appendInt(0);

    private TestPort port = new TestPort();
    private TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private GrpcStream begin(String path, MultiMap headers, Buffer bytes) {
        var stream = GrpcStream.open(client, path, headers);
        stream.send(bytes);
        return stream;
    }

    private GrpcStream begin(String path, Buffer bytes) {
        return begin(path, MultiMap.caseInsensitiveMultiMap(), bytes);
    }

    private void assertEndsFirst(GrpcStatus status, GrpcStream stream) {
        assertEquals(status, TestClient.await(stream.ended()));
        assertIsOver(stream);
    }

    private void assertIsOver(GrpcStream stream) {
        var reset = assertInstanceOf(StreamResetException.class, TestClient.await(stream.reset()));
        assertEquals(NO_ERROR, reset.getCode());
        port.awaitMeter("seqsvr.streams", 0);
    }

    @Test
    void aStreamThatFailsIsOverThoughItsCallerDoesNothing() {
        assertEndsFirst(GrpcStatus.UNIMPLEMENTED, begin(ALLOCATE, COMPRESSED));
    }

    @Test
    void soIsWhatIsRefusedAtOnce() {
        var zstd = MultiMap.caseInsensitiveMultiMap().set("grpc-encoding", "zstd");
        for (var path : new String[] {TestClient.NEXT, ALLOCATE, "/grpc.health.v1.Health/Check"}) {
            assertEndsFirst(GrpcStatus.UNIMPLEMENTED, begin(path, zstd, PART_OF_A_MESSAGE));
        }
        assertEndsFirst(GrpcStatus.UNIMPLEMENTED, begin("/seqsvr.v1.Sequences/Last", PART_OF_A_MESSAGE));
    }

    @Test
    void soIsARequestThatDoesNotEndInTime() {
        close();
        port = new TestPort(100_000, 100);
        client = new TestClient(port);
        assertEndsFirst(GrpcStatus.DEADLINE_EXCEEDED, begin(TestClient.NEXT, PART_OF_A_MESSAGE));
    }

    @Test
    void soIsOneOfJson() {
        close();
        port = new TestPort(100_000, 100);
        client = new TestClient(port);
        var json = MultiMap.caseInsensitiveMultiMap().set("content-type", "application/json");
        assertIsOver(begin("/v1/namespaces/messages/users/7:next", json, Buffer.buffer("{")));
    }

    @Test
    void whatItsCallerHasNotReadComesFirst() throws InterruptedException {
        var reply = NextRequest.newBuilder().setNamespace("x".repeat(300_000)).build();
        var opened = new LinkedBlockingQueue<StreamReplies>();
        port.onStream(replies -> (bytes, from, to) -> {
            replies.begin().put(reply.toByteArray());
            replies.sent();
            opened.add(replies);
        });
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.sendHead();
        stream.pause();
        stream.send(NextRequest.getDefaultInstance());
        var replies = opened.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        port.onLoop(
                () -> replies.fail(RpcException.of(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "of a test")));
        port.onLoop(() -> {});
        assertEquals(1, port.meter("seqsvr.streams"));
        stream.resume();
        assertEquals(reply, stream.take(NextRequest.parser()));
        assertEndsFirst(GrpcStatus.NOT_FOUND, stream);
    }
}
