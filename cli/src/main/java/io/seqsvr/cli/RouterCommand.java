package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.router.Router;
import io.seqsvr.router.RouterSettings;
import picocli.CommandLine.Command;

/** Runs one router. */
@Command(name = "router", description = "Runs one router: the front door for clients, and the failover controller.")
final class RouterCommand extends TierCommand {
    @Override
    void start(NodeProcess process, ConfigOption config) throws StartupException, SettingsException {
        var settings = RouterSettings.read(config.open());
        var router = Router.start(process.newLoop(), settings, process.registry());
        process.started(router::close);
    }
}
