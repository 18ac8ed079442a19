package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guarantees G1 and G2 through kill -9 under load: after each, every user of every segment goes on above what was seen. */
final class KillAndRestartIT {
    private static final int KILLS = 5;
    private static final long ANSWERS_PER_ROUND = 3_000;
    private static final Duration ROUND = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final History history = new History();
    private final ArrayList<Crowd.Span> spans = new ArrayList<>();

    @Test
    @Timeout(600)
    void noSequenceRepeatsOrGoesBackThroughFiveKills() {
        var data = directory.resolve("data");
        try (var cluster = DevCluster.start(data, 0)) {
            Crowd.takesItsFirstSequences(history, cluster.endpoint());
            killUnderLoad(cluster);
        }
        for (int kill = 1; kill < KILLS; kill++) {
            try (var cluster = DevCluster.start(data, 0)) {
                killUnderLoad(cluster);
            }
        }
        try (var cluster = DevCluster.start(data, 0);
                var load = Load.start(history, cluster.endpoint(), Crowd.load())) {
            long from = history.mark();
            load.awaitAnswers(ANSWERS_PER_ROUND, 2, ROUND);
            spans.add(new Crowd.Span(from, history.mark()));
        }
        Crowd.wasServedRightly(history, spans);
    }

    private void killUnderLoad(DevCluster cluster) {
        long from = history.mark();
        var before = history.counts();
        try (var load = Load.start(history, cluster.endpoint(), Crowd.load())) {
            load.awaitAnswers(ANSWERS_PER_ROUND, 1, ROUND);
            spans.add(new Crowd.Span(from, history.mark()));
            cluster.kill9();
            load.awaitFailures(1, ROUND);
        }
        assertTrue(
                history.counts().unknown() > before.unknown(),
                "inconclusive: no call was under way when the cluster was killed");
    }
}
