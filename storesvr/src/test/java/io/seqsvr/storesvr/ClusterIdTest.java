package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that name a cluster: a data directory of another one is refused, and nothing in it is touched. */
class ClusterIdTest {
    private static final String OTHER = "00000000-0000-0000-0000-000000000000";

    @TempDir
    private Path root = Path.of("");

    private static StoreSvrSettings of(TestCluster cluster, String clusterId) {
        var own = cluster.settings(0);
        return new StoreSvrSettings(own.data(), Optional.of(clusterId), own.peers(), own.bootstrap());
    }

    @Test
    void aDirectoryOfAnotherClusterIsRefusedAndItsOwnIsStarted() throws StartupException {
        try (var cluster = TestCluster.format(root, 1)) {
            var refused = assertThrows(StartupException.class, () -> cluster.start(0, of(cluster, OTHER)));
            var message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("belongs to cluster " + cluster.id() + ", not to " + OTHER), message);
            cluster.start(0, of(cluster, cluster.id()));
        }
    }
}
