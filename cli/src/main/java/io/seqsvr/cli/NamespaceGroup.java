package io.seqsvr.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The commands about namespaces. */
@Command(
        name = "namespace",
        description = "Makes namespaces, alters their settings and lists them.",
        synopsisSubcommandLabel = "COMMAND")
final class NamespaceGroup extends CommandGroup {
    /** Shows what became of a namespace. */
    static final String LIST = "namespace list";

    @Override
    List<Class<?>> commands() {
        return List.of(
                NamespaceCreateCommand.class,
                NamespaceAlterCommand.class,
                NamespaceListCommand.class,
                HelpCommand.class);
    }
}
