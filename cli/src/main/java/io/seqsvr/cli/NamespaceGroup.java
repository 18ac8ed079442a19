package io.seqsvr.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about namespaces. */
@Command(
        name = "namespace",
        description = "Makes namespaces, alters their settings and lists them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            NamespaceCreateCommand.class,
            NamespaceAlterCommand.class,
            NamespaceListCommand.class,
            HelpCommand.class
        })
final class NamespaceGroup implements Runnable {
    /** Shows what became of a namespace. */
    static final String LIST = "namespace list";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
