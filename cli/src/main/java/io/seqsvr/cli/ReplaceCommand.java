package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Formats a data directory for a new peer that takes the place of another. */
@Command(
        name = "replace",
        description = {
            "Formats the empty data directory of a new StoreSvr peer that takes the place of a lost one.",
            "Started with 'storesvr' it then asks to be admitted in its place; the old id is never used again."
        })
final class ReplaceCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Mixin
    private GroupOptions options = new GroupOptions();

    @Option(names = "--old", paramLabel = "PEER", required = true, description = "Id of the peer to replace.")
    private String old = "";

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StartupException, SettingsException {
        return new NewPeer(config, options, Optional.of(old)).format(spec, output);
    }
}
