package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers whose requests are long before anything is asked, or who ask very much at once. */
@Timeout(30)
class HeaderLimitTest {
    private static final int LIMIT = 8 << 10;

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static String raw(TestPort port, String line, int headerBytes) {
        var header = "x-long: " + "x".repeat(headerBytes) + "\r\n";
        return PlainClient.raw(port, line + "\r\nhost: here\r\nconnection: close\r\n" + header + "\r\n");
    }

    private static void assertStatus(int status, String response) {
        assertTrue(response.startsWith(status + " ", "HTTP/1.1 ".length()), response);
    }

    private void assertServed() {
        var request =
                NextRequest.newBuilder().setNamespace("messages").setUid(7).build();
        assertEquals(
                1, TestClient.await(client.call(SequencesRpc.NEXT, request)).getFirst());
    }

    @Test
    void plainRequestsHaveSomeKilobytesOfHeadersAndTooLongOnesAreToldSo() {
        var asked = "GET /healthz HTTP/1.1";
        assertStatus(200, raw(port, asked, LIMIT / 2));
        assertStatus(431, raw(port, asked, LIMIT));
        assertStatus(414, raw(port, "GET /" + "x".repeat(LIMIT / 2) + " HTTP/1.1", 0));
        assertServed();
    }

    @Test
    void soHaveThoseOfHttp2AndTheNextCallIsServed() {
        var sent = client.onLoop(() -> client.open(TestClient.NEXT)
                .compose(request ->
                        request.putHeader("x-long", "x".repeat(LIMIT)).send(Buffer.buffer())));
        assertThrows(
                CompletionException.class,
                () -> sent.toCompletionStage().toCompletableFuture().join());
        assertServed();
    }

    @Test
    void aConnectionIsToldHowManyCallsItMayHaveAndHowLongTheirHeadersMayBe() {
        var told = TestClient.await(client.onLoop(() -> client.open(TestClient.NEXT)
                .map(request -> request.connection())
                .map(HttpConnection::remoteSettings)));
        assertEquals(10_000, told.getMaxConcurrentStreams());
        assertEquals(LIMIT, told.getMaxHeaderListSize());
    }
}
