package io.seqsvr.chaos.fault;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.host.Freezer;
import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.FakeNode;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each fault shows from outside while it is at work, and the node is well after it. */
@Timeout(120)
final class NodeFaultsTest {
    private static final Duration SOON = Duration.ofSeconds(40);

    @TempDir
    private Path parent;

    private static LocalNode serving(LocalNodes nodes, String name) throws IOException {
        var node = nodes.node(name, Tier.ALLOCSVR, nodes.site().freeEndpoint(name));
        Files.writeString(node.settings(), node.endpoint().port() + " 200");
        node.start();
        node.awaitReady(SOON);
        return node;
    }

    /** Does a fault to a node that serves; tells whether it is the same process afterwards. */
    private boolean outlives(Function<LocalNode, Fault> kind, String name) throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var node = serving(nodes, "alloc-1");
            long before = node.pid();

            var fault = kind.apply(node);
            assertEquals(name, fault.name());
            awaitNotInEffect(fault);
            fault.start();
            while (!fault.isInEffect()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertFalse(node.answers());
            fault.stop();
            node.awaitReady(SOON);
            awaitNotInEffect(fault);
            return node.pid() == before;
        }
    }

    /** A node that is well may need longer for one answer, on a busy machine. */
    private static void awaitNotInEffect(Fault fault) {
        while (fault.isInEffect()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void aKilledNodeComesBackAsAnother() throws IOException {
        assertFalse(outlives(NodeFaults::kill, "kill alloc-1"));
    }

    @Test
    void soDoesARestartedOne() throws IOException {
        assertFalse(outlives(NodeFaults::restart, "restart alloc-1"));
    }

    @Test
    void allAreRestartedInTurnAndEachServesAgain() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var both = List.of(serving(nodes, "alloc-1"), serving(nodes, "alloc-2"));
            var before = both.stream().map(LocalNode::pid).toList();
            var fault = new RollingRestart("roll", both);
            assertEquals("roll alloc-1 alloc-2", fault.name());
            assertFalse(fault.isInEffect());
            fault.start();
            assertTrue(fault.isInEffect());
            both.forEach(node -> assertTrue(node.isReady()));
            assertTrue(both.stream().map(LocalNode::pid).noneMatch(before::contains));
        }
    }

    @Test
    void aFrozenOneGoesOn() throws IOException {
        var missing = Freezer.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        assertTrue(outlives(node -> NodeFaults.freeze("freeze", node), "freeze alloc-1"));
    }

    @Test
    void aPausedOneGoesOn() throws IOException {
        assertTrue(outlives(NodeFaults::pause, "pause alloc-1"));
    }

    /** Syncs that never end may end whoever waits for them; syncs that take long must not, and a run is to see it. */
    @Test
    void aNodeThatEndsIsStartedAgainOnlyWhereTheFaultMayEndIt() throws IOException {
        var missing = DiskFault.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var calls = DiskFault.in(parent.resolve("calls"));
        assertTrue(runsAfter(node -> DiskFaults.hangs("hang-sync", node, calls), FakeNode::end));
        assertFalse(runsAfter(node -> DiskFaults.slow("slow-sync", node, calls, 2_000), FakeNode::end));
        assertThrows(
                NodeFailure.class,
                () -> runsAfter(node -> DiskFaults.hangs("hang-sync", node, calls), LocalNode::kill9));
    }

    /** Who dies of something else is not taken for one that stopped itself. */
    @Test
    void aNodeThatIsKilledWhileItHasNoFilesIsAFailure() {
        var missing = Need.FILE_LIMIT.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        assertThrows(NodeFailure.class, () -> runsAfter(node -> Shortages.ofFiles("exhaust", node), LocalNode::kill9));
    }

    /** It serves on until others have what it had: its end comes after the fault's. */
    @Test
    void aNodeThatHasSaidThatItEndsForWantOfFilesIsStartedAgain() throws IOException {
        var missing = Need.FILE_LIMIT.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var node = serving(nodes, "alloc-1");
            long before = node.pid();
            var fault = Shortages.ofFiles("exhaust", node);
            fault.start();
            Files.writeString(Path.of(node.settings() + ".ending"), "");
            fault.stop();
            node.awaitReady(SOON);
            assertNotEquals(before, node.pid());
        }
    }

    private boolean runsAfter(Function<LocalNode, Fault> kind, Consumer<LocalNode> end) throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var node = serving(nodes, "store-1");
            var fault = kind.apply(node);
            fault.start();
            end.accept(node);
            fault.stop();
            return node.isAlive();
        }
    }

    /** No file for {@code seconds}, while the node writes this into its log. */
    private boolean shows(long seconds, String said) throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var node = serving(nodes, "alloc-1");
            Files.writeString(node.log(), "event=no_file_left most=7" + System.lineSeparator(), APPEND);
            var nanos = new AtomicLong(1);
            var fault = Shortages.ofFiles("exhaust", node, nanos::get);
            fault.start();
            Files.writeString(node.log(), said + System.lineSeparator(), APPEND);
            nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
            fault.stop();
            return fault.hasShown();
        }
    }

    @Test
    void whoIsLeftWithoutFilesForLongHasToHaveMissedOne() throws IOException {
        var missing = Need.FILE_LIMIT.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        assertTrue(shows(5, "event=no_file_left most=9"));
        assertTrue(shows(3, "nothing of it"), "it may not have looked yet");
        assertFalse(shows(5, "nothing of it"), "what it said before is of another time");
    }
}
