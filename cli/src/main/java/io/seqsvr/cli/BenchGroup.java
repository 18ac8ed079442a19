package io.seqsvr.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that measure. */
@Command(
        name = "bench",
        description =
                "Measures StoreSvr, on peers of its own, AllocSvr, in a cluster that runs, or failover, in a cluster of"
                        + " its own.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {BenchStoreCommand.class, BenchAllocCommand.class, BenchFailoverCommand.class, HelpCommand.class})
final class BenchGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
