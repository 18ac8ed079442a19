package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand.AlterCluster;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreReply.ClusterAltered;
import io.seqsvr.core.store.StoreReply.ClusterRefused;
import io.seqsvr.core.store.StoreReply.SessionEnded;
import io.seqsvr.core.store.StoreReply.SessionHeld;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import io.seqsvr.node.StartupException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings of a real cluster, and who may be whom in it. */
@Timeout(120)
@Tag("group")
class ClusterSettingsTest {
    private static final long ELECTION_NANOS = 600_000_000;
    private static final int DRIFT = LeaseTerms.DEFAULT_DRIFT_PERMILLE;

    @TempDir
    private Path root;

    private static AlterCluster ttl(long nanos) {
        return new AlterCluster(new ClusterChange(
                OptionalLong.of(nanos), OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty()));
    }

    private static OpenSession allocator(long nonce, String name, String address) {
        return new OpenSession(SessionKind.ALLOCATOR, nonce, name, address);
    }

    @Test
    void aLeaseThatNoElectionOutlastsIsRefusedBeforeTheLog() throws StartupException {
        try (var cluster = TestCluster.format(root, 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                client.open("somebody");
                var leader = cluster.address(cluster.leader(client));
                var before = client.statusWithDigests(leader);
                assertEquals(
                        new ClusterRefused(
                                "ttl is 600 ms; with several peers it must be above the election time of 600 ms"),
                        client.execute(ttl(ELECTION_NANOS)));
                var after = client.statusWithDigests(leader);
                assertEquals(60_000_000_000L, after.getLease().getTtlNanos());
                assertEquals(before.getDigestsList(), after.getDigestsList(), "it was an entry");
                assertEquals(
                        new ClusterAltered(new LeaseTerms(ELECTION_NANOS + 1, DRIFT), NamespaceDefaults.INITIAL),
                        client.execute(ttl(ELECTION_NANOS + 1)));
            }
        }
    }

    @Test
    void aPeerThatIsAloneElectsItselfAtOnceAndTakesIt() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                assertEquals(
                        ELECTION_NANOS,
                        client.executeThroughFailures(ClusterAltered.class, ttl(ELECTION_NANOS))
                                .lease()
                                .ttlNanos());
            }
        }
    }

    @Test
    void twoAllocatorsNeverShareANameOrAnAddressAndARestartedOneIsANewSession() throws StartupException {
        try (var cluster = TestCluster.format(root, 3)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long first = client.executeThroughFailures(SessionOpened.class, allocator(1, "a", "host-a:1"))
                        .session();
                var sameName = allocator(2, "a", "host-b:1");
                var sameAddress = allocator(3, "b", "host-a:1");
                var restarted = allocator(4, "a", "host-a:1");
                for (int peer = 0; peer < 3; peer++) {
                    try (var other = new TestClient(List.of(cluster.address(peer)))) {
                        for (var second : List.of(sameName, sameAddress, restarted)) {
                            var held = other.executeThroughFailures(SessionHeld.class, second);
                            assertEquals(first, held.holder(), second::toString);
                            assertTrue(held.remainingNanos() > 0, held::toString);
                        }
                    }
                }
                client.execute(SessionEnded.class, new CloseSession(first));
                assertNotEquals(
                        first, client.execute(SessionOpened.class, restarted).session());
            }
        }
    }
}
