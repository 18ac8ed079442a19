package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.storesvr.backup.Backup;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.raft.GroupName;
import io.seqsvr.storesvr.raft.RaftPeers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Real peers are backed up under load, lost, and begin a new life. */
@Tag("group")
class RestoreTest {
    /** Long enough for each step of a busy machine; the new life waits for it once. */
    private static final Duration TTL = Duration.ofSeconds(5);

    private static final LeaseTerms TERMS = new LeaseTerms(TTL.toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE);
    private static final SegmentId FIRST = new SegmentId(2, 0);
    private static final SegmentId LAST = new SegmentId(2, 2_399);

    @TempDir
    private Path root = Path.of("");

    /** Segments of more than two pages, with one owner. */
    private static long owner(TestClient client) {
        long session = client.open("a");
        client.publish(2, 0, 1_199, session);
        client.publish(2, 1_200, 2_399, session);
        return session;
    }

    /** Both ends of the state in one command, so that a backup has either both or none. */
    private static void raiseBoth(TestClient client, long session, long maxSeq) {
        client.execute(new Raise(session, List.of(new RaiseItem(FIRST, 1, maxSeq), new RaiseItem(LAST, 1, maxSeq))));
    }

    private static long maxSeq(Backup backup, SegmentId segment) {
        return backup.state().segment(segment).orElseThrow().maxSeq();
    }

    private Backup backup(TestCluster cluster, TestClient client, String name) throws BackupException {
        return new TestBackup(client, cluster.address(0)).take(root.resolve(name), () -> {});
    }

    /** Starts a cluster, and backs it up when somebody has been there. */
    private Backup backedUp(TestCluster cluster) throws StartupException, BackupException {
        cluster.start();
        try (var client = new TestClient(cluster.addresses())) {
            client.open("a");
            return backup(cluster, client, "backup");
        }
    }

    private StoreSvrSettings elsewhere(TestCluster cluster, Path data) {
        var settings = cluster.settings(0);
        return new StoreSvrSettings(data, settings.clusterId(), settings.peers(), settings.bootstrap());
    }

    private static void restore(
            StoreSvrSettings settings, Backup backup, int incarnation, long advance, LeaseTerms former)
            throws StartupException, BackupException {
        RestoredPeer.format(settings, backup, incarnation, advance, former, () -> {});
    }

    private static String refusal(Executable refused) {
        var failure = assertThrows(Exception.class, refused);
        assertTrue(failure instanceof StartupException || failure instanceof BackupException, failure::toString);
        return String.valueOf(failure.getMessage());
    }

    @Test
    void aBackupUnderLoadIsOfOnePlaceInTheLog() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 1)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long session = owner(client);
                raiseBoth(client, session, 500);
                var before = client.truth();
                var taken = new TestBackup(client, cluster.address(0))
                        .take(root.resolve("backup"), () -> raiseBoth(client, session, 90_000));
                assertEquals(500, maxSeq(taken, FIRST));
                assertEquals(500, maxSeq(taken, LAST));
                assertEquals(2_400, taken.state().segments().size());
                assertEquals(
                        before.version(), taken.state().cluster().orElseThrow().watchVersion());
                assertTrue(taken.facts().confirmed(), "the leader of one confirms by itself");
                assertEquals(cluster.id(), taken.facts().clusterId());

                var again = backup(cluster, client, "again");
                assertEquals(90_000, maxSeq(again, FIRST));
                assertEquals(90_000, maxSeq(again, LAST));
                assertTrue(again.facts().index() > taken.facts().index());
            }
        }
    }

    @Test
    void aPictureThatThePeerNoLongerKeepsIsRefused() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                client.open("a");
                var backup = new TestBackup(client, cluster.address(0));
                var first = backup.begin();
                assertTrue(Deadline.await(backup.ask(first.picture(), 0)).last());
                assertTrue(Deadline.failure(backup.ask(first.picture(), 1))
                        .toString()
                        .contains("page is 1"));
                for (int more = 0; more < 4; more++) {
                    backup.begin();
                }
                assertTrue(Deadline.failure(backup.ask(first.picture(), 0))
                        .toString()
                        .contains("keeps no picture"));
            }
        }
    }

    @Test
    void aPeerThatDoesNotLeadSaysThatItCannotConfirm() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long session = client.open("a");
                int leader = cluster.leader(client);
                int follower = (leader + 1) % 3;
                Deadline.await(client.watchUntil(cluster.address(follower), session));
                assertTrue(
                        new TestBackup(client, cluster.address(leader)).begin().confirmed());
                assertFalse(new TestBackup(client, cluster.address(follower))
                        .begin()
                        .confirmed());
            }
        }
    }

    @Test
    void everyNumberOfTheNewLifeIsAboveAllThatWereHandedOutUpToTheAdvance() throws Exception {
        var data = root.resolve("restored");
        try (var cluster = TestCluster.format(root.resolve("peers"), 1, TTL)) {
            cluster.start();
            long former;
            Backup taken;
            try (var client = new TestClient(cluster.addresses())) {
                former = owner(client);
                client.raise(former, FIRST, 1, 700);
                taken = backup(cluster, client, "backup");
                // All that is handed out after the backup, and in a segment that it does not know.
                client.execute(new StoreCommand.Renew(former));
                client.raise(former, FIRST, 1, 1_700);
                client.publish(1, 3, 3, former);
                client.execute(new StoreCommand.Renew(former));
                client.raise(former, new SegmentId(1, 3), 1, 1_000);
            }
            cluster.stop();
            var settings = elsewhere(cluster, data);
            restore(settings, taken, 1, 1_000, TERMS);
            cluster.start(0, settings);
            try (var client = new TestClient(cluster.addresses())) {
                assertEquals(new SessionGone(former), client.execute(new StoreCommand.Renew(former)));
                // The session of the former life is there until its timer ends.
                client.awaitView(view -> view.sessions().isEmpty());
                long heir = client.open("heir");
                client.publish(2, 0, 0, heir);
                client.publish(1, 3, 3, heir);
                client.execute(new StoreCommand.Renew(heir));
                var claimed = client.claim(heir);
                assertEquals(2, claimed.size());
                assertEquals(1_000, base(claimed, new SegmentId(1, 3)));
                assertEquals(1_700, base(claimed, FIRST));
                assertTrue(claimed.stream().allMatch(one -> one.epoch() > 1L << 43), claimed::toString);
                refusesTheFormerLife(cluster, client);
                var status = client.status(cluster.address(0));
                assertEquals(1, status.getIncarnation());
            }
            // It restarts as any other, and is backed up and restored once more.
            cluster.stop();
            cluster.start(0, settings);
            try (var client = new TestClient(cluster.addresses())) {
                client.execute(SessionGone.class, new StoreCommand.Renew(-1));
                var second = backup(cluster, client, "second");
                assertEquals(1, second.facts().incarnation());
                restore(elsewhere(cluster, root.resolve("third")), second, 2, 1, TERMS);
            }
        }
    }

    @Test
    void othersJoinTheNewLifeAndHaveAllOfItWithoutTheOneThatWasRestored() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 1, TTL)) {
            cluster.start();
            Backup taken;
            try (var client = new TestClient(cluster.addresses())) {
                raiseBoth(client, owner(client), 700);
                taken = backup(cluster, client, "backup");
            }
            cluster.stop();
            var settings = elsewhere(cluster, root.resolve("restored"));
            restore(settings, taken, 1, 1_000, TERMS);
            cluster.start(0, settings);
            int second = joinTheNewLife(cluster);
            int third = joinTheNewLife(cluster);
            cluster.stop(0);
            try (var client = new TestClient(List.of(cluster.address(second), cluster.address(third)))) {
                client.awaitView(view -> view.sessions().isEmpty());
                long heir = client.open("heir");
                client.publish(2, 0, 0, heir);
                client.execute(new StoreCommand.Renew(heir));
                assertEquals(1_700, base(client.claim(heir), FIRST));
                assertEquals(1, client.status(cluster.address(third)).getIncarnation());
            }
        }
    }

    private int joinTheNewLife(TestCluster cluster) throws StartupException {
        int peer = cluster.formatToJoin(root.resolve("joined"), 0, 1, Optional.empty());
        cluster.start(peer);
        try (var client = new TestClient(List.of(cluster.address(peer)))) {
            client.awaitServing(cluster.address(peer));
        }
        return peer;
    }

    private static long base(List<ClaimedSegment> claimed, SegmentId segment) {
        return claimed.stream()
                .filter(one -> one.segment().equals(segment))
                .findFirst()
                .orElseThrow()
                .base();
    }

    private static void refusesTheFormerLife(TestCluster cluster, TestClient client) {
        var reply = client.execute(
                cluster.address(0),
                ExecuteRequest.newBuilder()
                        .setClusterId(cluster.id())
                        .setIncarnation(0)
                        .setCommand(
                                Command.newBuilder().setRenew(Renew.newBuilder().setSession(-1)))
                        .build());
        assertEquals(
                NotSubmitted.Cause.OTHER_INCARNATION, reply.getNotSubmitted().getCause());
        assertEquals(1, reply.getIncarnation());
    }

    @Test
    void peersOfTheFormerLifeThatWereForgottenDoNotReachTheNewOne() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 3)) {
            cluster.start();
            Backup taken;
            try (var client = new TestClient(cluster.addresses())) {
                client.open("a");
                int leader = cluster.leader(client);
                taken = new TestBackup(client, cluster.address(leader)).take(root.resolve("backup"), () -> {});
            }
            cluster.stop();
            var own = cluster.peers().get(0);
            var alone = new StoreSvrSettings(
                    root.resolve("restored"),
                    Optional.of(cluster.id()),
                    new RaftPeers(own.id(), List.of(own)),
                    cluster.settings(0).bootstrap());
            // Its sessions outlive the start of all three.
            restore(alone, taken, 1, 1_000, new LeaseTerms(60_000_000_000L, 100));
            // It has the id and the addresses of a peer that the other two still count as theirs.
            cluster.start(0, alone);
            cluster.start(1);
            cluster.start(2);
            try (var old = new TestClient(cluster.addresses().subList(1, 3));
                    var client = new TestClient(cluster.addresses().subList(0, 1))) {
                assertTrue(old.open("left behind") < 1L << 53, "the two elect a leader without the third");
                assertTrue(client.open("heir") > 1L << 53);
                var status = client.status(cluster.address(0));
                assertEquals(1, status.getIncarnation());
                assertTrue(status.getLeads());
                assertEquals(2, status.getTerm());
                var names = client.truth().sessions().stream()
                        .map(session -> session.name())
                        .toList();
                assertEquals(List.of("former-life", "heir"), names);
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAndNothingIsWritten() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 1)) {
            var taken = backedUp(cluster);
            var data = root.resolve("restored");
            var settings = elsewhere(cluster, data);
            assertTrue(refusal(() -> restore(settings, taken, 1, 0, TERMS)).contains("advance is 0"));
            assertTrue(refusal(() -> restore(settings, taken, 0, 1, TERMS)).contains("incarnation is 0"));
            assertTrue(refusal(() -> restore(settings, taken, 1_024, 1, TERMS)).contains("incarnation is 1024"));
            var other = new StoreSvrSettings(data, Optional.of("another"), settings.peers(), settings.bootstrap());
            assertTrue(refusal(() -> restore(other, taken, 1, 1, TERMS)).contains("not of another"));
            assertTrue(refusal(() -> restore(withAnother(settings), taken, 1, 1, TERMS))
                    .contains("other_peers"));
            assertFalse(Files.exists(data));
            assertTrue(refusal(() -> restore(cluster.settings(0), taken, 1, 1, TERMS))
                    .contains("it holds a peer's data"));
        }
    }

    private static StoreSvrSettings withAnother(StoreSvrSettings settings) {
        var own = settings.peers().own();
        var another = new RaftPeers.Peer("peer-9", TestCluster.freeAddress(), TestCluster.freeAddress());
        return new StoreSvrSettings(
                settings.data(),
                Optional.empty(),
                new RaftPeers(own.id(), List.of(own, another)),
                settings.bootstrap());
    }

    /** Several that were restored would pass for replicas of each other: the same group, and the same first place. */
    @Test
    void aRestoredPeerStartsForTheFirstTimeAlone() throws Exception {
        try (var cluster = TestCluster.format(root.resolve("peers"), 1)) {
            var taken = backedUp(cluster);
            cluster.stop();
            var alone = elsewhere(cluster, root.resolve("restored"));
            restore(alone, taken, 1, 1, TERMS);
            var refused = refusal(() -> cluster.start(0, withAnother(alone)));
            assertTrue(refused.contains("other_peers") && refused.contains("store join"), refused);
            cluster.start(0, alone);
            try (var client = new TestClient(cluster.addresses())) {
                client.execute(SessionGone.class, new StoreCommand.Renew(-1));
            }
            cluster.stop();
            // Once it was alone its log says who is in the group, whatever the settings name.
            cluster.start(0, withAnother(alone));
            try (var client = new TestClient(cluster.addresses())) {
                client.execute(SessionGone.class, new StoreCommand.Renew(-1));
            }
        }
    }

    @Test
    void aRestoredPeerDoesNotBeginFromNothing() throws Exception {
        var data = root.resolve("restored");
        try (var cluster = TestCluster.format(root.resolve("peers"), 1)) {
            var taken = backedUp(cluster);
            cluster.stop();
            var settings = elsewhere(cluster, data);
            restore(settings, taken, 1, 1, TERMS);
            var snapshots =
                    data.resolve("raft").resolve(GroupName.of(cluster.id(), 1)).resolve("sm");
            Files.move(snapshots.resolve("1_1"), root.resolve("gone"));
            assertTrue(refusal(() -> cluster.start(0, settings)).contains("that state is gone"));
        }
    }

    @Test
    void theMarkAndTheStateAreOfOneLife() throws Exception {
        var data = root.resolve("restored");
        try (var cluster = TestCluster.format(root.resolve("peers"), 1)) {
            var taken = backedUp(cluster);
            cluster.stop();
            var settings = elsewhere(cluster, data);
            restore(settings, taken, 1, 1, TERMS);
            putTheRaftPartOfTheFormerLifeUnder(data, cluster);
            assertTrue(refusal(() -> cluster.start(0, settings)).contains("incarnation 0"));
        }
    }

    private static void putTheRaftPartOfTheFormerLifeUnder(Path data, TestCluster cluster) throws IOException {
        var raft = data.resolve("raft");
        var group = raft.resolve(GroupName.of(cluster.id(), 1));
        Files.move(group, data.resolveSibling("newer"));
        DirectoryCopy.of(cluster.data(0).resolve("raft").resolve(cluster.id()), group);
    }
}
