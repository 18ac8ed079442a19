package io.seqsvr.chaos.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages that come whole, in part, or not at all. */
@Timeout(60)
final class WebPageTest {
    private static final Duration GENEROUS = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";

    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    /** Each stays open. */
    private final BlockingQueue<Socket> callers = new LinkedBlockingQueue<>();

    WebPageTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        listening.close();
        for (var caller : callers) {
            caller.close();
        }
    }

    private Endpoint saying(String words) {
        var server = new Thread(() -> {
            try {
                var caller = listening.accept();
                callers.add(caller);
                caller.getOutputStream().write(words.getBytes(US_ASCII));
            } catch (IOException closed) {
                // The test is over.
                return;
            }
        });
        server.setDaemon(true);
        server.start();
        return new Endpoint("127.0.0.1", listening.getLocalPort());
    }

    @Test
    void aPageThatComesWholeIsRead() throws IOException {
        assertEquals(new WebPage(200, "some"), WebPage.of(saying(HEAD + "some"), "/healthz", GENEROUS));
    }

    @Test
    void oneOfWhichOnlyTheHeadComesIsWaitedForNoLongerThanAWholeOne() {
        var half = saying(HEAD + "so");
        var late = assertThrows(HttpTimeoutException.class, () -> WebPage.of(half, "/metrics", SHORT));
        assertEquals("no whole answer from http://" + half + "/metrics within 200 ms", late.getMessage());
    }

    @Test
    void whereNobodyListensItFails() throws IOException {
        var nobody = new Endpoint("127.0.0.1", listening.getLocalPort());
        listening.close();
        assertThrows(IOException.class, () -> WebPage.of(nobody, "/healthz", GENEROUS));
    }
}
