package io.seqsvr.chaos.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.FakeNode;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer whose data is gone must refuse to start; else a promise is broken. */
@Timeout(120)
final class DataLossTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final ClusterPlan ONE =
            new ClusterPlan(1, 1, 1, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));

    @TempDir
    private Path parent;

    private static final String REFUSES =
            "end 1 seqsvr: data directory D is empty; format it with 'seqsvr store bootstrap'";

    private final Optional<String> goesOn = Optional.of("store-1 goes on, though its data is gone or wrong");

    /** Wipes a peer that serves and has data. */
    private void wiped(String settings, BiConsumer<LocalNode, Fault> then) throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var cluster = LocalCluster.<IOException>in(nodes, ONE, (file, clusterId) -> {});
            var peer = cluster.of(Tier.STORESVR).get(0);
            Files.writeString(peer.settings(), peer.endpoint().port() + " 200");
            peer.start();
            peer.awaitReady(SOON);
            Files.createDirectories(peer.data());
            if (!settings.isEmpty()) {
                Files.writeString(peer.settings(), settings);
            }
            var fault = DataLoss.ofAll("wipe", peer, cluster);
            fault.start();
            then.accept(peer, fault);
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        try (var left = Files.list(parent)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void whoRefusesToStartBreaksNothing() throws IOException {
        wiped(REFUSES, (peer, fault) -> {
            while (!fault.isInEffect()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertFalse(Files.exists(peer.data()));
            assertEquals(Optional.empty(), fault.breach());
        });
    }

    @Test
    void whoServesIsABreach() throws IOException {
        wiped("", (peer, fault) -> {
            peer.awaitReady(SOON);
            assertFalse(fault.isInEffect());
            // It may need longer for one answer.
            while (fault.breach().isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertEquals(goesOn, fault.breach());
        });
    }

    @Test
    void soIsWhoMakesItselfADirectoryAndAnswersNobody() throws IOException {
        wiped(REFUSES, (peer, fault) -> {
            assertTrue(peer.data().toFile().mkdirs());
            assertEquals(goesOn, fault.breach());
        });
    }

    private void failsWith(String settings, String failure) throws IOException {
        wiped(settings, (peer, fault) -> {
            var seen = assertThrows(NodeFailure.class, () -> {
                while (!fault.isInEffect()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                }
            });
            assertEquals(failure, seen.getMessage());
        });
    }

    @Test
    void whoDiesOtherwiseRefusesNothing() throws IOException {
        failsWith(
                "end 3 out of memory",
                "store-1 was to end by itself with exit code 1, and ended with 3; its log may say why");
    }

    @Test
    void noMoreDoesWhoRefusesForAnotherReason() throws IOException {
        failsWith(
                "end 1 seqsvr: the port is taken",
                "store-1 was to say 'is empty; format it with' and end, and ended for another reason: see its log");
    }
}
