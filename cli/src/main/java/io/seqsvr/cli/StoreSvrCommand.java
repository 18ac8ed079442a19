package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import picocli.CommandLine.Command;

/** Runs one StoreSvr peer. */
@Command(
        name = "storesvr",
        description =
                "Runs one StoreSvr peer from a data directory that 'store bootstrap', 'join' or 'replace' formatted.")
final class StoreSvrCommand extends TierCommand {
    @Override
    void start(NodeProcess process, ConfigOption config) throws StartupException, SettingsException {
        var settings = StoreSvrSettings.read(config.open());
        var store = StoreSvr.start(process.newLoop(), settings, process.registry(), process::fatal);
        process.started(store::close);
    }
}
