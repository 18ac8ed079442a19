package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.socket.StreamRoom;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who begin calls and streams and do not end them fill no heap, and keep nobody else out. */
@Timeout(60)
class StreamRoomTest {
    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";
    private static final int MOST = 8;
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private final TestPort port = TestPort.takingStreams(MOST);
    private final List<TestClient> clients = new ArrayList<>();
    private final TestClient greedy = client();

    @AfterEach
    void close() {
        clients.forEach(TestClient::close);
        port.close();
    }

    /** With a connection of its own. */
    private TestClient client() {
        var client = new TestClient(port);
        clients.add(client);
        return client;
    }

    private static GrpcStream open(TestClient client) {
        var stream = GrpcStream.open(client, ALLOCATE);
        stream.send(REQUEST);
        assertEquals(REQUEST, stream.take(NextRequest.parser()));
        return stream;
    }

    private List<GrpcStream> takeHalf() {
        var streams = new ArrayList<GrpcStream>();
        for (int i = 0; i < MOST / 2; i++) {
            streams.add(open(greedy));
        }
        return streams;
    }

    private static void assertServed(TestClient client) {
        var answer = client.post(TestClient.NEXT, TestClient.frame(REQUEST));
        assertEquals(TestPort.reply(REQUEST), answer.only(SequencesRpc.NEXT));
    }

    private static void assertRefused(TestClient client, String message) {
        var answer = client.post(TestClient.NEXT, TestClient.frame(REQUEST));
        answer.assertError(GrpcStatus.RESOURCE_EXHAUSTED, ErrorReason.TOO_MUCH_UNFINISHED, message);
    }

    @Test
    void aConnectionHasNoMoreThanItLeavesToOthers() {
        var streams = takeHalf();
        assertRefused(
                greedy,
                "4 calls and streams of this connection are open, and there is room for 4 more of all; a"
                        + " connection may have no more than it leaves to others; call again when others have ended");
        assertServed(client());
        assertEquals(1, port.meter("seqsvr.streams.refused"));
        assertEquals(1, port.refused(ErrorReason.TOO_MUCH_UNFINISHED));

        streams.get(0).halfClose();
        assertEquals(GrpcStatus.OK, TestClient.await(streams.get(0).ended()));
        assertServed(greedy);
        streams.get(1).send(REQUEST);
        assertEquals(REQUEST, streams.get(1).take(NextRequest.parser()), "what was open goes on");
    }

    /** Of a refused stream nothing is kept, though its caller never ends it. */
    @Test
    void aStreamThatIsRefusedIsOver() {
        takeHalf();
        var refused = GrpcStream.open(greedy, ALLOCATE);
        refused.send(REQUEST);
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, TestClient.await(refused.ended()));
        port.awaitMeter("seqsvr.streams", MOST / 2);
    }

    @Test
    void whenAllOfItIsTakenEverybodyIsRefusedUntilSomeEnd() {
        takeHalf();
        for (int i = 0; i < MOST / 2; i++) {
            open(client());
        }
        var late = client();
        assertRefused(
                late,
                "0 calls and streams of this connection are open, and there is room for 0 more of all; a"
                        + " connection may have no more than it leaves to others; call again when others have ended");
        var asJson =
                TestClient.await(late.onLoop(() -> late.open(HttpMethod.POST, "/v1/namespaces/messages/users/7:next")
                        .compose(request -> request.send().map(response -> response.statusCode()))));
        assertEquals(429, asJson);

        clients.remove(greedy);
        greedy.close();
        port.awaitMeter("seqsvr.streams", MOST / 2);
        assertServed(late);
    }

    /** Its first stream is there before any is told of; counted only when it ends, it would give room away. */
    @Test
    void aConnectionThatBeginsAsHttp1CountsItsFirstStreamOnce() throws IOException, InterruptedException {
        var address = port.address();
        var asking = HttpRequest.newBuilder(URI.create("http://" + address.host() + ":" + address.port() + "/healthz"))
                .timeout(Duration.ofMillis(TestClient.GENEROUS_MILLIS))
                .build();
        var upgrading = HttpClient.newHttpClient();
        for (int asked = 0; asked < 3; asked++) {
            var answer = upgrading.send(asking, HttpResponse.BodyHandlers.discarding());
            assertEquals(HttpClient.Version.HTTP_2, answer.version());
        }
        port.onLoop(() -> {});
        assertEquals(0, port.meter("seqsvr.streams"));
    }

    @Test
    void aProcessHasRoomForThousands() {
        assertTrue(StreamRoom.ofThisProcess() >= 1_000);
    }
}
