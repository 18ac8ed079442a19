package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.front.Caller;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever answers a call learns that its caller has hung up, and which callers share a connection. */
@Timeout(60)
class GoneCallerTest {
    private static final long CANCEL = 8;
    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private final BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<Caller> callers = new LinkedBlockingQueue<>();
    private final Promise<NextReply> answer = Promise.promise();
    private final TestPort port = TestPort.tellingWhenCallersLeave(() -> told.add(true));
    private final TestClient client = new TestClient(port);

    @BeforeEach
    void answerLater() {
        port.onNext((request, timeout, caller) -> {
            callers.add(caller);
            return answer.future();
        });
        port.onStream(replies -> {
            callers.add(replies);
            return (bytes, from, to) -> replies.hold();
        });
    }

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static <T> T next(BlockingQueue<T> of) throws InterruptedException {
        var one = of.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        assertTrue(one != null, "nothing came");
        return one;
    }

    private Future<HttpClientRequest> sent(TestClient by, String path, String contentType) {
        return by.onLoop(() -> by.open(path).compose(request -> {
            request.putHeader("content-type", contentType).exceptionHandler(reset -> {});
            request.response().onComplete(any -> {});
            return request.end(TestClient.frame(REQUEST)).map(request);
        }));
    }

    private void assertToldOf(Caller gone) throws InterruptedException {
        next(told);
        assertTrue(port.onLoop(gone::isGone));
    }

    private void assertLeavesByReset(String path, String contentType) throws InterruptedException {
        var request = TestClient.await(sent(client, path, contentType));
        var caller = next(callers);
        assertFalse(port.onLoop(caller::isGone));
        TestClient.await(client.onLoop(() -> request.reset(CANCEL)));
        assertToldOf(caller);
    }

    private void assertLeavesWithItsConnection(String path, String contentType) throws InterruptedException {
        var request = TestClient.await(sent(client, path, contentType));
        var caller = next(callers);
        assertFalse(port.onLoop(caller::isGone));
        TestClient.await(client.onLoop(() -> request.connection().close()));
        assertToldOf(caller);
    }

    @Test
    void whoTakesItsCallBackIsGone() throws InterruptedException {
        assertLeavesByReset(TestClient.NEXT, "application/grpc");
    }

    @Test
    void whoLosesItsConnectionIsGone() throws InterruptedException {
        assertLeavesWithItsConnection(TestClient.NEXT, "application/grpc");
    }

    @Test
    void soIsWhoCallsAsGrpcWeb() throws InterruptedException {
        assertLeavesByReset(TestClient.NEXT, "application/grpc-web+proto");
    }

    @Test
    void soIsWhoCallsAsGrpcWebAndLosesItsConnection() throws InterruptedException {
        assertLeavesWithItsConnection(TestClient.NEXT, "application/grpc-web+proto");
    }

    @Test
    void soIsWhoCallsByJson() throws IOException, InterruptedException {
        Caller caller;
        try (var socket = new Socket(port.address().host(), port.address().port())) {
            var request = "POST /v1/namespaces/messages/users/7:next HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            caller = next(callers);
            assertFalse(port.onLoop(caller::isGone));
        }
        assertToldOf(caller);
    }

    @Test
    void soIsWhoseStreamIsReset() throws InterruptedException {
        assertLeavesByReset(ALLOCATE, "application/grpc");
    }

    @Test
    void whoeverWasAnsweredLeavesWithoutAWord() throws InterruptedException {
        answer.complete(TestPort.reply(REQUEST));
        assertEquals(TestPort.reply(REQUEST), TestClient.await(client.call(SequencesRpc.NEXT, REQUEST)));
        var caller = next(callers);
        var other = new TestClient(port);
        assertEquals(TestPort.reply(REQUEST), TestClient.await(other.call(SequencesRpc.NEXT, REQUEST)));
        other.close();
        assertFalse(port.onLoop(caller::isGone));
        assertTrue(told.isEmpty());
    }

    @Test
    void whatFailsForACallerThatIsGoneCountsAsCancelled() throws InterruptedException {
        assertLeavesByReset(TestClient.NEXT, "application/grpc");
        port.onLoop(() -> answer.fail(UnderWay.refusal()));
        var metrics = new PlainClient(port, HttpClient.Version.HTTP_1_1)
                .get("/metrics")
                .body();
        assertTrue(
                metrics.contains("seqsvr_requests_seconds_count{code=\"CANCELLED\",tier=\"router\",verb=\"next\"} 1"),
                metrics);
        assertFalse(metrics.contains("code=\"UNAVAILABLE\""), metrics);
    }

    @Test
    void allCallersOfOneConnectionHaveOneShareAndThoseOfAnotherAnother() throws InterruptedException {
        TestClient.await(sent(client, TestClient.NEXT, "application/grpc"));
        var share = next(callers).share();
        TestClient.await(sent(client, TestClient.NEXT, "application/grpc"));
        assertSame(share, next(callers).share());
        TestClient.await(sent(client, TestClient.NEXT, "application/grpc-web+proto"));
        assertSame(share, next(callers).share());
        TestClient.await(sent(client, ALLOCATE, "application/grpc"));
        assertSame(share, next(callers).share());
        var other = new TestClient(port);
        TestClient.await(sent(other, TestClient.NEXT, "application/grpc"));
        assertNotSame(share, next(callers).share());
        other.close();
    }
}
