package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.host.FileLimit;
import io.seqsvr.chaos.lab.Need;
import io.seqsvr.client.SequenceClient;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An AllocSvr that can open no more files goes on for whoever is connected, and keeps its lease: it has to end by
 * itself, so that others serve those who cannot reach it.
 */
@Timeout(300)
final class OutOfFilesIT {
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private static void askForEverybody(SmallCluster cluster) {
        try (var client = SequenceClient.builder()
                .endpoint(cluster.router(0).endpoint().toString())
                .timeout(CALL)
                .build()) {
            for (int segment = 0; segment < SmallCluster.SEGMENTS; segment++) {
                client.blocking().next(SmallCluster.NAMESPACE, SmallCluster.user(segment), 1);
            }
        }
    }

    /** What it closes meanwhile it could open again. */
    private static void tighten(FileLimit limit) {
        try {
            limit.isFelt();
        } catch (UncheckedIOException | IllegalStateException gone) {
            System.out.println("it has ended: " + gone.getMessage());
        }
    }

    @Test
    void whoHasNoFileLeftEndsAndAnotherServesItsUsers() throws Exception {
        var missing = Need.FILE_LIMIT.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        try (var cluster = new SmallCluster(directory, 2, 1)) {
            askForEverybody(cluster);
            var process = cluster.allocator(0).process();
            try (var limit = FileLimit.atWhatIsOpen(process.pid())) {
                PeersSeen.await("the process to end", () -> {
                    tighten(limit);
                    return process.isAlive() ? Optional.empty() : Optional.of(true);
                });
                assertEquals(1, process.awaitEnd(ENDS_WITHIN));
            }
            askForEverybody(cluster);
            var log = Files.readString(directory.resolve("a0.log"));
            assertTrue(log.contains("event=no_file_left most="), log);
            assertTrue(log.contains("event=fatal error=\"for 4 s this process, which may have "), log);
        }
    }
}
