package io.seqsvr.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells what each StoreSvr peer says of itself. */
@Command(
        name = "status",
        description = {
            "Asks StoreSvr's peers about themselves, those of --store and those they name, and prints a line each.",
            "Ends with 0 if one leader is ready, every peer answered, none is far behind and their states agree,"
                    + " with 4 if none answered, else with 3."
        })
final class StatusCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var report = new StatusReport(store.surveyWithDigests());
        output.print(spec.commandLine().getOut(), report::text, report::json);
        return report.exitCode();
    }
}
