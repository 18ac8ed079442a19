package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of messages both ways over a real socket: bytes in, bytes out, and how they end. */
@Timeout(60)
class StreamTest {
    private static final String PATH = "/seqsvr.v1.Sequences/Allocate";

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static NextRequest message(int uid) {
        return NextRequest.newBuilder().setNamespace("messages").setUid(uid).build();
    }

    private static GrpcStatus endOf(GrpcStream stream) {
        return TestClient.await(stream.ended());
    }

    @Test
    void manyMessagesInOneChunkAndOneMessageInManyChunksComeOutInOrder() {
        var stream = GrpcStream.open(client, PATH);
        var all = Buffer.buffer();
        for (int uid = 0; uid < 1_000; uid++) {
            all.appendBuffer(TestClient.frame(message(uid)));
        }
        stream.send(all);
        for (int uid = 0; uid < 1_000; uid++) {
            assertEquals(message(uid), stream.take(NextRequest.parser()));
        }
        var one = TestClient.frame(message(7));
        for (int at = 0; at < one.length(); at++) {
            stream.send(one.getBuffer(at, at + 1));
        }
        assertEquals(message(7), stream.take(NextRequest.parser()));
        stream.halfClose();
        assertEquals(GrpcStatus.OK, endOf(stream));
    }

    @Test
    void aCompressedMessageOneThatIsTooLongAndOneThatIsCutOffEndTheStream() {
        assertEquals(
                GrpcStatus.UNIMPLEMENTED,
                endAfter(Buffer.buffer().appendByte((byte) 1).appendInt(0)));
        assertEquals(
                GrpcStatus.RESOURCE_EXHAUSTED,
                endAfter(Buffer.buffer().appendByte((byte) 0).appendInt((256 << 10) + 1)));
        assertEquals(
                GrpcStatus.RESOURCE_EXHAUSTED,
                endAfter(Buffer.buffer().appendByte((byte) 0).appendInt(-1)));
        var stream = GrpcStream.open(client, PATH);
        stream.send(Buffer.buffer().appendByte((byte) 0).appendInt(10));
        stream.halfClose();
        assertEquals(GrpcStatus.INVALID_ARGUMENT, endOf(stream));
    }

    /** Some libraries send nothing before. */
    @Test
    void theHeadOfTheResponseWaitsForNoMessage() {
        var stream = GrpcStream.open(client, PATH);
        stream.sendHead();
        assertEquals(200, TestClient.await(stream.head()).statusCode());
        stream.send(message(1));
        assertEquals(message(1), stream.take(NextRequest.parser()));
        stream.halfClose();
        assertEquals(GrpcStatus.OK, endOf(stream));
    }

    private GrpcStatus endAfter(Buffer bytes) {
        var stream = GrpcStream.open(client, PATH);
        stream.send(bytes);
        return endOf(stream);
    }

    @Test
    void theErrorOfAReceiverAndADefectEndTheStreamTyped() {
        port.onStream(replies -> (bytes, from, to) -> {
            if (to - from > 20) {
                throw new IllegalStateException("defect");
            }
            throw RpcException.of(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, "broken: 100 %");
        });
        assertEquals(GrpcStatus.INVALID_ARGUMENT, endAfter(TestClient.frame(message(1))));
        var longer = message(1).toBuilder()
                .setNamespace("a namespace that is longer")
                .build();
        assertEquals(GrpcStatus.INTERNAL, endAfter(TestClient.frame(longer)));
    }

    @Test
    void noMoreMessagesAreReadWhileTooManyAreHeldAndAllAreAnsweredInTheEnd() throws InterruptedException {
        var held = new LinkedBlockingQueue<StreamReplies>();
        var came = new AtomicInteger();
        port.onStream(replies -> (bytes, from, to) -> {
            came.incrementAndGet();
            replies.hold();
            held.add(replies);
        });
        var stream = GrpcStream.open(client, PATH);
        var all = Buffer.buffer();
        for (int i = 0; i < 100; i++) {
            all.appendBuffer(TestClient.frame(message(i)));
        }
        stream.send(all);
        stream.halfClose();
        for (int i = 0; i < 100; i++) {
            var replies = take(held);
            assertTrue(came.get() - i <= StreamCall.MOST_HELD, came + " came, " + i + " were released");
            port.onLoop(() -> {
                replies.begin().put(message(1).toByteArray());
                replies.sent();
                replies.release();
            });
            stream.take(NextRequest.parser());
        }
        assertEquals(GrpcStatus.OK, endOf(stream));
    }

    @Test
    @Timeout(20)
    void aNodeThatStopsEndsItsStreams() {
        var stream = GrpcStream.open(client, PATH);
        stream.send(message(1));
        stream.take(NextRequest.parser());
        port.stop();
        assertEquals(GrpcStatus.UNAVAILABLE, endOf(stream));
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        var taken = queue.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        if (taken == null) {
            throw new AssertionError("nothing came");
        }
        return taken;
    }

    @Test
    void aStreamThatIsResetIsOverAndWhatIsSaidAfterwardsIsLost() throws InterruptedException {
        var opened = new LinkedBlockingQueue<StreamReplies>();
        port.onStream(replies -> (bytes, from, to) -> {
            replies.hold();
            opened.add(replies);
        });
        var stream = GrpcStream.open(client, PATH);
        stream.send(message(1));
        var replies = take(opened);
        stream.cancel();
        for (boolean over = false; !over; ) {
            over = port.onLoop(() -> replies.over());
        }
        port.onLoop(() -> {
            replies.begin().put(message(1).toByteArray());
            replies.sent();
            replies.release();
        });
        var next = GrpcStream.open(client, PATH);
        next.send(message(2));
        take(opened);
    }
}
