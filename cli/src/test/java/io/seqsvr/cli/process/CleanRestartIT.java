package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is asked to stop does so soon, and the next one on its data goes on above what it handed out. */
@Timeout(300)
final class CleanRestartIT {
    private static final long ANSWERS = 500;
    private static final Duration ROUND = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(10);
    /** As after System.exit(0), or by the signal itself. */
    private static final Set<Integer> STOPPED = Set.of(0, 128 + 15);

    @TempDir
    private Path directory;

    private final History history = new History();
    private final ArrayList<Crowd.Span> spans = new ArrayList<>();

    @Test
    void sequencesGoOnAfterAStopAtRest() {
        try (var cluster = DevCluster.start(directory.resolve("data"), 0)) {
            Crowd.takesItsFirstSequences(history, cluster.endpoint());
            serve(cluster);
            stop(cluster);
        }
        goOn();
    }

    @Test
    void sequencesGoOnAfterAStopUnderLoad() {
        try (var cluster = DevCluster.start(directory.resolve("data"), 0)) {
            long from = history.mark();
            try (var load = Load.start(history, cluster.endpoint(), Crowd.load())) {
                load.awaitAnswers(ANSWERS, 1, ROUND);
                spans.add(new Crowd.Span(from, history.mark()));
                stop(cluster);
            }
        }
        goOn();
    }

    private void goOn() {
        try (var cluster = DevCluster.start(directory.resolve("data"), 0)) {
            serve(cluster);
        }
        Crowd.wasServedRightly(history, spans);
    }

    private void serve(DevCluster cluster) {
        long from = history.mark();
        try (var load = Load.start(history, cluster.endpoint(), Crowd.load())) {
            load.awaitAnswers(ANSWERS, 2, ROUND);
        }
        spans.add(new Crowd.Span(from, history.mark()));
    }

    private static void stop(DevCluster cluster) {
        int exitCode = cluster.terminate(STOP);
        assertTrue(STOPPED.contains(exitCode), "exit code after SIGTERM is " + exitCode + ", not one of " + STOPPED);
    }
}
