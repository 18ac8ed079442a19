package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Formats a data directory for one more peer of a living cluster. */
@Command(
        name = "join",
        description = {
            "Formats the empty data directory of a new StoreSvr peer for a living cluster.",
            "Started with 'storesvr' it then asks to be admitted, and serves once it is."
        })
final class JoinCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Mixin
    private GroupOptions options = new GroupOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StartupException, SettingsException {
        return new NewPeer(config, options, Optional.empty()).format(spec, output);
    }
}
