package io.seqsvr.node.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port that listens tells where; one that cannot says why in one sentence. */
@Timeout(20)
class NodeServerTest {
    private final Vertx vertx = NodeServer.newVertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private NodeServer listen(HostPort address) throws StartupException {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return NodeServer.await(
                NodeServer.onContext(
                        vertx.getOrCreateContext(),
                        () -> new NodeServer.Builder(vertx, registry, "router")
                                .listen(address, () -> Future.succeededFuture(true))),
                address);
    }

    @Test
    void portZeroTakesAFreeOneAndTellsIt() throws StartupException {
        var server = listen(new HostPort("127.0.0.1", 0));
        assertEquals("127.0.0.1", server.address().host());
        assertNotEquals(0, server.address().port());
    }

    @Test
    void closedPortEndsItsConnections() throws Exception {
        var server = listen(new HostPort("127.0.0.1", 0));
        try (var socket = new Socket(server.address().host(), server.address().port())) {
            socket.setSoTimeout((int) TestClient.GENEROUS_MILLIS);
            socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: node\r\n\r\n".getBytes(US_ASCII));
            assertEquals('H', socket.getInputStream().read());
            server.close().await();
            assertTrue(new String(socket.getInputStream().readAllBytes(), US_ASCII).endsWith("SERVING\"}\n"));
        }
    }

    @Test
    void portInUseIsNamedWithWhatToDo() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address = new HostPort("127.0.0.1", taken.getLocalPort());
            var refused = assertThrows(StartupException.class, () -> listen(address));
            var message = String.valueOf(refused.getMessage());
            assertTrue(message.startsWith("port " + address.port() + " on 127.0.0.1 cannot be listened on: "), message);
            assertTrue(message.endsWith("; stop what uses it or choose another"), message);
        }
    }

    @Test
    void hostThatDoesNotExistIsNamed() {
        var refused = assertThrows(StartupException.class, () -> listen(new HostPort("no-such-host.invalid", 0)));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("port 0 on no-such-host.invalid cannot be"));
    }

    @Test
    void defectWhileAPortIsBuiltIsNotTakenForAPortInUse() {
        var building = NodeServer.<NodeServer>onContext(vertx.getOrCreateContext(), () -> {
            throw new IllegalArgumentException("a defect");
        });
        assertThrows(IllegalArgumentException.class, () -> NodeServer.await(building, new HostPort("127.0.0.1", 1)));
    }
}
