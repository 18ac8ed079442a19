package io.seqsvr.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is done to real clusters on purpose. */
@Command(
        name = "chaos",
        description = "Breaks clusters of real processes on purpose, and checks from outside what users see.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ChaosListCommand.class,
            ChaosRunCommand.class,
            ChaosReportCommand.class,
            ChaosProxyCommand.class,
            HelpCommand.class
        })
final class ChaosGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
