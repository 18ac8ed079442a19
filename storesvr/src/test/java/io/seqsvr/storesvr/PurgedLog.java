package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;

/** Peers that take snapshots so often that a log of some megabytes loses its beginning. */
final class PurgedLog {
    private static final int SNAPSHOT_ENTRIES = 20;

    private PurgedLog() {}

    static void start(TestCluster cluster, int peer) throws StartupException {
        var settings = cluster.settings(peer);
        cluster.start(
                peer,
                new StoreSvrSettings(
                        settings.data(),
                        settings.clusterId(),
                        settings.peers(),
                        settings.bootstrap(),
                        SNAPSHOT_ENTRIES));
    }

    /** Commands that change nothing, until the log of that peer has dropped its first entry. */
    static void write(TestClient client, TestCluster cluster, int peer) {
        var items = IntStream.range(0, 2_000)
                .mapToObj(segment -> new RaiseItem(new SegmentId(2, segment), Long.MAX_VALUE, Long.MAX_VALUE))
                .toList();
        long start = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(60).toNanos(), "the log is never dropped");
            client.executeThroughFailures(SessionGone.class, new Raise(-1, items));
        } while (hasFirstEntry(cluster.data(peer).resolve("raft").resolve(cluster.id())));
    }

    private static boolean hasFirstEntry(Path group) {
        try (var files = Files.list(group.resolve("current"))) {
            return files.anyMatch(file -> String.valueOf(file.getFileName()).matches("log_(inprogress_)?0(-.*)?"));
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
