package io.seqsvr.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells how a whole cluster is. */
@Command(
        name = "status",
        description = {
            "Asks StoreSvr's peers about themselves and the cluster, and every AllocSvr and router that has a session"
                    + " for its health.",
            "Ends with 0 if all is well: one leader is ready, every process answers and serves, every segment has an"
                    + " owner; with 3 after a line UNHEALTHY for each reason; with 4 if no peer answered, or none knows"
                    + " its cluster yet; with 1 if peers of different clusters did, or of two lives of one."
        })
final class ClusterStatusCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StoreFailure {
        var peers = new StatusReport(store.surveyWithDigests());
        var report = peers.exitCode() == ExitCode.UNAVAILABLE
                ? ClusterStatusReport.ofPeersAlone(peers)
                : ClusterStatusReport.of(peers, store.view(), new NodeHealth(store.timeout()));
        output.print(spec.commandLine().getOut(), report::text, report::json);
        return report.exitCode();
    }
}
