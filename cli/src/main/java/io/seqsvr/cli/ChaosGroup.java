package io.seqsvr.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** What is done to real clusters on purpose. */
@Command(
        name = "chaos",
        description = "Breaks clusters of real processes on purpose, and checks from outside what users see.",
        synopsisSubcommandLabel = "COMMAND")
final class ChaosGroup extends CommandGroup {
    @Override
    List<Class<?>> commands() {
        return List.of(
                ChaosListCommand.class,
                ChaosRunCommand.class,
                ChaosReportCommand.class,
                ChaosProxyCommand.class,
                HelpCommand.class);
    }
}
