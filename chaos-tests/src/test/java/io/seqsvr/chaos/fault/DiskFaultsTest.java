package io.seqsvr.chaos.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.process.FakeNode;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer whose sync fails has to stop itself: not every death is that. */
@Timeout(120)
final class DiskFaultsTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final int AT_STRUCK = 12;

    @TempDir
    private Path parent;

    /** A sync of a node that serves has failed. */
    private void failed(BiConsumer<LocalNode, Fault> then) throws IOException {
        var missing = DiskFault.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var node = nodes.node("store-1", Tier.STORESVR, nodes.site().freeEndpoint("store-1"));
            Files.writeString(node.settings(), node.endpoint().port() + " 200");
            node.start();
            node.awaitReady(SOON);
            var fault =
                    DiskFaults.fails("fail-sync", node, DiskFault.in(node.directory()), DiskFault.Kind.SYNC_FAILS_ONCE);
            fault.start();
            try (var control = FileChannel.open(node.directory().resolve("control"), StandardOpenOption.WRITE)) {
                var once = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
                assertEquals(Integer.BYTES, control.write(once.putInt(1).rewind(), AT_STRUCK));
            }
            then.accept(node, fault);
        }
    }

    @Test
    void whoSaysThatItCannotGoOnAndEndsHasStoppedItself() throws IOException {
        failed((node, fault) -> {
            assertFalse(fault.isInEffect(), "it runs still");
            FakeNode.end(node);
            assertTrue(fault.isInEffect());
        });
    }

    @Test
    void whoIsKilledHasNot() throws IOException {
        failed((node, fault) -> {
            node.kill9();
            var failure = assertThrows(NodeFailure.class, fault::isInEffect);
            assertEquals(
                    "store-1 was to end by itself with exit code 1, and ended with 137; its log may say why",
                    failure.getMessage());
        });
    }
}
