package io.seqsvr.storesvr.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.Deadline;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a snapshot that is installed wakes. */
class WatchQueueTest {
    private static final StoreCommand CREATE = new StoreCommand.CreateCluster(
            "cluster-1", new LeaseTerms(3_000_000_000L, 100), List.of(Namespace.ofDefaults(1, "messages")));

    private static final RaftPeers.Peer PEER =
            new RaftPeers.Peer("n4", new HostPort("10.0.0.4", 7712), new HostPort("10.0.0.4", 7711));

    @TempDir
    private Path root = Path.of("");

    @Test
    void whoWaitsHearsOfWhatOnlyTheSnapshotTold() throws IOException {
        hearOfWhatOnlyTheSnapshotTold(1);
    }

    /** Every AllocSvr, router and Java client of a large deployment at one peer. */
    @Test
    void fiveThousandMayWaitAtOnceAndAllHearOfIt() throws IOException {
        hearOfWhatOnlyTheSnapshotTold(5_000);
    }

    private void hearOfWhatOnlyTheSnapshotTold(int watchers) throws IOException {
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
            var watches = new WatchQueue(vertx, context, behind, "cluster-1", () -> List.of(PEER));
            behind.listen(watches);
            // In a future, so that it is not awaited here.
            var asked = Deadline.await(NodeServer.onContext(
                    context,
                    () -> io.vertx.core.Future.succeededFuture(
                            Stream.generate(() -> watches.watch(Stamp.of(0, 1, 0), 60_000))
                                    .limit(watchers)
                                    .toList())));
            assertTrue(asked.stream().noneMatch(io.vertx.core.Future::isComplete));
            behind.open(root.resolve("newer"));
            var first = Deadline.await(asked.get(0));
            for (var watch : asked) {
                var answer = Deadline.await(watch);
                assertSame(first, answer, "so it is encoded and kept once");
                assertEquals(Stamp.of(0, 2, 0), answer.getVersion());
                assertTrue(answer.hasView());
                assertEquals(List.of("10.0.0.4:7711"), answer.getPeersList());
            }
        } finally {
            behind.close();
            Deadline.await(vertx.close());
        }
    }

    @Test
    void whoWaitsHearsAtOnceOfOtherMembers() {
        var vertx = Vertx.vertx();
        try {
            var context = vertx.getOrCreateContext();
            var members = new AtomicReference<>(List.<RaftPeers.Peer>of());
            var watches = new WatchQueue(vertx, context, new Replica(), "cluster-1", members::get);
            var asked = Deadline.await(NodeServer.onContext(
                    context, () -> io.vertx.core.Future.succeededFuture(List.of(watches.watch(0, 60_000)))));
            watches.regrouped();
            Deadline.await(NodeServer.onContext(context, io.vertx.core.Future::succeededFuture));
            assertFalse(asked.get(0).isComplete(), "the members are the same");
            members.set(List.of(
                    PEER, new RaftPeers.Peer("n5", new HostPort("10.0.0.5", 7712), new HostPort("10.0.0.5", 0))));
            watches.regrouped();
            var answer = Deadline.await(asked.get(0));
            assertFalse(answer.hasView(), "nothing else is new");
            assertEquals(List.of("10.0.0.4:7711"), answer.getPeersList());
        } finally {
            Deadline.await(vertx.close());
        }
    }
}
