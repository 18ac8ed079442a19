package io.seqsvr.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that measure. */
@Command(
        name = "bench",
        description = "Measures parts of seqsvr, as processes of their own on this machine.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = BenchStoreCommand.class)
final class BenchGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
