package io.seqsvr.storesvr;

import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.BackupCaller;
import io.seqsvr.storeclient.BackupPage;
import io.seqsvr.storesvr.backup.Backup;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.backup.BackupFacts;
import io.seqsvr.storesvr.backup.BackupReader;
import io.seqsvr.storesvr.backup.BackupWriter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** A backup of a running peer, as the command line makes it: over the wire, to a directory, and read back. */
final class TestBackup {
    private static final Duration TIMEOUT = Duration.ofSeconds(Deadline.SECONDS);

    private final Vertx vertx;
    private final BackupCaller caller;

    TestBackup(TestClient client, HostPort peer) {
        this.vertx = client.vertx();
        this.caller = new BackupCaller(vertx, peer, TIMEOUT);
    }

    BackupPage begin() {
        return page(caller::begin);
    }

    Future<BackupPage> ask(String picture, int number) {
        return NodeServer.onContext(vertx.getOrCreateContext(), () -> caller.page(picture, number));
    }

    private BackupPage page(Supplier<Future<BackupPage>> ask) {
        return Deadline.await(NodeServer.onContext(vertx.getOrCreateContext(), ask));
    }

    /**
     * Takes a backup.
     *
     * @param meanwhile happens before each further page
     */
    Backup take(Path directory, Runnable meanwhile) throws BackupException {
        var takenAt = Instant.now();
        try (var writer = BackupWriter.begin(directory)) {
            var first = begin();
            writer.page(first.rows().getBytes());
            var page = first;
            for (int number = 1; !page.last(); number++) {
                meanwhile.run();
                page = Deadline.await(ask(first.picture(), number));
                writer.page(page.rows().getBytes());
            }
            writer.complete(new BackupFacts(
                    first.clusterId(),
                    first.incarnation(),
                    first.peerId(),
                    first.term(),
                    first.index(),
                    first.confirmed(),
                    first.unapplied(),
                    takenAt,
                    first.growthPerSecond(),
                    first.growthOver()));
        }
        return BackupReader.read(directory);
    }
}
