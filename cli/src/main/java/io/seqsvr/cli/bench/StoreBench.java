package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import java.util.function.Consumer;

/** Measures StoreSvr, on peers of its own: processes and a directory, of which nothing is left in the end. */
public final class StoreBench {
    private final BenchPlan plan;
    private final JavaProgram program;
    private final Consumer<String> progress;

    /**
     * A bench that has started nothing yet.
     *
     * @param plan without problems
     * @param program what runs a peer
     * @param progress gets a line now and then
     */
    public StoreBench(BenchPlan plan, JavaProgram program, Consumer<String> progress) {
        this.plan = plan;
        this.program = program;
        this.progress = progress;
    }

    /** Measures; blocks. */
    public Figures run() throws MeasuringFailed {
        try (var nodes = LocalNodes.in(plan.parent(), "seqsvr-bench-", program)) {
            progress.accept("starting " + plan.peers() + " peers in " + nodes.directory());
            var figures = new Figures();
            putPlan(figures, nodes);
            var peers = PeerProcesses.start(nodes, plan.peers(), plan.scenario().ttl());
            peers.awaitReady();
            try (var line = new StoreLine(peers.addresses())) {
                measure(new BenchRun(plan, peers, line, progress), figures);
            }
            progress.accept("removing " + nodes.directory());
            return figures;
        } catch (IOException unusable) {
            throw new MeasuringFailed("the peers' directory cannot be used: " + unusable.getMessage());
        } catch (StartupException | SettingsException | NodeFailure failed) {
            throw new MeasuringFailed(Objects.requireNonNullElse(failed.getMessage(), "no reason given"));
        }
    }

    private void measure(BenchRun run, Figures figures) throws MeasuringFailed {
        switch (plan.scenario()) {
            case RAISES -> Raises.run(run, figures);
            case LEADER_CHANGE -> LeaderChange.run(run, figures);
            case SNAPSHOT -> Snapshots.run(run, figures);
            case INSTALL -> Installations.run(run, figures);
            case RESTART -> Restarts.run(run, figures);
            case MEMORY -> Memory.run(run, figures);
            case NAMESPACE -> NamespaceStart.run(run, figures);
        }
    }

    private void putPlan(Figures figures, LocalNodes nodes) throws IOException {
        figures.put("scenario", "--scenario", plan.scenario().toString());
        figures.put("peers", "--peers", plan.peers());
        figures.put("concurrency", "--concurrency", plan.concurrency());
        figures.put("batch", "--batch", plan.batch());
        figures.put("seconds", "--seconds", plan.seconds());
        figures.put("warm_up_seconds", "--warm-up", plan.warmUpSeconds());
        figures.put("rounds", "--rounds", plan.rounds());
        figures.put("segments", "segments", BenchPlan.SEGMENTS);
        figures.put(
                "disk",
                "file system of the peers",
                Files.getFileStore(nodes.directory()).type());
    }
}
