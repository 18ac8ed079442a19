package io.seqsvr.cli;

import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.cli.demo.Clusters;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Plays all parts of a cluster, and its users, once and in one process: all the classes that a demo needs are loaded
 * then, and Java can archive them for faster starts. The launcher runs it.
 */
final class Rehearsal {
    private static final Duration WITHIN = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int USERS = 3;

    private Rehearsal() {}

    /** Plays, and ends the process with 0 if everybody played along. */
    public static void main(String[] arguments) throws IOException, StartupException {
        var plan = new ClusterPlan(2, 1, 1, Duration.ofSeconds(3), 1_000, 10);
        try (var nodes = LocalNodes.in(
                Path.of(System.getProperty("java.io.tmpdir")), "seqsvr-rehearsal-", new JavaProgram("none"))) {
            var cluster = Clusters.in(nodes, plan);
            cluster.all().forEach(Rehearsal::play);
            cluster.all().forEach(Rehearsal::awaitReady);
            try (var load = VerifiedLoad.start(cluster, USERS, new FaultLog(System::nanoTime))) {
                load.warmUp(WITHIN);
                System.exit(load.findings().violations().isEmpty() ? ExitCode.OK : ExitCode.SAFETY_VIOLATED);
            }
        }
    }

    private static void play(LocalNode node) {
        var thread = new Thread(
                () -> Main.commandLine()
                        .execute(
                                node.tier().command(),
                                "--config",
                                node.settings().toString()),
                node.name());
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitReady(LocalNode node) {
        long start = System.nanoTime();
        while (!node.isReady()) {
            if (System.nanoTime() - start > WITHIN.toNanos()) {
                throw new IllegalStateException(node.name() + " does not serve after " + WITHIN);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }
}
