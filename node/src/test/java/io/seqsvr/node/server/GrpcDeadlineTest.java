package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call ends by its caller's deadline at the latest, and callers that go away leave nothing broken behind. */
@Timeout(20)
class GrpcDeadlineTest {
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);
    private final BlockingQueue<Long> timeouts = new LinkedBlockingQueue<>();
    private final BlockingQueue<Promise<NextReply>> pending = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    /** From now on calls wait until the test answers them. */
    private void leaveCallsPending() {
        port.onNext((request, timeout, caller) -> {
            timeouts.add(timeout);
            Promise<NextReply> reply = Promise.promise();
            pending.add(reply);
            return reply.future();
        });
    }

    private Promise<NextReply> takePending() throws InterruptedException {
        var call = pending.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        assertTrue(call != null, "no call came");
        return call;
    }

    private void assertServes() {
        port.onNext((request, timeout, caller) -> Future.succeededFuture(TestPort.reply(request)));
        assertEquals(TestPort.reply(REQUEST), TestClient.await(client.call(SequencesRpc.NEXT, REQUEST)));
    }

    private GrpcAnswer nextWithin(String grpcTimeout) {
        return client.post(
                TestClient.NEXT,
                MultiMap.caseInsensitiveMultiMap().set("grpc-timeout", grpcTimeout),
                TestClient.frame(REQUEST));
    }

    private long timeoutSeenFor(String grpcTimeout) {
        port.onNext((request, timeout, caller) -> {
            timeouts.add(timeout);
            return Future.succeededFuture(TestPort.reply(request));
        });
        assertEquals(GrpcStatus.OK, nextWithin(grpcTimeout).status());
        return timeouts.remove();
    }

    @Test
    void handlerLearnsHowLongTheCallerWaits() {
        assertEquals(1_500, timeoutSeenFor("1500m"));
        assertEquals(2_000, timeoutSeenFor("2S"));
        assertEquals(TimeUnit.DAYS.toMillis(30), timeoutSeenFor("99999999H"), "nobody waits longer");
    }

    @Test
    void callerWhoNamesNoTimeOrNoneThatCanBeReadWaitsTenSeconds() {
        assertEquals(10_000, timeoutSeenFor("soon"));
        port.onNext((request, timeout, caller) -> {
            timeouts.add(timeout);
            return Future.succeededFuture(TestPort.reply(request));
        });
        client.post(TestClient.NEXT, TestClient.frame(REQUEST));
        assertEquals(10_000, timeouts.remove());
    }

    @Test
    void callEndsAtTheDeadlineAndALateReplyDoesNoHarm() throws Exception {
        leaveCallsPending();
        long startedAt = System.nanoTime();
        nextWithin("120m")
                .assertError(
                        GrpcStatus.DEADLINE_EXCEEDED, ErrorReason.DEADLINE_PASSED, "Next had no answer within 120 ms");
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
        assertTrue(tookMillis >= 119 && tookMillis < 5_000, () -> "after " + tookMillis + " ms");
        takePending().complete(TestPort.reply(REQUEST));
        assertServes();
    }

    @Test
    void deadlineOfLessThanAMillisecondIsADeadlineToo() {
        leaveCallsPending();
        for (var timeout : new String[] {"900u", "1n", "0m"}) {
            assertEquals(GrpcStatus.DEADLINE_EXCEEDED, nextWithin(timeout).status(), timeout);
        }
    }

    @Test
    void callerThatTakesItsCallBackDoesNoHarm() throws Exception {
        leaveCallsPending();
        for (var late : new Future<?>[] {
            Future.succeededFuture(TestPort.reply(REQUEST)), Future.failedFuture(new IllegalStateException("late"))
        }) {
            var request = TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)));
            TestClient.await(client.onLoop(() -> request.end(TestClient.frame(REQUEST))));
            var call = takePending();
            TestClient.await(client.onLoop(() -> request.reset(8)));
            // An answer on the same connection: the port has read the reset before it.
            client.post("/unknown", TestClient.frame());
            late.onSuccess(reply -> call.complete((NextReply) reply)).onFailure(call::fail);
        }
        assertServes();
    }

    @Test
    void callerWhoseConnectionBreaksDoesNoHarm() throws Exception {
        leaveCallsPending();
        var request = TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)));
        TestClient.await(client.onLoop(() -> request.end(TestClient.frame(REQUEST))));
        var call = takePending();
        TestClient.await(client.onLoop(() -> request.connection().close()));
        assertServes();
        call.complete(TestPort.reply(REQUEST));
        assertServes();
    }

    @Test
    void requestThatIsTakenBackHalfSentReachesNoHandler() {
        leaveCallsPending();
        var request = TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)));
        TestClient.await(client.onLoop(
                () -> request.setChunked(true).write(TestClient.frame(REQUEST).slice(0, 4))));
        TestClient.await(client.onLoop(() -> request.reset(8)));
        assertServes();
        assertEquals(0, timeouts.size());
    }

    /**
     * gRPC libraries reset every call whose deadline passed: a slow second must not cost the connection of the others.
     */
    @Test
    void connectionOutlivesManyCallsTakenBack() throws Exception {
        leaveCallsPending();
        var kept = TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)));
        var answer = client.onLoop(() -> {
            kept.end(TestClient.frame(REQUEST));
            return kept.response().compose(TestClient::wholeAnswer);
        });
        var keptCall = takePending();
        for (int i = 0; i < 1_000; i++) {
            var request = TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)));
            TestClient.await(client.onLoop(() -> request.end(TestClient.frame(REQUEST))));
            TestClient.await(client.onLoop(() -> request.reset(8)));
        }
        client.post("/unknown", TestClient.frame());
        keptCall.complete(TestPort.reply(REQUEST));
        assertEquals(TestPort.reply(REQUEST), TestClient.await(answer).only(SequencesRpc.NEXT));
    }
}
