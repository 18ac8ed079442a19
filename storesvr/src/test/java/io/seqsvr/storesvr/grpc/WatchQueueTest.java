package io.seqsvr.storesvr.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.storesvr.Deadline;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a snapshot that is installed wakes. */
class WatchQueueTest {
    private static final StoreCommand CREATE = new StoreCommand.CreateCluster(
            "cluster-1", new LeaseTerms(3_000_000_000L, 100), List.of(Namespace.ofDefaults(1, "messages")));

    @TempDir
    private Path root = Path.of("");

    @Test
    void whoWaitsHearsOfWhatOnlyTheSnapshotTold() throws IOException {
        NativeLibrary.load();
        var ahead = new Replica();
        ahead.open(root.resolve("ahead"));
        ahead.apply(new Applied(1, 1), List.of(CREATE));
        ahead.checkpoint(root.resolve("older"));
        ahead.apply(new Applied(1, 2), List.of(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "a", "a:1")));
        ahead.checkpoint(root.resolve("newer"));
        ahead.close();

        var vertx = Vertx.vertx();
        var behind = new Replica();
        try {
            behind.open(root.resolve("older"));
            var context = vertx.getOrCreateContext();
            var watches = new WatchQueue(vertx, context, behind, "cluster-1");
            behind.listen(watches);
            // In a future, so that it is not awaited here.
            var asked = Deadline.await(NodeServer.onContext(
                    context,
                    () -> io.vertx.core.Future.succeededFuture(List.of(watches.watch(Stamp.of(0, 1, 0), 60_000)))));
            assertFalse(asked.get(0).isComplete());
            behind.open(root.resolve("newer"));
            var answer = Deadline.await(asked.get(0));
            assertEquals(Stamp.of(0, 2, 0), answer.getVersion());
            assertTrue(answer.hasView());
        } finally {
            behind.close();
            Deadline.await(vertx.close());
        }
    }
}
