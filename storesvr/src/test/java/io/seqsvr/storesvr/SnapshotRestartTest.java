package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply.Raised;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.node.StartupException;
import io.seqsvr.storesvr.raft.SnapshotTrigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of real peers: what starts from one, and who gets one sent. */
@Tag("group")
class SnapshotRestartTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);

    @TempDir
    private Path root = Path.of("");

    /** Fills segments of the log, of 8 MB each, with commands that change nothing. */
    private static void fillLog(TestClient client, int megabytes) {
        var items = IntStream.range(0, 2_000)
                .mapToObj(segment -> new RaiseItem(new SegmentId(2, segment), Long.MAX_VALUE, Long.MAX_VALUE))
                .toList();
        // An item of these numbers has 29 bytes.
        int commands = megabytes * 1_000_000 / (items.size() * 29) + 1;
        for (int i = 0; i < commands; i++) {
            client.executeThroughFailures(SessionGone.class, new Raise(-1, items));
        }
    }

    private static boolean logBegins(Path data, String clusterId) throws IOException {
        try (var log = Files.list(data.resolve("raft").resolve(clusterId).resolve("current"))) {
            return log.anyMatch(file -> String.valueOf(file.getFileName()).matches("log_(inprogress_)?0.*"));
        }
    }

    @Test
    void aPeerStartsFromItsSnapshotAndTheLogAfterIt() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            TestClient.Truth acknowledged;
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("a");
                client.publish(1, 0, 4, session);
                client.raise(session, FIRST, 1, 500);
                fillLog(client, 9);
                var snapshot =
                        SnapshotTrigger.take(cluster.id(), cluster.peers().get(0), cluster.data(0));
                assertEquals(
                        500,
                        Rows.inCheckpoint(DirectoryCopy.of(snapshot, root.resolve("snapshot")))
                                .rows()
                                .segments()
                                .get(0)
                                .maxSeq());
                client.raise(session, FIRST, 1, 900);
                client.publish(2, 0, 9, client.open("b"));
                // Ratis deletes behind the snapshot's back, but before it writes these.
                assertFalse(logBegins(cluster.data(0), cluster.id()), "the log still has what the snapshot replaces");
                acknowledged = client.truth();
                // As after a kill: without the snapshot that a clean stop takes.
                DirectoryCopy.of(cluster.data(0), root.resolve("killed"));
            }
            try (var killed = cluster.ofCopy(root.resolve("killed"))) {
                killed.start();
                try (var after = new TestClient(killed.addresses())) {
                    assertEquals(acknowledged, after.truth());
                    long session = acknowledged.sessions().get(0).id();
                    assertEquals(901, after.raise(session, FIRST, 1, 901).maxSeq());
                }
            }
        }
    }

    @Test
    void aPeerThatFellBehindTheLogGetsASnapshotAndHoldsTheSameRows() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("a");
                client.publish(1, 0, 4, session);
                int leader = cluster.leader(client);
                int lagging = (leader + 1) % 3;
                cluster.stop(lagging);
                client.executeThroughFailures(Raised.class, new Raise(session, List.of(new RaiseItem(FIRST, 1, 700))));
                fillLog(client, 9);
                // Whichever of them leads from here on.
                int other = (leader + 2) % 3;
                SnapshotTrigger.take(cluster.id(), cluster.peers().get(leader), cluster.data(leader));
                SnapshotTrigger.take(cluster.id(), cluster.peers().get(other), cluster.data(other));
                client.executeThroughFailures(Raised.class, new Raise(session, List.of(new RaiseItem(FIRST, 1, 800))));
                long last = client.open("last");
                assertFalse(logBegins(cluster.data(leader), cluster.id()), "the follower could do with the log");
                assertFalse(logBegins(cluster.data(other), cluster.id()), "the follower could do with its log");

                cluster.start(lagging);
                Deadline.await(client.watchUntil(cluster.address(lagging), last));
                assertTrue(wasInstalled(cluster, lagging), "it got no snapshot");
                var expected = cluster.rows(leader, root.resolve("leader"));
                assertEquals(800, expected.segments().get(0).maxSeq());
                assertEquals(expected, cluster.rows(lagging, root.resolve("lagging")));
            }
        }
    }

    /** Ratis puts a digest beside each file that it received. */
    private static boolean wasInstalled(TestCluster cluster, int peer) throws IOException {
        try (var files = Files.walk(
                cluster.data(peer).resolve("raft").resolve(cluster.id()).resolve("sm"))) {
            return files.anyMatch(file -> file.toString().endsWith("CURRENT.md5"));
        }
    }
}
