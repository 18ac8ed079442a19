package io.seqsvr.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command above all others. */
@Command(
        name = "seqsvr",
        description = "Strictly increasing 64-bit sequences per user, through crashes, pauses and partitions.",
        mixinStandardHelpOptions = true,
        versionProvider = Build.Line.class,
        scope = picocli.CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ok",
            "1:failed",
            "2:wrong usage",
            "3:unhealthy",
            "4:unavailable or timed out",
            "10:safety violated",
            "11:target missed",
            "12:inconclusive"
        })
final class SeqsvrCommand extends CommandGroup {
    @Override
    List<Class<?>> commands() {
        return List.of(
                DemoCommand.class,
                DevCommand.class,
                NextCommand.class,
                CurrentCommand.class,
                RaiseFloorCommand.class,
                RoutesCommand.class,
                WatchCommand.class,
                StoreSvrCommand.class,
                AllocSvrCommand.class,
                RouterCommand.class,
                StoreGroup.class,
                NamespaceGroup.class,
                ClusterStatusCommand.class,
                NodesCommand.class,
                DescribeCommand.class,
                MoveCommand.class,
                DrainCommand.class,
                SimCommand.class,
                ChaosGroup.class,
                BenchGroup.class,
                RehearseCommand.class,
                HelpCommand.class);
    }
}
