package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.fixture.StallingRelay;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All connections of Raft between one peer and the others lose what is sent and never say so, as behind a firewall that
 * forgot them. New ones are well.
 */
@Tag("group")
class LostConnectionsTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);
    private static final int PEERS = 3;

    @TempDir
    private Path root = Path.of("");

    private TestCluster cluster;
    private TestClient client;
    private long session;
    /** By who connects, and to whom; nothing in between where both are the same. */
    private final List<List<StallingRelay>> relays = new ArrayList<>();

    @BeforeEach
    void startBehindRelays() throws StartupException {
        cluster = TestCluster.format(root, PEERS);
        for (int from = 0; from < PEERS; from++) {
            var outward = new ArrayList<StallingRelay>();
            for (int to = 0; to < PEERS; to++) {
                outward.add(new StallingRelay(cluster.peers().get(to).raft().toString()));
            }
            relays.add(outward);
            cluster.start(from, settings(from));
        }
        client = new TestClient(cluster.addresses());
        session = client.open("alloc-1");
        client.publish(1, 0, 9, session);
    }

    private StoreSvrSettings settings(int from) {
        var members = new ArrayList<RaftPeers.Peer>();
        for (int to = 0; to < PEERS; to++) {
            var peer = cluster.peers().get(to);
            var raft = to == from
                    ? peer.raft()
                    : HostPort.parse(relays.get(from).get(to).address());
            members.add(new RaftPeers.Peer(peer.id(), raft, peer.service()));
        }
        var plain = cluster.settings(from);
        return new StoreSvrSettings(
                plain.data(), plain.clusterId(), new RaftPeers(TestCluster.idOf(from), members), plain.bootstrap());
    }

    @AfterEach
    void stop() {
        client.close();
        // First, as Ratis waits for connections that it closes.
        relays.forEach(outward -> outward.forEach(StallingRelay::close));
        cluster.close();
    }

    @Test
    void aFollowerIsSoonInTheGroupAgain() {
        loseConnections((cluster.leader(client) + 1) % PEERS);
        raiseThroughFailures();
        awaitAllCaughtUp();
    }

    @Test
    void soIsALeader() {
        loseConnections(cluster.leader(client));
        raiseThroughFailures();
        awaitAllCaughtUp();
    }

    @Test
    void whereAllHaveLostThemOneIsElectedSoon() {
        for (int peer = 0; peer < PEERS; peer++) {
            loseConnections(peer);
        }
        raiseThroughFailures();
        awaitAllCaughtUp();
    }

    private void loseConnections(int peer) {
        for (int other = 0; other < PEERS; other++) {
            relays.get(peer).get(other).stall();
            relays.get(other).get(peer).stall();
        }
    }

    private void raiseThroughFailures() {
        var raise = new StoreCommand.Raise(session, List.of(new StoreCommand.RaiseItem(FIRST, 1, 500)));
        client.executeThroughFailures(StoreReply.Raised.class, raise);
    }

    private void awaitAllCaughtUp() {
        long index = appliedBy(cluster.leader(client));
        for (int peer = 0; peer < PEERS; peer++) {
            awaitApplied(peer, index);
        }
    }

    private void awaitApplied(int peer, long index) {
        long start = System.nanoTime();
        while (appliedBy(peer) < index) {
            assertTrue(
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(Deadline.SECONDS),
                    () -> TestCluster.idOf(peer) + " does not hear of the others any more");
        }
    }

    private long appliedBy(int peer) {
        return client.statusWithDigests(cluster.address(peer)).getDigestsList().stream()
                .mapToLong(digest -> digest.getIndex())
                .findAny()
                .orElse(-1);
    }
}
