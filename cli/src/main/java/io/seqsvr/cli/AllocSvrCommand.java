package io.seqsvr.cli;

import io.seqsvr.allocsvr.AllocSvr;
import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import picocli.CommandLine.Command;

/** Runs one AllocSvr. */
@Command(name = "allocsvr", description = "Runs one AllocSvr; it serves once a router gave it segments.")
final class AllocSvrCommand extends TierCommand {
    @Override
    void start(NodeProcess process, ConfigOption config) throws StartupException, SettingsException {
        var settings = AllocSvrSettings.read(config.open());
        var allocator = AllocSvr.start(process.newLoop(), settings, process.registry(), process::fatal);
        process.started(allocator::close);
    }
}
