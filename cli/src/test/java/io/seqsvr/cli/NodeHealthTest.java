package io.seqsvr.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.cli.NodeHealth.Said;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What processes say of their health, or begin to say. */
@Timeout(60)
final class NodeHealthTest {
    /** The first frame of a server: its settings, of which there are none. */
    private static final String BEGUN = "\0\0\0\4\0\0\0\0\0";

    private static Map<HostPort, Said> said(Duration timeout, HostPort... addresses) throws Exception {
        // Whoever waited for ever could not be interrupted.
        return CompletableFuture.supplyAsync(() -> new NodeHealth(timeout).apply(List.of(addresses)))
                .get(40, TimeUnit.SECONDS);
    }

    /** What is said of a node whose health is this. */
    private static Said saidOf(boolean healthy) throws Exception {
        var vertx = NodeServer.newVertx();
        try {
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            var address = NodeServer.onContext(
                            vertx.getOrCreateContext(),
                            () -> new NodeServer.Builder(vertx, registry, "router")
                                    .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(healthy)))
                    .await()
                    .address();
            return said(Duration.ofSeconds(30), address).getOrDefault(address, Said.SILENT);
        } finally {
            vertx.close().await();
        }
    }

    /** What is said of one that says this and no more. */
    private static Said saidOf(String words, Duration timeout) throws Exception {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var caller = CompletableFuture.supplyAsync(() -> answered(listening, words));
            var address = new HostPort("127.0.0.1", listening.getLocalPort());
            var said = said(timeout, address);
            caller.get(20, TimeUnit.SECONDS).close();
            return said.getOrDefault(address, Said.NOT_SERVING);
        }
    }

    private static Socket answered(ServerSocket listening, String words) {
        try {
            var caller = listening.accept();
            caller.getOutputStream().write(words.getBytes(US_ASCII));
            return caller;
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    void whoSaysSoServesAndWhoSaysNotDoesNot() throws Exception {
        assertEquals(Said.SERVING, saidOf(true));
        assertEquals(Said.NOT_SERVING, saidOf(false));
    }

    /** That is no answer, and it is not waited for any longer than others. */
    @Test
    void whoBeginsToSayItAndStopsIsSilent() throws Exception {
        assertEquals(Said.SILENT, saidOf(BEGUN, Duration.ofSeconds(1)));
        assertEquals(Said.SILENT, saidOf("", Duration.ofSeconds(1)));
    }

    /** Compose calls machines so, and no URI may have such a host. */
    @Test
    void aNameThatNobodyKnowsOrThatIsNoNameIsSilent() throws Exception {
        var underscore = new HostPort("alloc_1", 7721);
        var blank = new HostPort("a b", 7721);
        assertEquals(
                Map.of(underscore, Said.SILENT, blank, Said.SILENT),
                said(Duration.ofSeconds(1), underscore, blank, underscore));
    }
}
