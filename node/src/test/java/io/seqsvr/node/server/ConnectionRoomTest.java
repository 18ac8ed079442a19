package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.socket.ConnectionRoom;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who connect again and again, or connect and say nothing, do not take all files of a node. */
@Timeout(30)
class ConnectionRoomTest {
    private static final byte[] ASKING =
            "GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] TAKING =
            "POST /v1/namespaces/messages/users/7:next HTTP/1.1\r\nhost: here\r\ncontent-length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private static Socket connect(TestPort port) throws IOException {
        var socket = new Socket(port.address().host(), port.address().port());
        socket.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
        return socket;
    }

    /** The first byte of the answer to what is said; -1 if the connection is closed in place of that. */
    private static int answerTo(Socket caller, byte[] said) throws IOException {
        try {
            caller.getOutputStream().write(said);
            return caller.getInputStream().read();
        } catch (SocketTimeoutException open) {
            throw open;
        } catch (IOException reset) {
            // That is an end as well.
            return -1;
        }
    }

    @Test
    void whoComesWhileThereAreTooManyIsTurnedAwayAndTheOthersAreServed() throws IOException {
        try (var port = TestPort.takingConnections(2);
                var plain = connect(port)) {
            assertTrue(answerTo(plain, ASKING) >= 0);
            try (var other = connect(port)) {
                assertTrue(answerTo(other, PREFACE) >= 0);
                for (byte[] said : new byte[][] {ASKING, PREFACE}) {
                    try (var third = connect(port)) {
                        assertEquals(-1, answerTo(third, said));
                    }
                }
                assertEquals(2, port.meter("seqsvr.connections"));
                assertEquals(2, port.meter("seqsvr.connections.refused"));
                assertTrue(answerTo(plain, ASKING) >= 0, "who is there stays");
            }
            // As soon as the port has seen the other one leave.
            while (!isServed(port)) {
                Thread.onSpinWait();
            }
        }
    }

    /** Its numbers would be lost with the connection. */
    @Test
    void whatComesWithAConnectionThatIsTurnedAwayIsNotDone() throws IOException {
        var done = new AtomicInteger();
        try (var port = TestPort.takingConnections(1);
                var first = connect(port)) {
            port.onNext((request, timeout, caller) -> {
                done.incrementAndGet();
                return Future.succeededFuture(TestPort.reply(request));
            });
            assertTrue(answerTo(first, TAKING) >= 0);
            try (var second = connect(port)) {
                assertEquals(-1, answerTo(second, TAKING));
            }
            port.onLoop(() -> {});
            assertEquals(1, done.get());
        }
    }

    private static boolean isServed(TestPort port) throws IOException {
        try (var caller = connect(port)) {
            return answerTo(caller, ASKING) >= 0;
        }
    }

    @Test
    void whoConnectsAndSaysNothingTakesRoomAsWell() throws IOException {
        try (var port = TestPort.takingConnections(2);
                var halfway = connect(port)) {
            halfway.getOutputStream().write(PREFACE, 0, 5);
            try (var silent = connect(port);
                    var third = connect(port)) {
                assertEquals(-1, third.getInputStream().read(), "nothing has to be said to be turned away");
                assertEquals(2, port.meter("seqsvr.connections"));
                assertTrue(silent.isConnected());
            }
            while (!isServed(port)) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whoConnectsAndSaysNothingIsClosed() throws IOException {
        try (var port = TestPort.closingIdleAfter(200);
                var silent = connect(port)) {
            assertEquals(-1, silent.getInputStream().read());
        }
    }

    @Test
    void aNodeTakesNoMoreConnectionsThanItHasFilesFor() {
        int most = ConnectionRoom.ofThisProcess();
        assertTrue(most > 0 && most <= ConnectionRoom.MOST, () -> most + " connections");
    }
}
