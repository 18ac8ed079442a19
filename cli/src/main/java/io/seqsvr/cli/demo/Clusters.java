package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import java.io.IOException;
import java.nio.file.Path;

/** New clusters on this machine, ready to be started. */
public final class Clusters {
    private Clusters() {}

    /** Writes the settings of all nodes and formats the directories of the StoreSvr peers. */
    public static LocalCluster in(LocalNodes nodes, ClusterPlan plan) throws IOException, StartupException {
        return LocalCluster.in(nodes, plan, Clusters::format);
    }

    private static void format(Path file, String clusterId) throws IOException, StartupException {
        try {
            var settings = StoreSvrSettings.read(SettingsReader.ofFile(file));
            StoreSvr.format(settings.data(), clusterId, settings.peers().self(), settings.bootstrap());
        } catch (SettingsException wrong) {
            throw new StartupException(file + ": " + String.join("; ", wrong.problems()));
        }
    }
}
