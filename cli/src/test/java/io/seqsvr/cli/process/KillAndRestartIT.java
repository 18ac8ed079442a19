package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.DevCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guarantees G1 and G2 through kill -9 under load: after each, all users of all segments go on above what was seen. */
final class KillAndRestartIT {
    private static final int KILLS = Integer.getInteger("seqsvr.devKills", 2);
    private static final long ANSWERS_PER_ROUND = 3_000;
    private static final Duration KILL_IS_NOTICED = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final Crowd crowd = new Crowd();

    @Test
    @Timeout(600)
    void noSequenceRepeatsOrGoesBackThroughKills() {
        try (var cluster = start()) {
            crowd.takesItsFirstSequencesFrom(cluster);
            killUnderLoad(cluster);
        }
        for (int kills = 1; kills < KILLS; kills++) {
            try (var cluster = start()) {
                killUnderLoad(cluster);
            }
        }
        try (var cluster = start()) {
            crowd.asks(cluster, ANSWERS_PER_ROUND, load -> {});
        }
        crowd.wasServedRightly();
    }

    private DevCluster start() {
        return DevCluster.start(directory.resolve("data"), 0);
    }

    private void killUnderLoad(DevCluster cluster) {
        crowd.asks(cluster, ANSWERS_PER_ROUND, load -> {
            cluster.kill9();
            load.awaitFailures(1, KILL_IS_NOTICED);
        });
    }
}
