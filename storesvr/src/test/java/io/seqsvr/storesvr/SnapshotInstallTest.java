package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.StateDigest;
import io.seqsvr.storesvr.raft.LeadershipTransfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer that fell behind what the others still have of the log: settings make them take snapshots by themselves. */
@Tag("group")
class SnapshotInstallTest {
    private static final long GRANTER_NANOS =
            new LeaseTerms(60_000_000_000L, LeaseTerms.DEFAULT_DRIFT_PERMILLE).granterNanos();

    @TempDir
    private Path root = Path.of("");

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(60).toNanos(), what);
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static List<String> names(TestCluster cluster, int peer, String directory) {
        var path = cluster.data(peer).resolve("raft").resolve(cluster.id()).resolve(directory);
        try (var files = Files.list(path)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        } catch (IOException moved) {
            // In the middle of an installation.
            return List.of();
        }
    }

    private static List<StateDigest> digests(TestClient client, TestCluster cluster, int peer) {
        return client.statusWithDigests(cluster.address(peer)).getDigestsList();
    }

    @Test
    void itGetsTheLeadersStateWakesWhoWaitsAndMayLeadAfterThat() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 3)) {
            for (int peer = 0; peer < 3; peer++) {
                PurgedLog.start(cluster, peer);
            }
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("a");
                client.publish(1, 0, 4, session);
                long seen = client.truth().version();
                int leader = cluster.leader(client);
                int lagging = (leader + 1) % 3;
                cluster.stop(lagging);

                client.executeThroughFailures(
                        StoreReply.Raised.class,
                        new Raise(session, List.of(new RaiseItem(new SegmentId(1, 0), 1, 700))));
                long last = client.open("last");
                PurgedLog.write(client, cluster, leader);
                await(
                        "more than the last two are kept",
                        () -> names(cluster, leader, "sm").stream()
                                        .filter(name -> name.matches("\\d+_\\d+"))
                                        .count()
                                <= 2);

                PurgedLog.start(cluster, lagging);
                // Nothing that a watch shows happens any more: only the snapshot can tell of it.
                var watch = client.watch(cluster.address(lagging), seen, 60_000);
                assertTrue(Deadline.await(watch).getVersion() >= last, "it woke to something older");
                await(
                        "their states differ",
                        () -> digests(client, cluster, lagging).equals(digests(client, cluster, leader)));
                assertTrue(
                        names(cluster, lagging, "sm").stream().anyMatch(name -> name.matches("\\d+_\\d+")),
                        "it got no snapshot");

                long before = System.nanoTime();
                LeadershipTransfer.to(cluster.peers().get(lagging), cluster.id(), cluster.peers());
                var twin = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 99, "a", "elsewhere:1");
                var held = client.executeThroughFailures(StoreReply.SessionHeld.class, twin);
                long least = GRANTER_NANOS - (System.nanoTime() - before);
                assertEquals(session, held.holder());
                assertTrue(held.remainingNanos() >= least, () -> held + ", at least " + least);
                assertEquals(lagging, cluster.leader(client));
            }
        }
    }
}
