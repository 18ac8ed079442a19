package io.seqsvr.cli;

import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.Target;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.cli.demo.Clusters;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;

/**
 * Plays all parts of a cluster, and its users, once and in one process: all the classes that a node or a demo needs are
 * loaded then. The launcher runs it on a Java that archives what it has loaded, and lets every later start use that.
 */
@Command(
        name = "rehearse",
        description = {
            "Makes every later start faster, until the next build.",
            "",
            "Runs a whole cluster and its users for a moment, in one process and on free ports, while Java notes which "
                    + "classes that takes and archives them beside the program. 'demo' and 'chaos' do it by themselves."
        })
final class RehearseCommand implements Callable<Integer> {
    private static final Duration WITHIN = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int USERS = 3;

    @Override
    public Integer call() throws IOException, StartupException {
        var plan = new ClusterPlan(2, 1, 1, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));
        try (var nodes = LocalNodes.in(
                Path.of(System.getProperty("java.io.tmpdir")), "seqsvr-rehearsal-", new JavaProgram("none"))) {
            var cluster = Clusters.in(nodes, plan);
            cluster.all().forEach(RehearseCommand::play);
            cluster.all().forEach(RehearseCommand::awaitReady);
            try (var load = VerifiedLoad.start(Target.of(cluster), USERS, new FaultLog(System::nanoTime))) {
                load.warmUp(WITHIN);
                return load.findings().violations().isEmpty() ? ExitCode.OK : ExitCode.SAFETY_VIOLATED;
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
