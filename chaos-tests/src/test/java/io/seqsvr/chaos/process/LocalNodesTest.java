package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of processes that are started here, and of the directory that they live in. */
@Timeout(120)
final class LocalNodesTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final JavaProgram PROGRAM = new JavaProgram(FakeNode.class.getName());

    @TempDir
    private Path parent;

    private LocalNodes nodes() throws IOException {
        return LocalNodes.in(parent, "nodes-", PROGRAM);
    }

    private static LocalNode node(LocalNodes nodes, String name, int health) throws IOException {
        var endpoint = nodes.site().freeEndpoint("n");
        var node = nodes.node(name, Tier.STORESVR, endpoint);
        Files.writeString(node.settings(), endpoint.port() + " " + health);
        return node;
    }

    private List<Path> left() throws IOException {
        try (var all = Files.list(parent)) {
            return all.toList();
        }
    }

    @Test
    void aPlaceThatCannotBeMadeLeavesNothing() throws IOException {
        var failed = assertThrows(
                NodeFailure.class,
                () -> LocalNodes.in(
                        parent,
                        "nodes-",
                        directory -> {
                            begin(directory.resolve("half made"));
                            throw new NodeFailure("no disk can be mounted");
                        },
                        PROGRAM));
        assertEquals("no disk can be mounted", failed.getMessage());
        assertEquals(List.of(), left());
    }

    private static void begin(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Test
    void logsAreCopiedBeforeAllIsRemoved(@TempDir Path kept) throws IOException {
        try (var nodes = nodes()) {
            var node = node(nodes, "n1", 200);
            node.start();
            node.awaitReady(SOON);
            node(nodes, "n2", 200);
            nodes.copyLogs(kept.resolve("logs"));
        }
        assertEquals(1, Files.readAllLines(kept.resolve("logs/n1.log")).size());
        assertFalse(Files.exists(kept.resolve("logs/n2.log")), "it never ran");
    }

    @Test
    void aKilledNodeStartsAgainAndNothingIsLeftInTheEnd() throws IOException {
        ProcessHandle second;
        try (var nodes = nodes()) {
            var node = node(nodes, "n1", 200);
            assertFalse(node.isAlive());
            node.start();
            node.awaitReady(SOON);
            long first = node.pid();
            assertThrows(NodeFailure.class, node::start);
            node.kill9();
            assertFalse(node.isAlive() || node.isReady());

            node.start();
            node.awaitReady(SOON);
            assertNotEquals(first, node.pid());
            assertEquals(2, Files.readAllLines(node.log()).size(), "its log holds both lives");
            second = ProcessHandle.of(node.pid()).orElseThrow();
        }
        assertFalse(second.isAlive());
        assertEquals(List.of(), left());
    }

    @Test
    void aFrozenNodeIsAliveButSaysNothingUntilItIsThawed() throws IOException {
        try (var nodes = nodes()) {
            var node = node(nodes, "n1", 200);
            node.start();
            node.awaitReady(SOON);
            node.pause();
            assertTrue(node.isAlive());
            assertFalse(node.isReady());
            node.resume();
            node.awaitReady(SOON);
            node.stop(SOON);
            assertThrows(NodeFailure.class, node::kill9, "it had ended by itself");
            node.start();
            node.awaitReady(SOON);
            node.kill9();
            assertThrows(NodeFailure.class, () -> node.stop(SOON), "what had died did not stop as asked");
            assertThrows(NodeFailure.class, node::resume);
        }
    }

    @Test
    void whyANodeDidNotBecomeReadyIsToldWithTheEndOfItsLog() throws IOException {
        try (var nodes = nodes()) {
            var ends = node(nodes, "n1", 200);
            Files.writeString(ends.settings(), "nonsense");
            ends.start();
            var ended = assertThrows(NodeFailure.class, () -> ends.awaitReady(SOON));
            assertTrue(
                    String.valueOf(ended.getMessage()).startsWith("n1 ended with exit code 3 before"), ended::toString);
            assertTrue(String.valueOf(ended.getMessage()).contains("started with [nonsense]"), ended::toString);

            var unwell = node(nodes, "n2", 503);
            unwell.start();
            var late = assertThrows(NodeFailure.class, () -> unwell.awaitReady(Duration.ofMillis(1)));
            assertTrue(String.valueOf(late.getMessage()).startsWith("n2 was not ready within"), late::toString);
        }
    }

    @Test
    void afterTheEndNothingBegins() throws IOException {
        var nodes = nodes();
        var node = node(nodes, "n1", 200);
        nodes.close();
        assertThrows(NodeFailure.class, node::start);
        assertThrows(
                NodeFailure.class,
                () -> nodes.node("n2", Tier.STORESVR, nodes.site().freeEndpoint("n")));
        nodes.close();
        assertEquals(List.of(), left());
    }

    @Test
    void whoWaitsForANodeThatIsRemovedIsToldSo() throws IOException {
        var nodes = nodes();
        var node = node(nodes, "n1", 503);
        node.start();
        nodes.close();
        var removed = assertThrows(NodeFailure.class, () -> node.awaitReady(SOON));
        assertTrue(String.valueOf(removed.getMessage()).endsWith("are being removed"), removed::toString);
    }

    @Test
    void noEndpointIsGivenTwice() throws IOException {
        try (var nodes = nodes()) {
            var given = List.of(
                    nodes.site().freeEndpoint("n"),
                    nodes.site().freeEndpoint("n"),
                    nodes.site().freeEndpoint("n"));
            assertEquals(given.size(), given.stream().distinct().count());
        }
    }
}
