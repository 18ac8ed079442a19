package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.RetryInfo;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.StreamResetException;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who ask for long replies and do not read them: what is kept of these is bounded, and not for ever. */
@Timeout(30)
class UnreadTest {
    private static final int MOST = 100_000;
    /** Longer than what a caller takes in that says nothing of it. */
    private static final int LONG = 80_000;
    /** There is room for one more of these while one of those is unread. */
    private static final int SHORTER = 16_000;
    /** So many times as long as what a stream is asked is what it answers in these tests. */
    private static final int TIMES = 8;

    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";

    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private TestPort port = new TestPort(MOST);
    private TestClient client = new TestClient(port);
    private TestClient other = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        other.close();
        port.close();
    }

    /** What only a later version knows makes a reply as long as one for many users. */
    private static NextReply longReply() {
        return longReply(LONG);
    }

    private static NextReply longReply(int bytes) {
        var much = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(new byte[bytes]))
                .build();
        return NextReply.newBuilder()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(1_000, much).build())
                .build();
    }

    private void giveLongReplies() {
        port.onNext((request, timeout, caller) -> Future.succeededFuture(longReply()));
    }

    /** The head of a reply has come, and nothing more is read. */
    private HttpClientResponse unread() {
        return unread(TestClient.NEXT);
    }

    private HttpClientResponse unread(String path) {
        return unread(path, TestClient.frame(REQUEST));
    }

    private HttpClientResponse unread(String path, Buffer body) {
        return TestClient.await(client.onLoop(
                () -> client.open(path).compose(request -> request.send(body)).map(response -> {
                    response.pause();
                    return response;
                })));
    }

    private GrpcAnswer call() {
        return other.post(TestClient.NEXT, TestClient.frame(REQUEST));
    }

    /** As one for many users is. */
    private static NextRequest longRequest() {
        return REQUEST.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(1_000, longReply(LONG / 2).getUnknownFields().getField(1_000))
                        .build())
                .build();
    }

    private void assertIsReadToItsEnd(HttpClientResponse response) {
        var whole = TestClient.await(client.onLoop(() -> {
            var all = TestClient.wholeAnswer(response);
            response.resume();
            return all;
        }));
        assertEquals(GrpcStatus.OK, whole.status());
    }

    private void assertRoomComes() {
        long startedAt = System.nanoTime();
        var answer = call();
        while (answer.status() == GrpcStatus.RESOURCE_EXHAUSTED) {
            assertTrue(System.nanoTime() - startedAt < TestClient.GENEROUS_MILLIS * 1_000_000, "no room came");
            answer = call();
        }
        assertEquals(GrpcStatus.OK, answer.status());
    }

    @Test
    void whereTooMuchIsUnreadLongRepliesAreRefusedUntilItIsRead() {
        giveLongReplies();
        var first = unread();
        var refused = call();
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, refused.status());
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), refused.info().getReason());
        assertEquals(1, port.refused(ErrorReason.TOO_MUCH_UNFINISHED));
        port.onNext((request, timeout, caller) -> Future.succeededFuture(TestPort.reply(request)));
        assertEquals(GrpcStatus.OK, call().status(), "a short one is no burden");
        giveLongReplies();
        assertIsReadToItsEnd(first);
        assertRoomComes();
    }

    /** As what many watch is: one object, and one buffer. */
    @Test
    void whatManyAreToldIsKeptOnceUntilAllOfThemHaveReadIt() {
        var news = longReply();
        port.onNext((request, timeout, caller) -> Future.succeededFuture(news));
        var first = unread();
        assertEquals(GrpcStatus.OK, call().status());
        assertEquals(GrpcStatus.OK, call().status());
        giveLongReplies();
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, call().status(), "the first has not read it yet");
        assertIsReadToItsEnd(first);
        assertRoomComes();
    }

    /** The last long reply is kept as bytes, and is looked at for room later than others. */
    @Test
    void whatWasToldBeforeAndFindsNoRoomNowEndsWithOneStatus() {
        var news = longReply();
        port.onNext((request, timeout, caller) -> Future.succeededFuture(news));
        assertEquals(GrpcStatus.OK, call().status());
        port.onCurrent((request, timeout, caller) -> Future.succeededFuture(CurrentReply.newBuilder()
                .setUnknownFields(longReply().getUnknownFields())
                .build()));
        var first = unread("/seqsvr.v1.Sequences/Current");
        var refused = call();
        assertFalse(refused.trailers().contains("grpc-status"), "the headers were all there was to say");
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, refused.status());
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), refused.info().getReason());
        assertTrue(refused.details().getDetails(1).is(RetryInfo.class), "and when to ask again");
        assertEquals(1, port.refused(ErrorReason.TOO_MUCH_UNFINISHED));
        assertIsReadToItsEnd(first);
        assertRoomComes();
    }

    @Test
    void whatIsLongerThanTheRoomIsSaidWhereNothingElseIs() {
        port.onNext((request, timeout, caller) -> Future.succeededFuture(longReply(2 * MOST)));
        assertEquals(GrpcStatus.OK, call().status());
        assertRoomComes();
        unread();
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, call().status());
    }

    @Test
    void whatIsUnreadKeepsNoRequestOut() {
        giveLongReplies();
        unread();
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, call().status());
        port.onNext((request, timeout, caller) -> Future.succeededFuture(TestPort.reply(request)));
        var answer = other.post(TestClient.NEXT, TestClient.frame(longRequest()));
        assertEquals(GrpcStatus.OK, answer.status(), answer::toString);
    }

    @Test
    void whoLeavesWithoutReadingMakesRoom() {
        giveLongReplies();
        unread();
        client.close();
        client = new TestClient(port);
        assertRoomComes();
    }

    @Test
    void aReplyThatIsNotReadIsTakenBack() {
        close();
        port = new TestPort(MOST, 100);
        client = new TestClient(port);
        other = new TestClient(port);
        giveLongReplies();
        var first = unread();
        Promise<Throwable> reset = Promise.promise();
        TestClient.await(client.onLoop(() -> {
            first.exceptionHandler(reset::tryComplete);
            return Future.succeededFuture();
        }));
        assertRoomComes();
        var why = TestClient.await(reset.future());
        assertTrue(why instanceof StreamResetException, why.toString());
    }

    /** A connection has what it leaves to others. */
    @Test
    void whoReadsNoneOfItsRepliesIsRefusedBeforeOthersAre() {
        giveLongReplies();
        unread();
        port.onNext((request, timeout, caller) -> Future.succeededFuture(longReply(SHORTER)));
        var refused = client.post(TestClient.NEXT, TestClient.frame(REQUEST));
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), refused.info().getReason());
        assertEquals(GrpcStatus.OK, call().status());
    }

    @Test
    void whoReadsNoneOfItsStreamsIsRefusedBeforeOthersAre() {
        unreadStream();
        var question = TestClient.frame(new byte[SHORTER / TIMES]);
        var refused = client.post(ALLOCATE, question);
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), refused.info().getReason());
        assertEquals(GrpcStatus.OK, other.post(ALLOCATE, question).status());
    }

    private static StreamHandler.Receiver answerAtLength(StreamReplies replies) {
        return (bytes, from, to) -> {
            replies.begin().put(new byte[TIMES * (to - from)]);
            replies.sent();
        };
    }

    private HttpClientResponse unreadStream() {
        port.onStream(UnreadTest::answerAtLength);
        return TestClient.await(client.onLoop(() -> client.open(ALLOCATE)
                .compose(request -> request.send(TestClient.frame(new byte[LONG / TIMES])))
                .map(HttpClientResponse::pause)));
    }

    private GrpcAnswer stream() {
        return other.post(ALLOCATE, TestClient.frame(new byte[LONG / TIMES]));
    }

    private void assertRoomComesForStreams() {
        long startedAt = System.nanoTime();
        var answer = stream();
        while (answer.status() == GrpcStatus.RESOURCE_EXHAUSTED) {
            assertTrue(System.nanoTime() - startedAt < 2 * TestClient.GENEROUS_MILLIS * 1_000_000, "no room came");
            answer = stream();
        }
        assertEquals(GrpcStatus.OK, answer.status());
    }

    /** A caller may have thousands of streams, and read of none of them. */
    @Test
    void whatStreamsAreAnsweredHasABoundToo() {
        var first = unreadStream();
        var refused = stream();
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, refused.status());
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), refused.info().getReason());
        var brief = other.post(ALLOCATE, TestClient.frame(new byte[100]));
        assertEquals(GrpcStatus.OK, brief.status(), "short replies are no burden");
        assertIsReadToItsEnd(first);
        assertRoomComesForStreams();
    }

    @Test
    void aStreamOfWhichNothingIsReadIsTakenBack() {
        close();
        port = new TestPort(MOST, 100);
        client = new TestClient(port);
        other = new TestClient(port);
        var first = unreadStream();
        Promise<Throwable> reset = Promise.promise();
        TestClient.await(client.onLoop(() -> {
            first.exceptionHandler(reset::tryComplete);
            return Future.succeededFuture();
        }));
        assertRoomComesForStreams();
        var why = TestClient.await(reset.future());
        assertTrue(why instanceof StreamResetException, why.toString());
    }

    /** What a node tells of itself counts as well: a caller may ask on streams without end. */
    @Test
    void whatTheServicesAreDescribedAsHasABoundToo() {
        var question = ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("seqsvr.v1.Sequences")
                .build();
        var path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
        assertEquals(GrpcStatus.OK, other.post(path, TestClient.frame(question)).status());
        client.close();
        client = TestClient.takingIn(port, 0);
        for (int i = 0; i < 10; i++) {
            unread(path, TestClient.frame(question));
        }
        var refused = client.post(path, TestClient.frame(question));
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), refused.info().getReason());
        assertEquals(GrpcStatus.OK, other.post(path, TestClient.frame(question)).status());
        client.close();
        client = new TestClient(port);
        giveLongReplies();
        assertRoomComes();
    }

    private void assertMetricsHaveRoom() {
        var plain = new PlainClient(port, HttpClient.Version.HTTP_1_1);
        long startedAt = System.nanoTime();
        int status = plain.get("/metrics").statusCode();
        while (status == 429) {
            assertTrue(System.nanoTime() - startedAt < TestClient.GENEROUS_MILLIS * 1_000_000, "no room came");
            status = plain.get("/metrics").statusCode();
        }
        assertEquals(200, status);
    }

    /** Without trailers the library takes a response for ended when it was handed over. */
    @Test
    void whatIsNotGrpcIsTakenBackToo() {
        close();
        port = new TestPort(MOST, 100);
        client = new TestClient(port);
        other = new TestClient(port);
        port.makeMetricsLong(LONG);
        Promise<Void> closed = Promise.promise();
        TestClient.await(client.onLoop(() -> client.open(HttpMethod.GET, "/metrics")
                .compose(request -> {
                    request.connection().closeHandler(closed::tryComplete);
                    return request.send();
                })
                .map(HttpClientResponse::pause)));
        assertMetricsHaveRoom();
        TestClient.await(closed.future());
    }

    /** Longer than what both ends of a connection keep. */
    @Test
    void soIsWhatIsAskedForOverHttp1() throws IOException {
        close();
        int longest = 30_000_000;
        // Whoever reads has to be done by then, on a busy machine too.
        port = new TestPort(longest + MOST, 3_000);
        port.makeMetricsLong(longest);
        try (var unread = new Socket(port.address().host(), port.address().port())) {
            unread.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
            unread.getOutputStream()
                    .write("GET /metrics HTTP/1.1\r\nhost: here\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertTrue(unread.getInputStream().read() > 0);
            assertMetricsHaveRoom();
            assertTrue(readToTheEnd(unread) < longest);
        }
        client = new TestClient(port);
        other = new TestClient(port);
    }

    /** gRPC-Web too: there the library takes a response for ended, and resets it no more. */
    @Test
    void soIsGrpcWebOverHttp1() throws IOException {
        close();
        int longest = 30_000_000;
        port = new TestPort(longest + MOST, 3_000);
        var long30 = longReply(longest);
        port.onNext((request, timeout, caller) -> Future.succeededFuture(long30));
        client = new TestClient(port);
        other = new TestClient(port);
        try (var unread = new Socket(port.address().host(), port.address().port())) {
            unread.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
            var body = TestClient.frame(REQUEST).getBytes();
            unread.getOutputStream()
                    .write(("POST " + TestClient.NEXT + " HTTP/1.1\r\nhost: here\r\n"
                                    + "content-type: application/grpc-web+proto\r\ncontent-length: " + body.length
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            unread.getOutputStream().write(body);
            assertTrue(unread.getInputStream().read() > 0);
            port.onNext((request, timeout, caller) -> Future.succeededFuture(longReply(2 * MOST)));
            assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, call().status());
            assertRoomComes();
            assertTrue(readToTheEnd(unread) < longest);
        }
    }

    private static long readToTheEnd(Socket socket) throws IOException {
        var buffer = new byte[1 << 16];
        long all = 0;
        try {
            for (int read = 0; read >= 0; read = socket.getInputStream().read(buffer)) {
                all += read;
            }
        } catch (SocketException reset) {
            assertTrue(String.valueOf(reset.getMessage()).contains("reset"));
        }
        return all;
    }
}
