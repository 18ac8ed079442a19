package io.seqsvr.cli;

import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreSurvey;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Formats a data directory for a peer of a new cluster. */
@Command(
        name = "bootstrap",
        description = {
            "Formats the data directory of one StoreSvr peer for a new cluster and prints the cluster's id.",
            "The first peer draws the id; each further peer of the same new cluster is given it, by --cluster-id or by"
                    + " 'cluster_id' in its settings, and names the others in 'other_peers'.",
            "Refused where that cluster lives already: a peer that lost its data comes back by 'store replace'."
        })
final class BootstrapCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofSeconds(3);

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

    @Option(
            names = "--never-started",
            description = {
                "Yes, this peer has never been started, although the others have begun without it, or although it is"
                        + " the only one of a cluster whose id its settings state.",
                "If it was, this may lose what it had acknowledged."
            })
    private boolean neverStarted;

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
        var given = given(settings);
        if (neverStarted && given.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--never-started needs the id of the cluster that has begun: give --cluster-id, or 'cluster_id' in"
                            + " the settings");
        }
        boolean onlyPeer = settings.peers().all().size() == 1;
        if (given.isPresent() && onlyPeer && (clusterId != null || !neverStarted)) {
            // A group of one elects itself: each peer that is begun so leads alone, and gives what the others give.
            throw new StartupException(settings.peers().self() + " was not formatted: a cluster "
                    + given.get() + " may live, and 'other_peers' of its settings names none of it, so that it would"
                    + " lead a group of its own beside that one; name every other peer of the new cluster in"
                    + " 'other_peers'. The first peer of a cluster is bootstrapped without an id; the only peer of one"
                    + " whose 'cluster_id' its settings state, with --never-started");
        }
        if (given.isPresent() && !neverStarted) {
            refuseToBeginAgain(given.get(), settings.peers());
        }
        var id = given.orElseGet(() -> UUID.randomUUID().toString());
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

    /** The cluster that it is to be of, where the command or the settings say. */
    private Optional<String> given(StoreSvrSettings settings) throws StartupException {
        var option = Optional.ofNullable(clusterId).map(UUID::toString);
        if (settings.clusterId().isEmpty()) {
            return option;
        }
        var name = settings.peers().self() + " was not formatted: ";
        var set = settings.clusterId().get();
        if (!isId(set)) {
            throw new StartupException(name + "'cluster_id' of its settings is '" + set
                    + "'; it must be a UUID as the first peer's bootstrap prints it");
        }
        if (option.isPresent() && !option.get().equals(set)) {
            throw new StartupException(
                    name + "its settings name cluster " + set + ", --cluster-id names " + option.get());
        }
        return settings.clusterId();
    }

    /** As it is printed: a start compares it letter by letter. */
    private static boolean isId(String text) {
        try {
            return UUID.fromString(text).toString().equals(text);
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /**
     * A late peer of a new cluster looks like one that lost its data, of which the others may rely on what it had. Only
     * people can tell them apart. (etcd refuses likewise: a member that was once there is not bootstrapped again.)
     */
    private static void refuseToBeginAgain(String id, RaftPeers peers) throws StartupException {
        var others = peers.all().stream()
                .filter(peer -> !peer.id().equals(peers.self()))
                .map(RaftPeers.Peer::service)
                .toList();
        var findings = StoreOptions.on(vertx -> StoreSurvey.insistently(new StatusCaller(vertx, LOOK)::status, others))
                .result();
        var holder = findings.stream()
                .filter(finding -> finding.status()
                        .filter(status -> status.clusterId().equals(id)
                                && status.incarnation().isPresent())
                        .isPresent())
                .findFirst();
        if (holder.isPresent()) {
            var address = holder.get().address();
            throw new StartupException(peers.self() + " was not formatted: cluster " + id + " lives already, "
                    + holder.get().id().orElse("a peer") + " at " + address + " holds its state. If " + peers.self()
                    + " lost its data, put a new peer in its place: 'seqsvr store replace --config NEW.yaml --store "
                    + address + " --old " + peers.self() + "'. If it was never started, say so: --never-started");
        }
    }
}
