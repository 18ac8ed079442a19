package io.seqsvr.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells who owns what. */
@Command(
        name = "routes",
        description = {
            "Prints who owns which segments, as a router or an AllocSvr has seen it.",
            "Ends with 0 if every segment has an owner, else with 3."
        })
final class RoutesCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private EndpointOptions endpoint = new EndpointOptions();

    @Mixin
    private CallTimeout wait = new CallTimeout();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException, StoreFailure {
        try (var line = endpoint.routes()) {
            var report = new RoutesReport(line.firstPicture(wait.timeout()));
            output.print(spec.commandLine().getOut(), report::text, report::json);
            return report.exitCode();
        }
    }
}
