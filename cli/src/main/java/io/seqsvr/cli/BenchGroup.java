package io.seqsvr.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The commands that measure. */
@Command(
        name = "bench",
        description =
                "Measures StoreSvr, on peers of its own, AllocSvr, in a cluster that runs, or failover, in a cluster of"
                        + " its own.",
        synopsisSubcommandLabel = "COMMAND")
final class BenchGroup extends CommandGroup {
    @Override
    List<Class<?>> commands() {
        return List.of(BenchStoreCommand.class, BenchAllocCommand.class, BenchFailoverCommand.class, HelpCommand.class);
    }
}
