package io.seqsvr.chaos.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Toxics that strike the connections of some callers and spare those of others. */
@Timeout(60)
final class CallersTest {
    private static final Path SHELL = Path.of("/bin/bash");

    private final TcpServer server = TcpServer.echo();
    private final Map<String, Long> pids = new ConcurrentHashMap<>();

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aPartitionOfOneCallerSparesTheOther() throws IOException {
        var next = new ConcurrentHashMap<String, String>(Map.of("name", "a"));
        try (var proxy = proxy((caller, listener) -> next.getOrDefault("name", CallerNames.UNKNOWN))) {
            var door = proxy.create("echo", server.endpoint());
            try (var a = new Caller(door)) {
                assertEquals("one", a.echo("one"));
                next.put("name", "b");
                try (var b = new Caller(door)) {
                    assertEquals("one", b.echo("one"));
                    assertEquals(Map.of("a", 1L, "b", 1L), proxy.counts("echo").openByCaller());

                    proxy.add("echo", hole(Set.of("a")));
                    a.say("two");
                    Await.until(
                            "a is held back",
                            () -> proxy.counts("echo").upstream().held() == 3);
                    assertEquals("two", b.echo("two"));

                    proxy.change("echo", hole(Set.of("b")));
                    assertEquals("two", a.hear(3));
                    assertEquals("three", a.echo("three"));
                    b.say("three");
                    Await.until(
                            "b is held back",
                            () -> proxy.counts("echo").upstream().held() == 5);
                    proxy.remove("echo", "hole");
                    assertEquals("three", b.hear(5));
                }
            }
        }
    }

    @Test
    void aProcessIsKnownByItsSocket() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "callers are known by name on Linux only");
        try (var proxy = proxy(new ProcessCallers(() -> pids))) {
            var door = proxy.create("echo", server.endpoint());
            connectAndExpect(proxy, door, CallerNames.UNKNOWN);
            pids.put("me", ProcessHandle.current().pid());
            connectAndExpect(proxy, door, "me");
            pids.clear();
            pids.put("somebody", 1L << 40);
            connectAndExpect(proxy, door, CallerNames.UNKNOWN);
        }
    }

    @Test
    void twoProcessesAreToldApart() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "callers are known by name on Linux only");
        assumeTrue(Files.isExecutable(SHELL), "needs a shell that connects");
        try (var proxy = proxy(new ProcessCallers(() -> pids))) {
            var door = proxy.create("echo", server.endpoint());
            proxy.add("echo", hole(Set.of("child")));
            var script = "read; exec 3<>/dev/tcp/" + door.host() + "/" + door.port() + "; echo hello >&3; read <&3";
            var child = new ProcessBuilder(SHELL.toString(), "-c", script).start();
            try {
                pids.put("me", ProcessHandle.current().pid());
                pids.put("child", child.pid());
                child.outputWriter().append("go\n").flush();
                Await.until(
                        "the child is held back",
                        () -> proxy.counts("echo").upstream().held() == 6);
                try (var me = new Caller(door)) {
                    assertEquals("hello", me.echo("hello"));
                    assertEquals(
                            Map.of("me", 1L, "child", 1L), proxy.counts("echo").openByCaller());
                }
                proxy.remove("echo", "hole");
                assertEquals(0, child.waitFor());
            } finally {
                child.destroyForcibly();
            }
        }
    }

    @Test
    void whoCannotBeNamedIsAStrangerAndTheCountsSayWhy() throws IOException {
        try (var proxy = proxy((caller, listener) -> {
            throw new IllegalStateException("nobody is at home");
        })) {
            connectAndExpect(proxy, proxy.create("echo", server.endpoint()), CallerNames.UNKNOWN);
            assertEquals("nobody is at home", proxy.counts("echo").nameFailure().orElseThrow());
        }
    }

    private static FaultProxy proxy(CallerNames names) {
        return new FaultProxy(names, new SplittableRandom(1));
    }

    private static Toxic hole(Set<String> callers) {
        return Toxic.of("hole", Direction.UPSTREAM, new Effect.Blackhole()).onlyFor(callers);
    }

    private static void connectAndExpect(FaultProxy proxy, Endpoint door, String name) throws IOException {
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
            assertEquals(Map.of(name, 1L), proxy.counts("echo").openByCaller());
            caller.socket().shutdownOutput();
            assertTrue(caller.hearsTheEnd());
        }
        Await.until("closed", () -> proxy.counts("echo").open() == 0);
    }
}
