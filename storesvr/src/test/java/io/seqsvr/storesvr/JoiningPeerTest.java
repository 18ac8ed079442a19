package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.ChangeRefused;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.TransferLeaderRequest;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a peer may do that was formatted to join, and what one that is in its group must find on its disk. */
@Timeout(120)
@Tag("group")
class JoiningPeerTest {
    @TempDir
    private Path root = Path.of("");

    @Test
    void aPeerThatFindsNobodyToAdmitItBeginsNoClusterOfItsOwn() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            int newcomer = cluster.formatToJoin(root, 0, Optional.empty());
            cluster.start(newcomer);
            try (var client = new TestClient(List.of(cluster.address(newcomer)))) {
                long start = System.nanoTime();
                // Many times as long as a peer of a new cluster takes to lead.
                while (System.nanoTime() - start < Duration.ofSeconds(2).toNanos()) {
                    var status = client.status(cluster.address(newcomer));
                    assertFalse(status.getLeads() || status.hasIncarnation(), status::toString);
                    assertEquals(0, status.getTerm(), "it stands for no election");
                    assertEquals(0, status.getMembersCount());
                    assertTrue(client.health(cluster.address(newcomer)).contains("NOT_SERVING"));
                }
            }
        }
    }

    @Test
    void aPeerOfAnotherClusterIsNotAdmitted() throws StartupException {
        try (var cluster = TestCluster.format(root.resolve("a"), 1);
                var other = TestCluster.format(root.resolve("b"), 1)) {
            cluster.start();
            var data = root.resolve("newcomer");
            StoreSvr.formatToJoin(
                    data, other.id(), 0, "peer-2", List.of(cluster.address(0)), Optional.empty(), List.of());
            try (var client = new TestClient(cluster.addresses())) {
                client.open("a");
                var reply = client.changePeers(
                        cluster.address(0),
                        other.id(),
                        Optional.of(other.peers().get(0)),
                        "");
                assertTrue(reply.getRefused().getDetail().startsWith("this peer is of cluster " + cluster.id()));
                assertEquals(1, client.status(cluster.address(0)).getMembersCount());
            }
        }
    }

    @Test
    void whoKnowsAnotherLifeOfTheClusterChangesNothing() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                client.open("a");
                var nobody = new RaftPeers.Peer("peer-2", TestCluster.freeAddress(), TestCluster.freeAddress());
                var join = ChangePeersRequest.newBuilder()
                        .setClusterId(cluster.id())
                        .setAdd(GroupMember.newBuilder()
                                .setPeerId(nobody.id())
                                .setAddress(nobody.service().toString())
                                .setRaft(nobody.raft().toString()));
                var refused = client.changePeers(
                                cluster.address(0), join.setIncarnation(1).build())
                        .getRefused();
                assertEquals(ChangeRefused.Cause.OTHER_INCARNATION, refused.getCause(), refused::toString);
                assertEquals("this peer is of incarnation 0 of the cluster, the caller of 1", refused.getDetail());
                // In its own life the same one is tried, and fails, as nobody is there.
                assertEquals(
                        ChangeRefused.Cause.FAILED,
                        client.changePeers(
                                        cluster.address(0),
                                        join.setIncarnation(0).build())
                                .getRefused()
                                .getCause());
                assertEquals(1, client.status(cluster.address(0)).getMembersCount());

                var transfer = TransferLeaderRequest.newBuilder().setTo("peer-1");
                assertEquals(
                        ChangeRefused.Cause.OTHER_INCARNATION,
                        client.transferLeader(
                                        cluster.address(0),
                                        transfer.setIncarnation(1).build())
                                .getRefused()
                                .getCause());
                assertTrue(client.transferLeader(
                                cluster.address(0), transfer.setIncarnation(0).build())
                        .hasNow());
            }
        }
    }

    @Test
    void aPeerThatWasAdmittedMarksItAndNeedsItsLogFromThenOn() throws StartupException, IOException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            int newcomer = cluster.formatToJoin(root, 0, Optional.empty());
            cluster.start(newcomer);
            try (var client = new TestClient(cluster.addresses())) {
                client.open("a");
                long start = System.nanoTime();
                while (!client.health(cluster.address(newcomer)).contains("\"SERVING\"")) {
                    assertTrue(
                            System.nanoTime() - start < Duration.ofSeconds(40).toNanos(), "it is not admitted");
                }
            }
            cluster.stop(newcomer);
            try (var directory = DataDirectory.open(cluster.data(newcomer))) {
                var mark = directory.mark();
                assertTrue(mark.getSettled() && !mark.hasJoining() && !mark.hasFirstCommand(), mark::toString);
                assertEquals(List.of("peer-1", "peer-2"), mark.getPeersSeenList());
            }
            var configuration = find(cluster.data(newcomer), "raft-meta.conf");
            var bytes = Files.readAllBytes(configuration);
            var kept = configuration.resolveSibling("raft-meta.conf.kept");
            var keptBytes = Files.readAllBytes(kept);
            Files.write(configuration, new byte[] {1, 2, 3});
            Files.write(kept, new byte[] {1, 2, 3});
            assertRefused(cluster, newcomer, "no longer says who is in the group");
            Files.write(kept, keptBytes);
            Files.delete(configuration);
            assertRefused(cluster, newcomer, "no longer says who is in the group");
            Files.write(configuration, bytes);
            cluster.start(newcomer);
            cluster.stop(newcomer);

            // What Ratis did not write to its end is written again from what was kept.
            var begun = Files.createFile(configuration.resolveSibling("begun"));
            Files.move(begun, configuration, StandardCopyOption.REPLACE_EXISTING);
            cluster.start(newcomer);
        }
    }

    private static void assertRefused(TestCluster cluster, int peer, String why) {
        var refused = assertThrows(StartupException.class, () -> cluster.start(peer));
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
        assertTrue(String.valueOf(refused.getMessage()).contains("seqsvr store replace"), refused::toString);
    }

    private static Path find(Path root, String name) throws IOException {
        try (var files = Files.walk(root)) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        }
    }
}
