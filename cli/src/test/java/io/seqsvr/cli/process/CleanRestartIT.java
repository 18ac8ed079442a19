package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.DevCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is asked to stop does so soon, and the next one on its data goes on above what it handed out. */
@Timeout(300)
final class CleanRestartIT {
    private static final long ANSWERS = 500;
    private static final Duration STOP_TAKES = Duration.ofSeconds(10);
    /** Of its own accord, or by the signal. */
    private static final Set<Integer> STOPPED = Set.of(0, 128 + 15);

    @TempDir
    private Path directory;

    private final Crowd crowd = new Crowd();

    @Test
    void aCleanRestartLeavesNoGap() {
        try (var cluster = start()) {
            crowd.takesItsFirstSequencesFrom(cluster);
            crowd.asks(cluster, ANSWERS, load -> {});
            stop(cluster);
        }
        sequencesGoOn();
        crowd.wasServedWithoutAGap();
    }

    @Test
    void sequencesGoOnAfterAStopUnderLoad() {
        try (var cluster = start()) {
            crowd.takesItsFirstSequencesFrom(cluster);
            crowd.asks(cluster, ANSWERS, load -> stop(cluster));
        }
        sequencesGoOn();
    }

    private void sequencesGoOn() {
        try (var cluster = start()) {
            crowd.asks(cluster, ANSWERS, load -> {});
        }
        crowd.wasServedRightly();
    }

    private DevCluster start() {
        return DevCluster.startUnhurried(directory.resolve("data"));
    }

    private static void stop(DevCluster cluster) {
        int exitCode = cluster.terminate(STOP_TAKES);
        assertTrue(STOPPED.contains(exitCode), "exit code after SIGTERM is " + exitCode + ", not one of " + STOPPED);
    }
}
