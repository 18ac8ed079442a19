package io.seqsvr.chaos.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process on another host answers as the links between let it. */
@Timeout(120)
final class VirtualNetworkTest {
    private static final int PORT = 7000;
    private static final int SOON_MILLIS = 300;
    private static final int MUCH = 2_000_000;

    @TempDir
    private Path directory;

    private VirtualNetwork network;
    private Process echo;

    @BeforeEach
    void open() throws IOException {
        var missing = VirtualNetwork.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        network = VirtualNetwork.open(directory, List.of("echo"), 1);
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var line = List.of(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                EchoProgram.class.getName(),
                network.address("echo"),
                Integer.toString(PORT));
        echo = network.on("echo", new ProcessBuilder(line))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertEquals('!', echo.getInputStream().read());
    }

    @AfterEach
    void close() {
        if (network != null) {
            network.close();
        }
        if (echo != null) {
            echo.destroyForcibly();
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(network.address("echo"), PORT), (int) TimeUnit.SECONDS.toMillis(30));
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
        return socket;
    }

    private static String exchange(Socket socket, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(bytes);
        return new String(socket.getInputStream().readNBytes(bytes.length), StandardCharsets.US_ASCII);
    }

    @Test
    void aCutLinkLosesAllSilentlyAndOnceItIsHealedTheConnectionGoesOn() throws IOException {
        try (var socket = connect()) {
            assertEquals("hello", exchange(socket, "hello"));
            // One way only: the request comes, its answer does not.
            network.set("echo", VirtualNetwork.US, LinkState.CUT);
            socket.setSoTimeout(SOON_MILLIS);
            assertThrows(SocketTimeoutException.class, () -> exchange(socket, "there"));
            while (network.counts("echo", VirtualNetwork.US).lost() == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertEquals(0, network.counts(VirtualNetwork.US, "echo").lost());

            network.set("echo", VirtualNetwork.US, LinkState.CLEAN);
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(60));
            assertEquals(
                    "there",
                    new String(socket.getInputStream().readNBytes("there".length()), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void delayIsAddedToEachDirectionByItself() throws IOException {
        try (var socket = connect()) {
            var late = LinkState.CLEAN.delaying(Duration.ofMillis(80), Duration.ofMillis(20));
            var before = network.set(VirtualNetwork.US, "echo", late);
            long start = System.nanoTime();
            assertEquals("late", exchange(socket, "late"));
            assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(60));
            assertTrue(network.counts(VirtualNetwork.US, "echo").since(before).show(late));
            assertFalse(network.counts("echo", VirtualNetwork.US).show(late));
        }
    }

    /** Each exchange is short, so that it comes either at once or in a spike or behind one. */
    @Test
    void spikesComeAndGoAndWhatComesBehindThemWaitsToo() throws IOException {
        var spiky = LinkState.CLEAN.spiking(Duration.ofMillis(1_500));
        try (var socket = connect()) {
            var before = network.set(VirtualNetwork.US, "echo", spiky);
            long longest = 0;
            int atOnce = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (System.nanoTime() < end) {
                long start = System.nanoTime();
                assertEquals("x", exchange(socket, "x"));
                long took = System.nanoTime() - start;
                longest = Math.max(longest, took);
                atOnce += took < TimeUnit.MILLISECONDS.toNanos(100) ? 1 : 0;
            }
            assertTrue(longest >= TimeUnit.MILLISECONDS.toNanos(1_400), () -> "none took 1.5 s");
            assertTrue(atOnce > 0, "each of them was late");
            assertTrue(network.counts(VirtualNetwork.US, "echo").since(before).show(spiky));
        }
    }

    @Test
    void whatIsLostDoubledOvertakenAndDamagedComesThroughNevertheless() throws Exception {
        var bad = LinkState.CLEAN
                .losing(10_000)
                .delaying(Duration.ofMillis(2), Duration.ofMillis(1))
                .mangling(10_000, 50_000, 10_000);
        network.set(VirtualNetwork.US, "echo", bad);
        network.set("echo", VirtualNetwork.US, bad);
        var sent = new byte[MUCH];
        new SplittableRandom(1).nextBytes(sent);
        try (var socket = connect()) {
            var received = CompletableFuture.supplyAsync(() -> read(socket, sent.length));
            socket.getOutputStream().write(sent);
            assertTrue(Arrays.equals(sent, received.get(100, TimeUnit.SECONDS)));
        }
        var counts = network.counts(VirtualNetwork.US, "echo");
        assertTrue(counts.show(bad), counts::toString);
        assertFalse(counts.show(bad.resetting(1)), "no reset was seen");
    }

    /** A frame behind which none comes is only late. */
    @Test
    void onlyWhatIsOvertakenCounts() throws IOException {
        try (var socket = connect()) {
            assertEquals("hello", exchange(socket, "hello"));
            network.set(VirtualNetwork.US, "echo", LinkState.CLEAN.mangling(0, 1_000_000, 0));
            assertEquals("there", exchange(socket, "there"));
            assertEquals(0, network.counts(VirtualNetwork.US, "echo").overtaken());
        }
    }

    @Test
    void aResetEndsAConnectionAtBothEndsAndTheNextOneLives() throws IOException {
        try (var socket = connect()) {
            assertEquals("hello", exchange(socket, "hello"));
            network.set("echo", VirtualNetwork.US, LinkState.CLEAN.resetting(1_000_000));
            var ended = assertThrows(SocketException.class, () -> exchange(socket, "there"));
            assertTrue(String.valueOf(ended.getMessage()).contains("reset"), ended::toString);
            assertTrue(network.counts("echo", VirtualNetwork.US).reset() > 0);
        }
        network.set("echo", VirtualNetwork.US, LinkState.CLEAN);
        try (var socket = connect()) {
            assertEquals("again", exchange(socket, "again"));
        }
    }

    private static byte[] read(Socket socket, int length) {
        try {
            return socket.getInputStream().readNBytes(length);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aRateIsKept() throws Exception {
        network.set(VirtualNetwork.US, "echo", LinkState.CLEAN.limitedTo(8_000));
        var sent = new byte[MUCH / 4];
        try (var socket = connect()) {
            long start = System.nanoTime();
            var received = CompletableFuture.supplyAsync(() -> read(socket, sent.length));
            socket.getOutputStream().write(sent);
            assertEquals(sent.length, received.get(100, TimeUnit.SECONDS).length);
            assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(450), "500 kB at 1 MB/s");
        }
    }

    @Test
    void whatCannotBeIsSaid() {
        assertThrows(IllegalArgumentException.class, () -> network.address("nobody"));
        assertThrows(IllegalArgumentException.class, () -> LinkState.CLEAN.losing(1_000_001));
        assertThrows(IllegalArgumentException.class, () -> LinkState.CLEAN.limitedTo(-1));
    }

    @Test
    void afterItsEndNobodyIsReached() throws IOException {
        try (var socket = connect()) {
            assertEquals("hello", exchange(socket, "hello"));
            network.close();
            socket.setSoTimeout(SOON_MILLIS);
            assertThrows(IOException.class, () -> exchange(socket, "hello"));
        }
    }
}
