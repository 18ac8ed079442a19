package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two of three disks are lost, and the third peer was killed and started again: what it tells is all that is left. */
@Tag("group")
class BackupOfSurvivorTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);

    @TempDir
    private Path root = Path.of("");

    /** Until somebody leads it applies nothing but its snapshot; what its log holds after that was acknowledged. */
    @Test
    void itHoldsWhatThePeerHadInItsLogThoughNobodyTellsThatPeerWhatWasCommitted() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 3)) {
            cluster.start();
            int survivor;
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("a");
                client.publish(1, 0, 9, session);
                client.raise(session, FIRST, 1, 500);
                int leader = cluster.leader(client);
                survivor = (leader + 1) % 3;
                awaitApplied(cluster, client, survivor, leader);
                cluster.rows(survivor, root.resolve("snapshot"));
                for (long maxSeq = 1_000; maxSeq <= 90_000; maxSeq += 1_000) {
                    client.raise(session, FIRST, 1, maxSeq);
                }
                awaitApplied(cluster, client, survivor, leader);
            }
            // As a kill would leave it: a clean stop takes a snapshot.
            var killed = DirectoryCopy.of(cluster.data(survivor), root.resolve("killed"));
            cluster.stop();
            var settings = cluster.settings(survivor);
            cluster.start(
                    survivor,
                    new StoreSvrSettings(killed, settings.clusterId(), settings.peers(), settings.bootstrap()));
            try (var client = new TestClient(cluster.addresses())) {
                var status = client.status(cluster.address(survivor));
                assertTrue(status.getUnapplied() > 80, status::toString);
                var taken = new TestBackup(client, cluster.address(survivor)).take(root.resolve("backup"), () -> {});
                assertFalse(taken.facts().confirmed());
                assertTrue(taken.facts().unapplied() > 80, taken.facts()::toString);
                assertTrue(taken.facts().index() > status.getAppliedIndex(), taken.facts()::toString);
                assertEquals(90_000, taken.state().segment(FIRST).orElseThrow().maxSeq(), "all of it was acknowledged");
                assertEquals(1, taken.state().sessions().size());
                assertEquals(
                        status.getAppliedIndex(),
                        client.status(cluster.address(survivor)).getAppliedIndex(),
                        "the peer itself goes on as it was");
            }
        }
    }

    private static void awaitApplied(TestCluster cluster, TestClient client, int peer, int leader) {
        long wanted = client.status(cluster.address(leader)).getAppliedIndex();
        long start = System.nanoTime();
        while (client.status(cluster.address(peer)).getAppliedIndex() < wanted) {
            assertTrue(System.nanoTime() - start < 30_000_000_000L, "it does not catch up");
        }
    }
}
