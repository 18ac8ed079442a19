package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What running one tier alone has in common: settings file, process, signal. */
abstract sealed class TierCommand implements Callable<Integer> permits StoreSvrCommand, AllocSvrCommand, RouterCommand {
    @Mixin
    private ConfigOption config = new ConfigOption();

    /** Starts the tier in the process and registers how it is stopped. */
    abstract void start(NodeProcess process, ConfigOption settings) throws StartupException, SettingsException;

    @Override
    public final Integer call() throws StartupException, SettingsException, InterruptedException {
        var process = new NodeProcess();
        try {
            start(process, config);
        } catch (StartupException | SettingsException | RuntimeException failed) {
            process.close();
            throw failed;
        }
        process.closeOnSignal();
        process.tellsThatItRuns();
        NodeProcess.awaitSignal();
        return ExitCode.OK;
    }
}
