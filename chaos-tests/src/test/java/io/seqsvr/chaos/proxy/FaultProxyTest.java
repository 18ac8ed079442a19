package io.seqsvr.chaos.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers and servers see through the proxy, over real sockets. */
@Timeout(60)
final class FaultProxyTest {
    private final FaultProxy proxy = new FaultProxy(CallerNames.none(), new SplittableRandom(1));
    private final TcpServer server = TcpServer.echo();
    private final Endpoint door = proxy.create("echo", server.endpoint());

    @AfterEach
    void closeAll() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void withoutToxicsItIsNotThere() throws IOException {
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
            caller.socket().shutdownOutput();
            assertTrue(caller.hearsTheEnd());
        }
        Await.until("both sockets are closed", () -> counts().open() == 0);
        assertEquals(new ProxyCounts.Bytes(5, 0), counts().upstream());
        assertEquals(new ProxyCounts.Bytes(5, 0), counts().downstream());
        assertEquals(0, counts().reset());
    }

    @Test
    void aServerMaySpeakFirstAndAnswerAfterTheCallersEnd() throws IOException {
        try (var polite = new TcpServer(socket -> {
            socket.getOutputStream().write("welcome".getBytes(UTF_8));
            int length = socket.getInputStream().readAllBytes().length;
            socket.getOutputStream().write(("got " + length).getBytes(UTF_8));
        })) {
            try (var caller = new Caller(proxy.create("polite", polite.endpoint()))) {
                assertEquals("welcome", caller.hear(7));
                caller.say("some");
                caller.socket().shutdownOutput();
                assertEquals("got 4", caller.hear(5));
                assertTrue(caller.hearsTheEnd());
            }
        }
    }

    @Test
    void latencyDelaysEitherWay() throws IOException {
        try (var caller = new Caller(door)) {
            for (Direction direction : Direction.values()) {
                proxy.add("echo", Toxic.of("late", direction, new Effect.Latency(150, 0)));
                long since = System.nanoTime();
                assertEquals("hello", caller.echo("hello"));
                assertTook(since, Duration.ofMillis(150));
                proxy.remove("echo", "late");
            }
        }
    }

    @Test
    void bandwidthTakesItsTime() throws IOException {
        proxy.add("echo", Toxic.of("narrow", Direction.DOWNSTREAM, new Effect.Bandwidth(100)));
        try (var caller = new Caller(door)) {
            long since = System.nanoTime();
            assertEquals("x".repeat(30_000), caller.echo("x".repeat(30_000)));
            assertTook(since, Duration.ofMillis(300));
        }
    }

    @Test
    void aBlackholeOneWayLetsTheOtherWayPass() throws IOException {
        try (var caller = new Caller(door)) {
            assertEquals("before", caller.echo("before"));
            proxy.add("echo", Toxic.of("hole", Direction.DOWNSTREAM, new Effect.Blackhole()));
            caller.say("during");
            Await.until("the server has it", () -> server.received() == 12);
            Await.until("its answer is held", () -> counts().downstream().held() == 6);
            proxy.remove("echo", "hole");
            assertEquals("during", caller.hear(6));
            assertEquals("after", caller.echo("after"));
        }
    }

    @Test
    void aPartitionHoldsMoreThanTheProxyDoesAndLosesNothing() throws Exception {
        var sent = new byte[8 << 20];
        new Random(3).nextBytes(sent);
        try (var caller = new Caller(door)) {
            assertEquals("before", caller.echo("before"));
            partition();
            var writing = CompletableFuture.runAsync(() -> write(caller.socket(), sent));
            Await.until(
                    "the proxy has read what it may",
                    () -> counts().upstream().held() >= Flow.MOST_HELD_BYTES_WHEN_STUCK);
            assertTrue(counts().upstream().held() < 3 * Flow.MOST_HELD_BYTES_WHEN_STUCK);
            assertEquals(6, server.received());
            heal();
            assertArrayEquals(sent, caller.socket().getInputStream().readNBytes(sent.length));
            writing.get();
        }
    }

    @Test
    void aConnectionMadeDuringAPartitionReachesTheServerAfterIt() throws IOException {
        partition();
        try (var caller = new Caller(door)) {
            caller.say("hello");
            Await.until("its bytes are held", () -> counts().upstream().held() == 5);
            assertEquals(0, server.accepted());
            heal();
            assertEquals("hello", caller.hear(5));
        }
    }

    @Test
    void aCallerWhoGaveUpDuringAPartitionNeverReachesTheServer() throws IOException {
        partition();
        try (var caller = new Caller(door)) {
            caller.say("hello");
            Await.until("its bytes are held", () -> counts().upstream().held() == 5);
        }
        // The proxy reads the end before the next caller's bytes: both come over its one event loop in their order.
        try (var next = new Caller(door)) {
            next.say("other");
            Await.until("its bytes are held", () -> counts().upstream().held() == 10);
            heal();
            assertEquals("other", next.hear(5));
        }
        Await.until("both are closed", () -> counts().open() == 0);
        assertEquals(1, server.accepted());
        assertEquals(5, server.received());
    }

    @Test
    void theEndOfACallerIsHeldByAPartitionToo() throws IOException {
        try (var caller = new Caller(door)) {
            assertEquals("before", caller.echo("before"));
            partition();
            caller.say("last");
        }
        Await.until("the last bytes are held", () -> counts().upstream().held() == 4);
        assertEquals(1, counts().open());
        heal();
        Await.until("the server has got them", () -> server.received() == 10);
        Await.until("and the end", () -> counts().open() == 0);
    }

    @Test
    void aResetIsSeenAsOneAtBothEnds() throws Exception {
        var seen = new CompletableFuture<Throwable>();
        try (var victim = new TcpServer(socket -> {
            try {
                seen.completeExceptionally(
                        new AssertionError("read " + socket.getInputStream().read()));
            } catch (SocketException reset) {
                seen.complete(reset);
            }
        })) {
            var toVictim = proxy.create("victim", victim.endpoint());
            try (var caller = new Caller(toVictim)) {
                Await.until("connected through", () -> victim.accepted() == 1);
                proxy.add("victim", Toxic.of("reset", Direction.DOWNSTREAM, new Effect.ResetPeer(50)));
                var reset = assertThrows(SocketException.class, caller::hearsTheEnd);
                assertEquals("Connection reset", String.valueOf(reset.getMessage()));
                assertEquals("Connection reset", String.valueOf(seen.get().getMessage()));
            }
        }
        assertEquals(1, proxy.counts("victim").reset());
    }

    @Test
    void aCallerThatBreaksBreaksTheServersConnectionToo() throws Exception {
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
            caller.socket().setSoLinger(true, 0);
        }
        Await.until("it is passed on", () -> counts().reset() == 1 && counts().open() == 0);
    }

    @Test
    void downClosesAndRefusesAndUpServesAgain() throws IOException {
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
            proxy.enable("echo", false);
            assertTrue(caller.hearsTheEnd());
        }
        assertThrows(ConnectException.class, () -> new Caller(door));
        proxy.enable("echo", true);
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
        }
    }

    @Test
    void whoIsDownRefusesAtOnceAndItsPortCanBeHadAgainAtOnce() throws IOException {
        for (int i = 0; i < 20; i++) {
            proxy.enable("echo", false);
            assertThrows(ConnectException.class, () -> new Caller(door));
            proxy.enable("echo", true);
        }
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
        }
    }

    @Test
    void aServerThatIsNotThereEndsTheCallersConnection() throws IOException {
        server.close();
        try (var caller = new Caller(door)) {
            assertTrue(caller.hearsTheEnd());
        }
        assertEquals(1, counts().connectsFailed());
    }

    @Test
    void aSlicerKeepsWhatItCuts() throws IOException {
        proxy.add("echo", Toxic.of("slices", Direction.UPSTREAM, new Effect.Slicer(100, 50, 10)));
        try (var caller = new Caller(door)) {
            var text = "0123456789".repeat(1_000);
            assertEquals(text, caller.echo(text));
        }
    }

    @Test
    void aLimitClosesAfterItsLastByte() throws IOException {
        proxy.add("echo", Toxic.of("limit", Direction.DOWNSTREAM, new Effect.LimitData(7)));
        try (var caller = new Caller(door)) {
            caller.say("0123456789");
            assertEquals("0123456", caller.hear(10));
        }
    }

    @Test
    void aTimeoutLosesWhatItSwallowsAndCloses() throws IOException {
        proxy.add("echo", Toxic.of("lost", Direction.UPSTREAM, new Effect.Timeout(50)));
        try (var caller = new Caller(door)) {
            caller.say("hello");
            assertTrue(caller.hearsTheEnd());
        }
        assertEquals(0, server.received());
    }

    @Test
    void toxicityIsTheShareOfConnectionsThatAreStruck() throws IOException {
        var half = new Toxic("half", new Effect.LimitData(0), Direction.DOWNSTREAM, 0.5, Set.of());
        proxy.add("echo", half);
        int struck = 0;
        for (int i = 0; i < 60; i++) {
            try (var caller = new Caller(door)) {
                struck += caller.echo("x").isEmpty() ? 1 : 0;
            }
        }
        assertTrue(struck > 10 && struck < 50, "struck " + struck + " of 60");
    }

    @Test
    void tenMegabytesFlowWholeWhileToxicsComeAndGo() throws Exception {
        var sent = new byte[10 << 20];
        new Random(5).nextBytes(sent);
        var steps = new ArrayDeque<Runnable>(List.of(
                () -> add(Direction.UPSTREAM, "late", new Effect.Latency(3, 3)),
                () -> add(Direction.DOWNSTREAM, "slices", new Effect.Slicer(3_000, 1_000, 0)),
                () -> add(Direction.UPSTREAM, "narrow", new Effect.Bandwidth(60_000)),
                this::partition,
                () -> proxy.change("echo", Toxic.of("late", Direction.UPSTREAM, new Effect.Latency(1, 1))),
                () -> proxy.remove("echo", "slices"),
                () -> add(Direction.DOWNSTREAM, "late_too", new Effect.Latency(2, 2)),
                proxy::reset));
        try (var caller = new Caller(door)) {
            var writing = CompletableFuture.runAsync(() -> write(caller.socket(), sent));
            var got = new CRC32();
            for (int at = 0; at < sent.length; ) {
                var part = caller.socket().getInputStream().readNBytes(Math.min(1 << 20, sent.length - at));
                got.update(part);
                at += part.length;
                if (!steps.isEmpty()) {
                    steps.remove().run();
                    healIfParted();
                }
            }
            writing.get();
            var all = new CRC32();
            all.update(sent);
            assertEquals(all.getValue(), got.getValue());
        }
        assertTrue(steps.isEmpty());
    }

    @Test
    void whatIsNotThereIsRefusedByName() {
        assertEquals(
                404, assertThrows(Refusal.class, () -> proxy.counts("other")).status());
        assertEquals(
                404,
                assertThrows(Refusal.class, () -> proxy.remove("echo", "other")).status());
        assertEquals(
                409,
                assertThrows(Refusal.class, () -> proxy.create("echo", server.endpoint()))
                        .status());
        var taken = assertThrows(Refusal.class, () -> proxy.create("more", door, server.endpoint()));
        assertTrue(String.valueOf(taken.getMessage()).contains(door.toString()), taken::toString);
        var foreign = assertThrows(Refusal.class, () -> proxy.create("taken", server.endpoint(), server.endpoint()));
        assertEquals(500, foreign.status());
        var everywhere = new Endpoint("0.0.0.0", 12_345);
        assertEquals(
                400,
                assertThrows(Refusal.class, () -> proxy.create("w", everywhere, door))
                        .status());
    }

    @Test
    void closingLeavesNothing() throws IOException {
        var api = proxy.serve(0);
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
            proxy.close();
            proxy.close();
            assertTrue(caller.hearsTheEnd());
        }
        for (int port : List.of(door.port(), api.port())) {
            try (var again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertTrue(again.isBound());
            }
        }
    }

    private ProxyCounts counts() {
        return proxy.counts("echo");
    }

    private void add(Direction direction, String name, Effect effect) {
        proxy.add("echo", Toxic.of(name, direction, effect));
    }

    private void partition() {
        add(Direction.UPSTREAM, "hole_up", new Effect.Blackhole());
        add(Direction.DOWNSTREAM, "hole_down", new Effect.Blackhole());
    }

    private void heal() {
        proxy.remove("echo", "hole_up");
        proxy.remove("echo", "hole_down");
    }

    private void healIfParted() {
        if (proxy.states().get(0).toxics().stream()
                .anyMatch(toxic -> toxic.name().equals("hole_down"))) {
            heal();
        }
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void assertTook(long sinceNanos, Duration atLeast) {
        var took = Duration.ofNanos(System.nanoTime() - sinceNanos);
        assertTrue(took.compareTo(atLeast) >= 0, () -> "took " + took);
    }
}
