package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers whose machine is gone say nothing more, and nothing tells that they are gone: they are asked. */
@Timeout(30)
class ConnectionPingsTest {
    private static final int OFTEN_MILLIS = 100;
    /** How every HTTP/2 connection begins, with settings of which none is unusual. */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private static final byte[] HTTP_1 =
            "GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final TestPort port = TestPort.pingingEvery(OFTEN_MILLIS);

    @AfterEach
    void close() {
        port.close();
    }

    private Socket connect() throws IOException {
        var socket = new Socket(port.address().host(), port.address().port());
        socket.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
        return socket;
    }

    /** Begins a connection, and never answers anything on it. */
    private void assertSilentCallerIsClosed() throws IOException {
        try (var silent = connect()) {
            silent.getOutputStream().write(PREFACE);
            // Ends only when the port closes it.
            assertTrue(silent.getInputStream().readAllBytes().length > 0);
        }
    }

    @Test
    void whoDoesNotAnswerIsClosedAndWhoDoesStays() throws IOException {
        try (var living = new TestClient(port)) {
            Promise<Void> closed = Promise.promise();
            TestClient.await(living.onLoop(() -> living.open(TestClient.NEXT).compose(request -> {
                HttpConnection connection = request.connection();
                connection.closeHandler(closed::tryComplete);
                return request.exceptionHandler(lost -> {}).setChunked(true).sendHead();
            })));
            assertSilentCallerIsClosed();
            assertSilentCallerIsClosed();
            assertFalse(closed.future().isComplete());
        }
    }

    @Test
    void whoSpeaksHttp1IsNotAskedAndStays() throws IOException {
        try (var plain = connect()) {
            plain.getOutputStream().write(HTTP_1);
            assertAnswered(plain);
            assertSilentCallerIsClosed();
            plain.getOutputStream().write(HTTP_1);
            assertAnswered(plain);
        }
    }

    private static void assertAnswered(Socket plain) throws IOException {
        var answer = new StringBuilder();
        while (!answer.toString().contains("SERVING")) {
            int next = plain.getInputStream().read();
            assertTrue(next >= 0, () -> "closed after " + answer);
            answer.append((char) next);
        }
    }
}
