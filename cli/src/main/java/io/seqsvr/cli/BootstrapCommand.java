package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Formats a data directory for a peer of a new cluster. */
@Command(
        name = "bootstrap",
        description = {
            "Formats the data directory of one StoreSvr peer for a new cluster and prints the cluster's id.",
            "The first peer draws the id; each further peer of the same new cluster is given it by --cluster-id."
        })
final class BootstrapCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(
            names = "--cluster-id",
            paramLabel = "UUID",
            converter = ClusterIdConverter.class,
            description = "Id of the new cluster, as the first peer's bootstrap printed it.")
    private @Nullable UUID clusterId;

    /** Reads a UUID. */
    static final class ClusterIdConverter implements ITypeConverter<UUID> {
        @Override
        public UUID convert(String text) {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(
                        "'" + text + "' is no UUID; give the id that the first peer's bootstrap printed");
            }
        }
    }

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StartupException, SettingsException {
        var settings = StoreSvrSettings.read(config.open());
        var id = (clusterId == null ? UUID.randomUUID() : clusterId).toString();
        StoreSvr.format(settings.data(), id, settings.peers().self(), settings.bootstrap());
        output.print(
                spec.commandLine().getOut(),
                () -> id,
                () -> new JsonObject()
                        .put("cluster_id", id)
                        .put("peer", settings.peers().self())
                        .put("data", settings.data().toString()));
        return ExitCode.OK;
    }
}
