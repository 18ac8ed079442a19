package io.seqsvr.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The commands about StoreSvr. */
@Command(
        name = "store",
        description = "Everything about StoreSvr's peers: their directories, how they are, settings, backups.",
        synopsisSubcommandLabel = "COMMAND")
final class StoreGroup extends CommandGroup {
    @Override
    List<Class<?>> commands() {
        return List.of(
                BootstrapCommand.class,
                StatusCommand.class,
                JoinCommand.class,
                ReplaceCommand.class,
                RemoveCommand.class,
                TransferLeaderCommand.class,
                SettingsCommand.class,
                BackupCommand.class,
                RestoreCommand.class,
                HelpCommand.class);
    }
}
