package io.seqsvr.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.cli.NodeHealth.Said;
import io.seqsvr.proto.rpc.HostPort;
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
    private static final String SERVING = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";

    /** What is said of one that says this and no more. */
    private static Said saidOf(String words, Duration timeout) throws Exception {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var caller = CompletableFuture.supplyAsync(() -> answered(listening, words));
            var address = new HostPort("127.0.0.1", listening.getLocalPort());
            // Whoever waited for ever could not be interrupted.
            var asking = CompletableFuture.supplyAsync(() -> new NodeHealth(timeout).apply(List.of(address)));
            Map<HostPort, Said> said = asking.get(40, TimeUnit.SECONDS);
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
    void whoSaysSoServes() throws Exception {
        assertEquals(Said.SERVING, saidOf(SERVING + "good", Duration.ofSeconds(30)));
    }

    /** Its headers are no answer, and it is not waited for any longer than others. */
    @Test
    void whoBeginsToSayItAndStopsIsSilent() throws Exception {
        assertEquals(Said.SILENT, saidOf(SERVING, Duration.ofSeconds(1)));
    }
}
