package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port that is stopped with grace answers what it has taken: numbers may have been taken for it. */
@Timeout(30)
class StopTest {
    private static final String ALLOCATE = SequencesRpc.ALLOCATE.path();
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    /** More than a connection takes that nobody reads. */
    private static final NextRequest LONG =
            NextRequest.newBuilder().setNamespace("x".repeat(4 << 20)).build();

    /** So many more are kept for a caller until the port takes it for one that does not read. */
    private static final int UNREAD = 40;

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        var taken = queue.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        if (taken == null) {
            throw new AssertionError("nothing came");
        }
        return taken;
    }

    private BlockingQueue<Promise<NextReply>> holdCalls() {
        var held = new LinkedBlockingQueue<Promise<NextReply>>();
        port.onNext((request, timeout, caller) -> {
            Promise<NextReply> answer = Promise.promise();
            held.add(answer);
            return answer.future();
        });
        return held;
    }

    @Test
    void aCallThatWasTakenIsAnsweredAndOthersAreToldToGoElsewhere() throws InterruptedException {
        var held = holdCalls();
        var call = client.call(SequencesRpc.NEXT, REQUEST);
        var answer = take(held);
        var stopped = port.stopWithin(TestClient.GENEROUS_MILLIS);
        port.onLoop(() -> {});
        var refused = new LinkedBlockingQueue<Throwable>();
        client.call(SequencesRpc.NEXT, REQUEST).onFailure(refused::add);
        var late = (RpcException) take(refused);
        assertEquals(ErrorReason.NOT_READY, late.reason());
        assertEquals(List.of(), List.copyOf(held), "nothing was done for it");
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        assertEquals(GrpcStatus.UNAVAILABLE, TestClient.await(stream.ended()));
        assertFalse(call.isComplete());
        port.onLoop(() -> answer.complete(TestPort.reply(REQUEST)));
        assertEquals(TestPort.reply(REQUEST), TestClient.await(call));
        TestClient.await(stopped);
    }

    @Test
    void aMessageThatIsHeldIsAnsweredAndThenItsStreamEnds() throws InterruptedException {
        var held = holdMessages();
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        var replies = take(held);
        var stopped = port.stopWithin(TestClient.GENEROUS_MILLIS);
        port.onLoop(() -> {});
        stream.send(REQUEST);
        port.onLoop(() -> {
            replies.begin().put(REQUEST.toByteArray());
            replies.sent();
            replies.release();
        });
        assertEquals(REQUEST, stream.take(NextRequest.parser()));
        assertEquals(GrpcStatus.UNAVAILABLE, TestClient.await(stream.ended()));
        assertTrue(held.isEmpty(), "nothing more is taken");
        TestClient.await(stopped);
    }

    @Test
    void aStreamThatItsCallerHasEndedEndsWellWithItsLastAnswer() throws InterruptedException {
        var held = holdMessages();
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        var replies = take(held);
        stream.halfClose();
        // Over the same connection: when the port sees this, it has seen the end of the first one.
        GrpcStream.open(client, ALLOCATE).send(REQUEST);
        var other = take(held);
        var stopped = port.stopWithin(TestClient.GENEROUS_MILLIS);
        port.onLoop(() -> {
            replies.begin().put(REQUEST.toByteArray());
            replies.sent();
            replies.release();
            other.release();
        });
        assertEquals(REQUEST, stream.take(NextRequest.parser()));
        assertEquals(GrpcStatus.OK, TestClient.await(stream.ended()));
        TestClient.await(stopped);
    }

    private LinkedBlockingQueue<StreamReplies> holdMessages() {
        var held = new LinkedBlockingQueue<StreamReplies>();
        port.onStream(replies -> (bytes, from, to) -> {
            replies.hold();
            held.add(replies);
        });
        return held;
    }

    /** Says something on a stream; afterwards it is on its way. */
    private void say(StreamReplies replies, NextRequest what) {
        port.onLoop(() -> {
            replies.begin().put(what.toByteArray());
            replies.sent();
        });
        port.onLoop(() -> {});
    }

    /** A stream that its caller has ended, with more said than its connection takes, and with a message held. */
    private GrpcStream endedAndUnread(BlockingQueue<StreamReplies> held) throws InterruptedException {
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        var replies = take(held);
        say(replies, REQUEST);
        assertEquals(REQUEST, stream.take(NextRequest.parser()));
        stream.pause();
        stream.halfClose();
        // Over the same connection: when it is answered, the port has seen the end of the stream.
        client.post(TestClient.NEXT, TestClient.frame(REQUEST));
        say(replies, LONG);
        for (int i = 0; i < UNREAD; i++) {
            say(replies, REQUEST);
        }
        held.add(replies);
        return stream;
    }

    private static void assertEndsWell(GrpcStream unread) {
        unread.resume();
        assertEquals(LONG, unread.take(NextRequest.parser()));
        for (int i = 0; i < UNREAD; i++) {
            assertEquals(REQUEST, unread.take(NextRequest.parser()));
        }
        assertEquals(GrpcStatus.OK, TestClient.await(unread.ended()));
    }

    @Test
    void aStreamThatItsCallerHasEndedAndDoesNotReadKeepsNoOtherFromItsAnswer() throws InterruptedException {
        var held = holdMessages();
        var unread = endedAndUnread(held);
        var last = take(held);
        try (var neighbour = new TestClient(port)) {
            var other = GrpcStream.open(neighbour, ALLOCATE);
            other.send(REQUEST);
            var waiting = take(held);
            var stopped = port.stopWithin(TestClient.GENEROUS_MILLIS);
            port.onLoop(() -> {});
            say(waiting, REQUEST);
            port.onLoop(waiting::release);
            assertEquals(REQUEST, other.take(NextRequest.parser()));
            assertEquals(GrpcStatus.UNAVAILABLE, TestClient.await(other.ended()));
            assertFalse(stopped.isComplete());
            port.onLoop(last::release);
            assertEndsWell(unread);
            TestClient.await(stopped);
        }
    }

    @Test
    void norDoesItKeepThePortOpen() throws InterruptedException {
        endedAndUnread(holdMessages());
        TestClient.await(port.stopWithin(1));
    }

    @Test
    void aStreamThatFailsAsItIsEndedKeepsNoOtherOpen() throws InterruptedException {
        var failing = new AtomicInteger();
        try (var broken = TestPort.tellingWhenCallersLeave(() -> {
                    failing.incrementAndGet();
                    throw new IllegalStateException("a defect");
                });
                var caller = new TestClient(broken)) {
            var held = new LinkedBlockingQueue<StreamReplies>();
            broken.onStream(replies -> (bytes, from, to) -> {
                replies.hold();
                held.add(replies);
            });
            for (int i = 0; i < 2; i++) {
                GrpcStream.open(caller, ALLOCATE).send(REQUEST);
                take(held);
            }
            broken.stop();
            assertEquals(2, failing.get());
        }
    }

    /** Until its caller has taken it, the connection stays. */
    @Test
    void aLongAnswerIsReadToItsEnd() throws InterruptedException {
        var answers = new LinkedBlockingQueue<>(List.of(REQUEST, LONG));
        port.onStream(replies -> (bytes, from, to) -> {
            replies.begin().put(answers.remove().toByteArray());
            replies.sent();
        });
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        assertEquals(REQUEST, stream.take(NextRequest.parser()));
        stream.pause();
        stream.send(REQUEST);
        while (!answers.isEmpty()) {
            Thread.onSpinWait();
        }
        var stopped =
                port.stopWithin(TestClient.GENEROUS_MILLIS).toCompletionStage().toCompletableFuture();
        assertThrows(TimeoutException.class, () -> stopped.get(300, TimeUnit.MILLISECONDS));
        stream.resume();
        assertEquals(LONG, stream.take(NextRequest.parser()));
        stopped.join();
    }

    @Test
    void aStreamWithNothingHeldEndsAtOnce() {
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        stream.take(NextRequest.parser());
        var stopped = port.stopWithin(TestClient.GENEROUS_MILLIS);
        assertEquals(GrpcStatus.UNAVAILABLE, TestClient.await(stream.ended()));
        TestClient.await(stopped);
    }

    @Test
    void whatIsNotAnsweredInTimeNeverIs() throws InterruptedException {
        var held = holdCalls();
        var call = client.call(SequencesRpc.NEXT, REQUEST);
        take(held);
        TestClient.await(port.stopWithin(100));
        var failed = new LinkedBlockingQueue<Throwable>();
        call.onFailure(failed::add);
        take(failed);
    }
}
