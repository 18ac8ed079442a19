package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of one through its real service: what is answered, and what outlives the process. */
class OnePeerTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);

    @TempDir
    private Path root = Path.of("");

    /**
     * Two allocators, one of which took over from a third, with raises in different epochs, segments given back and
     * handed over, a floor where there is no owner, an expelled allocator and a router.
     */
    private static void populate(TestClient client) {
        long gone = client.open("gone");
        client.publish(1, 0, 4, gone);
        client.raise(gone, FIRST, 1, 700);
        client.execute(new CloseSession(gone));
        long heir = client.open("heir");
        client.publish(1, 0, 2, heir);
        client.raise(heir, FIRST, 2, 12_345);
        long other = client.open("other");
        client.publish(2, 7, 9, other);
        client.raise(other, new SegmentId(2, 8), 1, Long.MAX_VALUE);
        client.execute(new Renew(heir));
        client.execute(new Release(heir, List.of(new Sealed(new SegmentId(1, 1), 2, 150))));
        client.execute(new HandOver(heir, List.of(new Sealed(new SegmentId(1, 2), 2, 160)), other));
        client.execute(new HandOver(other, List.of(new Sealed(new SegmentId(2, 7), 1, Sealed.NO_HIGH)), heir));
        client.execute(new RaiseFloor(new SegmentId(2, 2_000), 50_000));
        client.execute(new Expel(client.open("expelled")));
        client.execute(new OpenSession(SessionKind.ROUTER, 5, "router", "r:1"));
    }

    @Test
    void aRestartOnOtherPortsKeepsEverything() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            TestClient.Truth before;
            try (var client = new TestClient(cluster.addresses())) {
                populate(client);
                before = client.truth();
            }
            for (int restart = 0; restart < 2; restart++) {
                cluster.stop();
                var left = cluster.addresses();
                cluster.moveToOtherPorts();
                assertNotEquals(left, cluster.addresses());
                cluster.start();
                try (var client = new TestClient(cluster.addresses())) {
                    assertEquals(before, client.truth());
                }
            }
            try (var client = new TestClient(cluster.addresses())) {
                var heir = before.sessions().get(0).id();
                assertEquals(new RaisedItem(FIRST, 2, true, 12_346), client.raise(heir, FIRST, 2, 12_346));
                assertTrue(client.open("newcomer") > before.version(), "a stamp was given twice");
            }
        }
    }

    @Test
    void whatAKilledPeerAcknowledgedIsThereWhenItStartsAgain() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root.resolve("alive"), 1)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                populate(client);
                assertSurvives(cluster, client, "first");
                // What comes after the first crash must not depend on a clean end before it.
                long heir = client.truth().sessions().get(0).id();
                for (int i = 0; i < 50; i++) {
                    client.raise(heir, FIRST, 2, 20_000 + i);
                }
                client.publish(1, 5, 9, heir);
                assertSurvives(cluster, client, "second");
            }
        }
    }

    private void assertSurvives(TestCluster cluster, TestClient client, String name)
            throws IOException, StartupException {
        var acknowledged = client.truth();
        var copy = DirectoryCopy.of(cluster.data(0), root.resolve(name));
        try (var killed = cluster.ofCopy(copy)) {
            killed.start();
            try (var after = new TestClient(killed.addresses())) {
                assertEquals(acknowledged, after.truth());
            }
        }
    }

    @Test
    void aPeerThatCannotGoOnWithItsLogStopsItself() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            var log = cluster.data(0).resolve("raft").resolve(cluster.id()).resolve("current");
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("a");
                assertFalse(cluster.fatal().isDone());
                // The open segment can still be appended to, but no other can follow it.
                Files.move(log, log.resolveSibling("moved"));
                var items = IntStream.range(0, 2_000)
                        .mapToObj(segment -> new RaiseItem(new SegmentId(2, segment), Long.MAX_VALUE, Long.MAX_VALUE))
                        .toList();
                for (int i = 0; i < 200 && !cluster.fatal().isDone(); i++) {
                    var unused = client.start(new Raise(session, items));
                }
                assertEquals(
                        "Raft ended this member by itself; the line before says why, and a start may mend it",
                        Deadline.await(cluster.fatal()).getMessage());
            }
            Files.move(log.resolveSibling("moved"), log);
        }
    }

    @Test
    void aCommandThatWasSentTwiceOverARestartIsAnsweredAsBefore() throws StartupException {
        var open = new OpenSession(SessionKind.ALLOCATOR, 77, "a", "a:1");
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            long session;
            try (var client = new TestClient(cluster.addresses())) {
                session = client.execute(SessionOpened.class, open).session();
                client.publish(1, 0, 0, session);
            }
            cluster.stop();
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                assertEquals(
                        session,
                        assertInstanceOf(SessionOpened.class, client.execute(open))
                                .session());
                var raise = new Raise(session, List.of(new RaiseItem(FIRST, 1, 500)));
                assertEquals(client.execute(raise), client.execute(raise));
            }
        }
    }
}
