package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.StreamResetException;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who begin requests and do not end them: what is kept of these is bounded, and others are served. */
@Timeout(30)
class UnfinishedTest {
    private static final int MOST = 100_000;
    /** Two of a connection are too much. */
    private static final int PART = 45_000;
    /** Two of all are too much. */
    private static final int ANNOUNCED = 60_000;

    private static final String WEB = "application/grpc-web+proto";
    private static final String HEALTH = "/grpc.health.v1.Health/Check";
    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private final TestPort port = new TestPort(MOST);
    private final TestClient client = new TestClient(port);
    private final TestClient other = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        other.close();
        port.close();
    }

    /** The beginning of a message of 200,000 bytes. */
    private static Buffer part() {
        return Buffer.buffer().appendByte((byte) 0).appendInt(200_000).appendBytes(new byte[PART]);
    }

    private HttpClientRequest begin(String path) {
        return TestClient.await(client.onLoop(() -> client.open(path)
                .compose(request -> request.setChunked(true)
                        .exceptionHandler(reset -> {})
                        .write(part())
                        .map(request))));
    }

    private GrpcAnswer end(HttpClientRequest request) {
        return TestClient.await(client.onLoop(() -> request.end().compose(ended -> answer(request))));
    }

    private static Future<GrpcAnswer> answer(HttpClientRequest request) {
        return request.response().compose(TestClient::wholeAnswer);
    }

    private void takeBack(HttpClientRequest request) {
        TestClient.await(client.onLoop(() -> request.reset(8)));
    }

    private static void assertNoRoom(GrpcAnswer answer) {
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, answer.status());
        assertEquals(ErrorReason.TOO_MUCH_UNFINISHED.name(), answer.info().getReason());
    }

    private void assertOthersAreServed() {
        var answer = other.post(TestClient.NEXT, TestClient.frame(REQUEST));
        assertEquals(TestPort.reply(REQUEST), answer.only(SequencesRpc.NEXT));
    }

    @Test
    void whoBeginsACallWhereTooMuchIsUnfinishedIsRefusedAndNobodyElse() {
        var first = begin(TestClient.NEXT);
        assertNoRoom(end(begin(TestClient.NEXT)));
        assertOthersAreServed();
        takeBack(first);
    }

    @Test
    void aBodyOfJsonWithoutRoomIsRefused() {
        var first = begin(TestClient.NEXT);
        var plain = new PlainClient(port, java.net.http.HttpClient.Version.HTTP_1_1);
        var path = "/v1/namespaces/messages/users/7:next";
        assertEquals(429, plain.post(path, " ".repeat(PART)).statusCode());
        assertOthersAreServed();
        takeBack(first);
        // The rest is bad JSON, but there is room for it.
        assertEquals(400, plain.post(path, " ".repeat(PART)).statusCode());
    }

    private HttpClientRequest beginAside(String path, String type, int length) {
        return TestClient.await(client.onLoop(() -> client.open(path)
                .compose(request -> request.putHeader("content-type", type)
                        .putHeader("content-length", Integer.toString(length))
                        .exceptionHandler(reset -> {})
                        .write(Buffer.buffer(new byte[1]))
                        .map(request))));
    }

    /** Whether a whole request of a browser is served, or finds no room. */
    private static boolean webIsRefused(TestClient by) {
        var response = TestClient.await(by.onLoop(() -> by.open(TestClient.NEXT)
                .compose(request ->
                        request.putHeader("content-type", WEB).send(TestClient.frame(new byte[ANNOUNCED])))));
        return Integer.toString(GrpcStatus.RESOURCE_EXHAUSTED.code).equals(response.getHeader("grpc-status"));
    }

    private static void awaitRoom(BooleanSupplier refused) {
        long startedAt = System.nanoTime();
        while (refused.getAsBoolean()) {
            assertTrue(System.nanoTime() - startedAt < TestClient.GENEROUS_MILLIS * 1_000_000, "no room came");
        }
    }

    /** The library says nothing of a message before it has come as a whole. */
    @Test
    void whatBrowsersSendTakesItsRoomFromTheBeginning() {
        var first = beginAside(TestClient.NEXT, WEB, ANNOUNCED);
        var second = beginAside(TestClient.NEXT, WEB, ANNOUNCED);
        assertNoRoom(TestClient.await(client.onLoop(() -> answer(second))));
        assertTrue(webIsRefused(other));
        assertOthersAreServed();
        takeBack(first);
        awaitRoom(() -> webIsRefused(other));
    }

    @Test
    void soDoesWhoeverAsksForHealth() {
        var begun = new ArrayList<HttpClientRequest>();
        for (int left = MOST / 2; left >= LibraryPort.SHORT_MESSAGE_BYTES; left -= LibraryPort.SHORT_MESSAGE_BYTES) {
            begun.add(beginAside(HEALTH, "application/grpc", LibraryPort.SHORT_MESSAGE_BYTES));
        }
        var last = beginAside(HEALTH, "application/grpc", LibraryPort.SHORT_MESSAGE_BYTES);
        assertNoRoom(TestClient.await(client.onLoop(() -> answer(last))));
        begun.forEach(this::takeBack);
        awaitRoom(() ->
                other.post(HEALTH, TestClient.frame(new byte[MOST / 30])).status() == GrpcStatus.RESOURCE_EXHAUSTED);
    }

    /** Without trailers the library answers at once, and never tells of the end. */
    @Test
    void soIsWhatWasAnsweredBeforeItsEnd() throws IOException {
        try (var hasty = new TestPort(MOST, 100);
                var later = new TestClient(hasty);
                var socket = new Socket(hasty.address().host(), hasty.address().port())) {
            socket.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
            socket.getOutputStream()
                    .write(("POST " + TestClient.NEXT + " HTTP/1.1\r\nhost: here\r\ncontent-type: application/grpc\r\n"
                                    + "content-length: " + ANNOUNCED + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertTrue(socket.getInputStream().readAllBytes().length > 0, "it is answered, and the connection closed");
            awaitRoom(() -> webIsRefused(later));
        }
    }

    @Test
    void whatDoesNotEndIsTakenBack() {
        try (var hasty = new TestPort(MOST, 100);
                var slow = new TestClient(hasty)) {
            var request = TestClient.await(slow.onLoop(() -> slow.open(TestClient.NEXT)
                    .compose(begun -> begun.putHeader("content-type", WEB)
                            .putHeader("content-length", Integer.toString(ANNOUNCED))
                            .write(Buffer.buffer(new byte[1]))
                            .map(begun))));
            Promise<Throwable> reset = Promise.promise();
            slow.onLoop(() -> Future.succeededFuture(request.exceptionHandler(reset::tryComplete)));
            assertTrue(TestClient.await(reset.future()) instanceof StreamResetException);
            awaitRoom(() -> webIsRefused(slow));
        }
    }

    /** So many bytes of one message that its connection gets no more. */
    private static HttpClientRequest fill(TestClient client, String path) {
        return TestClient.await(client.onLoop(() -> client.open(path)
                .compose(request -> request.setChunked(true)
                        .exceptionHandler(reset -> {})
                        .write(Buffer.buffer()
                                .appendByte((byte) 0)
                                .appendInt(200_000)
                                .appendBytes(new byte[MOST / 2 - 5]))
                        .map(request))));
    }

    private static void assertThereIsNoRoom(TestClient client) {
        var begun = TestClient.await(client.onLoop(() -> client.open(ALLOCATE)
                .compose(request -> request.setChunked(true)
                        .exceptionHandler(reset -> {})
                        .write(Buffer.buffer(new byte[1]))
                        .map(request))));
        assertNoRoom(TestClient.await(client.onLoop(() -> answer(begun))));
    }

    @Test
    void whatComesAtOnceIsServedWhereThereIsRoomForNotAByte() {
        var first = fill(client, TestClient.NEXT);
        assertThereIsNoRoom(client);
        for (int i = 0; i < 3; i++) {
            assertOthersAreServed();
            var path = "/v1/namespaces/messages/users/7:next";
            for (var version : java.net.http.HttpClient.Version.values()) {
                assertEquals(
                        200, new PlainClient(port, version).post(path, "{}").statusCode(), version::toString);
            }
        }
        takeBack(first);
    }

    /** The second took the place of the first, which is none for two. */
    @Test
    void whatDoesNotComeAtOnceHasAPlaceWithoutRoomForAsLongAsNobodyElseNeedsIt() {
        var full = fill(client, TestClient.NEXT);
        assertThereIsNoRoom(client);
        var half = TestClient.frame(REQUEST);
        var begun = new ArrayList<HttpClientRequest>();
        for (int i = 0; i < 2; i++) {
            begun.add(TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)
                    .compose(request -> request.setChunked(true).write(half).map(request)))));
        }
        assertNoRoom(end(begun.get(0)));
        assertEquals(GrpcStatus.OK, end(begun.get(1)).status());
        takeBack(full);
    }

    @Test
    void whoTakesAllThatItsConnectionGetsKeepsNobodyElseOut() {
        for (var path : new String[] {TestClient.NEXT, ALLOCATE}) {
            var full = fill(client, path);
            assertThereIsNoRoom(client);
            assertNoRoom(end(begin(TestClient.NEXT)));
            var message = new byte[MOST / 10];
            assertEquals(
                    GrpcStatus.OK,
                    other.post(ALLOCATE, TestClient.frame(message)).status());
            takeBack(full);
        }
    }

    private static void assertIsLate(GrpcAnswer answer) {
        assertEquals(GrpcStatus.DEADLINE_EXCEEDED, answer.status());
        assertEquals(ErrorReason.DEADLINE_PASSED.name(), answer.info().getReason());
    }

    @Test
    void aCallOrAMessageOfAStreamThatDoesNotEndInTimeIsRefusedAndLeavesItsRoom() {
        try (var hasty = new TestPort(MOST, 100);
                var slow = new TestClient(hasty)) {
            for (var path : new String[] {TestClient.NEXT, ALLOCATE}) {
                for (int i = 0; i < 3; i++) {
                    var request = fill(slow, path);
                    assertIsLate(TestClient.await(slow.onLoop(() -> answer(request))));
                }
            }
            var later = fill(slow, TestClient.NEXT);
            takeBack(later);
        }
    }

    @Test
    void soIsABodyOfJson() throws IOException {
        try (var hasty = new TestPort(MOST, 100);
                var slow = new TestClient(hasty);
                var socket = new Socket(hasty.address().host(), hasty.address().port())) {
            socket.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
            socket.getOutputStream()
                    .write(("POST /v1/namespaces/messages/users/7:next HTTP/1.1\r\nhost: here\r\ncontent-length: "
                                    + 2 * MOST + "\r\n\r\n" + " ".repeat(MOST / 2))
                            .getBytes(StandardCharsets.ISO_8859_1));
            var head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
            assertEquals("HTTP/1.1 504", head);
            var request = fill(slow, TestClient.NEXT);
            assertIsLate(TestClient.await(slow.onLoop(() -> answer(request))));
        }
    }

    /** Each of its messages takes less than the time, and all of them more. */
    @Test
    void aStreamWhoseMessagesComeInPartsGoesOn() {
        try (var hasty = new TestPort(MOST, 1_000);
                var slow = new TestClient(hasty)) {
            var stream = GrpcStream.open(slow, ALLOCATE);
            var message = TestClient.frame(REQUEST);
            long startedAt = System.nanoTime();
            stream.send(message.getBuffer(0, 3));
            while (System.nanoTime() - startedAt < TimeUnit.MILLISECONDS.toNanos(1_500)) {
                stream.send(message.getBuffer(3, message.length()).appendBuffer(message.getBuffer(0, 3)));
                assertEquals(REQUEST, stream.take(NextRequest.parser()));
            }
            stream.send(message.getBuffer(3, message.length()));
            stream.halfClose();
            assertEquals(GrpcStatus.OK, TestClient.await(stream.ended()));
        }
    }

    @Test
    void aStreamWithoutRoomForItsMessageEnds() {
        var first = begin(ALLOCATE);
        var second = begin(ALLOCATE);
        assertNoRoom(TestClient.await(client.onLoop(() -> answer(second))));
        assertOthersAreServed();
        takeBack(first);
    }

    @Test
    void messagesThatAreHeldNeedRoomUntilTheyAreDoneWith() {
        var holding = new ConcurrentLinkedQueue<StreamReplies>();
        port.onStream(replies -> (bytes, from, to) -> {
            replies.hold();
            holding.add(replies);
        });
        var whole = TestClient.frame(new byte[MOST / 10]);
        var second = new TestClient(port);
        for (var each : new TestClient[] {client, second}) {
            each.onLoop(() -> each.open(ALLOCATE)
                    .compose(request -> request.setChunked(true)
                            .exceptionHandler(reset -> {})
                            .write(whole)));
        }
        await(holding, 2);
        assertNoRoom(end(begin(TestClient.NEXT)));
        assertNoRoom(other.post(ALLOCATE, whole));
        assertEquals(2, holding.size(), "what finds no room is not begun");
        assertOthersAreServed();
        port.onLoop(() -> holding.forEach(StreamReplies::release));
        assertEquals(
                GrpcStatus.INVALID_ARGUMENT, end(begin(TestClient.NEXT)).status(), "it is not whole, but has room");
        second.close();
    }

    /** Two of them would find no room together. */
    @Test
    void messagesThatAreNotHeldLeaveTheirRoomAtOnce() {
        port.onStream(replies -> (bytes, from, to) -> {});
        var message = TestClient.frame(new byte[MOST / 10]);
        for (int i = 0; i < 3; i++) {
            var twice = message.copy().appendBuffer(message);
            assertEquals(GrpcStatus.OK, client.post(ALLOCATE, twice).status());
        }
    }

    /** Of three messages the first has room. */
    @Test
    void aStreamThatHoldsSomethingAlreadyPausesWhereThereIsNoRoomForMore() {
        var holding = new ConcurrentLinkedQueue<StreamReplies>();
        port.onStream(replies -> (bytes, from, to) -> {
            replies.hold();
            holding.add(replies);
        });
        var message = TestClient.frame(new byte[MOST / 10]);
        TestClient.await(client.onLoop(() -> client.open(ALLOCATE)
                .compose(request -> request.setChunked(true)
                        .exceptionHandler(reset -> {})
                        .write(message.copy().appendBuffer(message).appendBuffer(message)))));
        await(holding, 2);
        assertOthersAreServed();
        assertEquals(2, holding.size());
        assertFalse(port.onLoop(() -> holding.element().over()), "it only waits");
        port.onLoop(() -> holding.element().release());
        await(holding, 3);
    }

    private static void await(Collection<?> holding, int many) {
        while (holding.size() < many) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatEndsOrIsTakenBackMakesRoom() {
        for (int i = 0; i < 50; i++) {
            for (var path : new String[] {TestClient.NEXT, ALLOCATE}) {
                var begun = begin(path);
                if (i % 2 == 0) {
                    takeBack(begun);
                } else {
                    assertEquals(GrpcStatus.INVALID_ARGUMENT, end(begun).status(), "a message that is not whole");
                }
            }
        }
        assertOthersAreServed();
    }

    @Test
    void aConnectionThatIsLostMakesRoom() {
        try (var lost = new TestClient(port)) {
            TestClient.await(lost.onLoop(() -> lost.open(TestClient.NEXT)
                    .compose(request -> request.setChunked(true)
                            .exceptionHandler(gone -> {})
                            .write(part())
                            .map(request))));
        }
        long startedAt = System.nanoTime();
        GrpcAnswer answer;
        do {
            answer = end(begin(TestClient.NEXT));
        } while (answer.status() == GrpcStatus.RESOURCE_EXHAUSTED
                && System.nanoTime() - startedAt < TimeUnit.SECONDS.toNanos(10));
        assertEquals(GrpcStatus.INVALID_ARGUMENT, answer.status());
    }
}
