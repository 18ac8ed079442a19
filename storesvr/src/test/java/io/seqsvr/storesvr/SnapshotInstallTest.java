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
import io.seqsvr.storesvr.raft.SnapshotTrigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
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

    /** As it lies there, without a change to the file of the live database to which it was linked. */
    private static void damage(Path snapshot) throws IOException {
        try (var files = Files.list(snapshot)) {
            var table = files.filter(file -> file.toString().endsWith(".sst"))
                    .min(Path::compareTo)
                    .orElseThrow();
            var bytes = Files.readAllBytes(table);
            bytes[10] ^= 0x10;
            Files.delete(table);
            Files.write(table, bytes);
        }
    }

    private static Path newestSnapshot(TestCluster cluster, int peer) {
        return names(cluster, peer, "sm").stream()
                .filter(name -> name.matches("\\d+_\\d+"))
                .max(Comparator.comparingLong(name -> Long.parseLong(name.substring(name.indexOf('_') + 1))))
                .map(cluster.data(peer).resolve("raft").resolve(cluster.id()).resolve("sm")::resolve)
                .orElseThrow();
    }

    @Test
    void aDamagedSnapshotOfTheLeaderTakesNothingFromAFollower() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 3)) {
            for (int peer = 0; peer < 3; peer++) {
                PurgedLog.start(cluster, peer);
            }
            try (var client = new TestClient(cluster.addresses())) {
                client.publish(1, 0, 4, client.open("a"));
                int leader = cluster.leader(client);
                int lagging = (leader + 1) % 3;
                int third = (leader + 2) % 3;
                cluster.stop(lagging);
                var kept = newestSnapshot(cluster, lagging);
                PurgedLog.write(client, cluster, leader);
                // After one that was being taken: from here on there is nothing to take another one of.
                damage(SnapshotTrigger.take(cluster.id(), cluster.peers().get(leader), cluster.data(leader)));

                PurgedLog.start(cluster, lagging);
                var came = new HashSet<String>();
                await("the leader does not send it again", () -> {
                    names(cluster, lagging, "tmp").stream()
                            .filter(name -> name.startsWith("snapshot-"))
                            .forEach(came::add);
                    return came.size() > 1;
                });
                assertTrue(Files.exists(kept), "it has lost what it had");

                LeadershipTransfer.to(cluster.peers().get(third), cluster.id(), cluster.peers());
                await(
                        "it does not catch up",
                        () -> digests(client, cluster, lagging).equals(digests(client, cluster, third)));
                assertEquals(third, cluster.leader(client));
                await(
                        "something is left of what was sent",
                        () -> names(cluster, lagging, "tmp").isEmpty());
            }
        }
    }
}
