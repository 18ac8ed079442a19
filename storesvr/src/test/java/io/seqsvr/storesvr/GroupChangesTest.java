package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangeRefused.Cause;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group whose peers come and go: with real Raft, in one process. */
@Timeout(120)
@Tag("group")
class GroupChangesTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);

    @TempDir
    private Path root = Path.of("");

    private static List<String> ids(ChangePeersReply reply) {
        return reply.getNow().getMembersList().stream()
                .map(GroupMember::getPeerId)
                .sorted()
                .toList();
    }

    private static long raise(TestClient client, long session, long maxSeq) {
        var raise = new StoreCommand.Raise(session, List.of(new StoreCommand.RaiseItem(FIRST, 1, maxSeq)));
        return client.executeThroughFailures(StoreReply.Raised.class, raise)
                .items()
                .get(0)
                .maxSeq();
    }

    private static int leader(TestCluster cluster, TestClient client) {
        // Whoever leads has answered this one.
        client.executeThroughFailures(StoreReply.SessionGone.class, new StoreCommand.Renew(-1));
        return cluster.leader(client);
    }

    @Test
    void aGroupOfOneGrowsToThreeAndThenDoesWithoutTheFirst() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            long session;
            try (var client = new TestClient(List.of(cluster.address(0)))) {
                session = client.open("alloc-1");
                client.publish(1, 0, 9, session);
                assertEquals(500, raise(client, session, 500));
                int second = cluster.formatToJoin(root, 0, Optional.empty());
                cluster.start(second);
                client.awaitServing(cluster.address(second));
                // Through a follower, which passes it on, and stopped in the middle of it or before it.
                int third = cluster.formatToJoin(root, second, Optional.empty());
                cluster.start(third);
                cluster.stop(third);
                cluster.start(third);
                client.awaitServing(cluster.address(third));
                assertEquals(
                        List.of("peer-1", "peer-2", "peer-3"),
                        client.status(cluster.address(third)).getMembersList().stream()
                                .map(GroupMember::getPeerId)
                                .toList());
                assertEquals(600, raise(client, session, 600));
            }
            cluster.stop(0);
            try (var client = new TestClient(List.of(cluster.address(1), cluster.address(2)))) {
                assertEquals(700, raise(client, session, 700), "the two that joined are a majority");
                int leader = leader(cluster, client);
                var follower = client.status(cluster.address(3 - leader));
                assertEquals(cluster.address(leader).toString(), follower.getLeaderAddress());
            }
            // Its settings name nobody, and still it is no group of its own.
            cluster.start(0);
            try (var client = new TestClient(List.of(cluster.address(0)))) {
                client.awaitServing(cluster.address(0));
                assertEquals(800, raise(client, session, 800));
                assertEquals(3, client.status(cluster.address(0)).getMembersCount());
            }
        }
    }

    @Test
    void aLostPeerIsReplacedUnderANewIdWhileRaisesGoOn() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("alloc-1");
                client.publish(1, 0, 9, session);
                assertEquals(500, raise(client, session, 500));
                int lost = leader(cluster, client);
                int other = (lost + 1) % 3;
                cluster.stop(lost);
                delete(cluster.data(lost));
                assertThrows(StartupException.class, () -> cluster.start(lost), "an emptied peer never starts");
                assertEquals(600, raise(client, session, 600));
                int heir = cluster.formatToJoin(root, other, Optional.of(lost));
                cluster.start(heir);
                long maxSeq = 600;
                while (!client.health(cluster.address(heir)).contains("\"SERVING\"")) {
                    maxSeq++;
                    assertEquals(maxSeq, raise(client, session, maxSeq));
                }
                // With one of the old ones gone too, the new one is needed for a majority, and has all of it.
                cluster.stop(other);
                assertEquals(maxSeq + 1, raise(client, session, maxSeq + 1));
                var members = client.status(cluster.address(heir)).getMembersList().stream()
                        .map(GroupMember::getPeerId)
                        .toList();
                assertFalse(members.contains(TestCluster.idOf(lost)), members::toString);
                assertEquals(3, members.size());
            }
        }
    }

    @Test
    void aPeerThatIsTakenOutStopsItselfAndIsNeverTakenBack() throws StartupException {
        try (var cluster = TestCluster.format(root, 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("alloc-1");
                int gone = leader(cluster, client);
                var left = client.changePeers(cluster.address(gone), Optional.empty(), TestCluster.idOf(gone));
                // It led: another one leads first, and is to be asked.
                assertEquals(Cause.NOT_LEADER, left.getRefused().getCause(), left::toString);
                assertNotEquals(gone, leader(cluster, client));
                left = client.changePeers(
                        cluster.address(leader(cluster, client)), Optional.empty(), TestCluster.idOf(gone));
                assertEquals(2, ids(left).size(), left::toString);
                var fatal = Deadline.await(cluster.fatal());
                assertTrue(
                        String.valueOf(fatal.getMessage()).startsWith(TestCluster.idOf(gone) + " was taken out"),
                        fatal::toString);
                cluster.stop(gone);
                assertEquals(session, client.open("alloc-1"));
                var again = client.changePeers(
                        cluster.address(leader(cluster, client)),
                        Optional.of(cluster.peers().get(gone)),
                        "");
                assertEquals(Cause.AGAINST_RULES, again.getRefused().getCause());
                assertTrue(again.getRefused().getDetail().contains("was in the group before"), again::toString);
            }
        }
    }

    /** It asks until it is in: after the change was made, and before it has seen that. */
    @Test
    void aPeerWhoseAddressTheLeadersSettingsSpellOtherwiseMayAskAgain() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            try (var client = new TestClient(List.of(cluster.address(0)))) {
                client.open("alloc-1");
                cluster.stop(0);
                int second = cluster.formatToJoin(root, 0, Optional.empty());
                var named = cluster.peers().get(second);
                var respelled = new RaftPeers.Peer(
                        named.id(),
                        named.raft(),
                        new HostPort("localhost", named.service().port()));
                var settings = cluster.settings(0);
                cluster.start(
                        0,
                        new StoreSvrSettings(
                                settings.data(),
                                settings.clusterId(),
                                new RaftPeers(
                                        TestCluster.idOf(0),
                                        List.of(cluster.peers().get(0), respelled)),
                                settings.bootstrap()));
                cluster.start(second);
                client.awaitServing(cluster.address(second));
                if (leader(cluster, client) != 0) {
                    client.transferLeader(cluster.address(second), TestCluster.idOf(0));
                }
                for (var asking : List.of(named, respelled)) {
                    var again = client.changePeers(cluster.address(0), Optional.of(asking), "");
                    assertEquals(List.of("peer-1", "peer-2"), ids(again), again::toString);
                }
                var another = new RaftPeers.Peer(named.id(), TestCluster.freeAddress(), TestCluster.freeAddress());
                var refused = client.changePeers(cluster.address(0), Optional.of(another), "");
                assertEquals(Cause.AGAINST_RULES, refused.getRefused().getCause(), refused::toString);
                assertTrue(
                        refused.getRefused().getDetail().startsWith("peer-2 is in the group already, at localhost:"));
            }
        }
    }

    @Test
    void theLeaderGivesItsPlaceAwayAndRefusesWhatWouldEndTheGroup() throws StartupException {
        try (var cluster = TestCluster.format(root, 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                int first = leader(cluster, client);
                int next = (first + 1) % 3;
                var transferred = client.transferLeader(cluster.address(first), TestCluster.idOf(next));
                assertEquals(TestCluster.idOf(next), transferred.getNow().getLeaderId(), transferred::toString);
                assertEquals(next, leader(cluster, client));
                assertEquals(
                        Cause.AGAINST_RULES,
                        client.transferLeader(cluster.address(next), "peer-9")
                                .getRefused()
                                .getCause());
                assertEquals(
                        next, leader(cluster, client), "and takes commands after it was asked for one that is none");
                assertEquals(
                        "peer-9 is not in the group, which is peer-1, peer-2, peer-3",
                        client.changePeers(cluster.address(next), Optional.empty(), "peer-9")
                                .getRefused()
                                .getDetail());
                // Nobody runs there: the group stays as it is.
                var nobody = new RaftPeers.Peer("peer-7", TestCluster.freeAddress(), TestCluster.freeAddress());
                var failed = client.changePeers(cluster.address(next), Optional.of(nobody), "");
                assertEquals(Cause.FAILED, failed.getRefused().getCause(), failed::toString);
                assertEquals(3, client.status(cluster.address(next)).getMembersCount());
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
