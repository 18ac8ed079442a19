package io.seqsvr.cli;

import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.Target;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
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
                    + "classes that takes and archives them beside the program. 'demo', 'chaos run', 'bench store' and"
                    + " 'bench failover' do it by themselves."
        })
final class RehearseCommand implements Callable<Integer> {
    private static final Duration WITHIN = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int USERS = 3;

    /** In this process, as all of them are. */
    private static void format(Path file, String clusterId) throws IOException, StartupException {
        try {
            var settings = StoreSvrSettings.read(SettingsReader.ofFile(file));
            StoreSvr.format(settings.data(), clusterId, settings.peers().self(), settings.bootstrap());
        } catch (SettingsException wrong) {
            throw new StartupException(file + ": " + String.join("; ", wrong.problems()));
        }
    }

    @Override
    public Integer call() throws IOException, StartupException {
        var plan = new ClusterPlan(2, 2, 1, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));
        try (var nodes = LocalNodes.in(
                Path.of(System.getProperty("java.io.tmpdir")), "seqsvr-rehearsal-", new JavaProgram("none"))) {
            var cluster = LocalCluster.in(nodes, plan, RehearseCommand::format);
            cluster.all().forEach(RehearseCommand::play);
            cluster.all().forEach(node -> await(node.name() + " serves", node::isReady));
            try (var load = VerifiedLoad.start(Target.of(cluster), USERS, new FaultLog(System::nanoTime))) {
                load.warmUp(WITHIN);
                var changed = change(cluster);
                await("a user is served", () -> load.everyRouterAnsweredSince(changed.atNanos()));
                boolean holds = load.findings().violations().isEmpty();
                return holds ? changed.exitCode() : ExitCode.SAFETY_VIOLATED;
            }
        }
    }

    /** What came of a change, and when. */
    private record Changed(int exitCode, long atNanos) {}

    /**
     * Another peer leads, and all segments get another owner, as each node does it a few times in its life: what costs
     * users time then is mostly that Java sees those classes for the first time.
     */
    private static Changed change(LocalCluster cluster) {
        var store =
                cluster.endpoints(Tier.STORESVR).stream().map(Object::toString).collect(Collectors.joining(","));
        var leaves = cluster.of(Tier.ALLOCSVR).get(0).name();
        int led = Main.commandLine().execute("store", "transfer-leader", "--store", store);
        int drained = Main.commandLine().execute("drain", leaves, "--store", store);
        return new Changed(Math.max(led, drained), System.nanoTime());
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

    private static void await(String what, BooleanSupplier holds) {
        long start = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > WITHIN.toNanos()) {
                throw new IllegalStateException("waited " + WITHIN + " in vain until " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }
}
