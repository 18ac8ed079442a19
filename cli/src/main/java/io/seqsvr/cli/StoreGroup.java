package io.seqsvr.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about StoreSvr. */
@Command(
        name = "store",
        description = "Everything about StoreSvr's peers: their directories, how they are, settings, backups.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            BootstrapCommand.class,
            StatusCommand.class,
            JoinCommand.class,
            ReplaceCommand.class,
            RemoveCommand.class,
            TransferLeaderCommand.class,
            SettingsCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            HelpCommand.class
        })
final class StoreGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
