package io.seqsvr.cli;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.Incarnation;
import io.seqsvr.core.store.Restoration;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.storesvr.RestoredPeer;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.seqsvr.storesvr.backup.Backup;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.backup.BackupReader;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Formats a data directory for the first peer of a cluster's next life. */
@Command(
        name = "restore",
        description = {
            "Formats the empty data directory of one StoreSvr peer with a backup, for the next life of its cluster.",
            "Stop every StoreSvr peer of the former life first, for good. Without --advance it offers one and ends."
        })
final class RestoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory that 'store backup' wrote.")
    private Path directory = Path.of("");

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(
            names = "--advance",
            paramLabel = "N",
            description = {
                "By how much max_seq of every segment goes up, at least 1: as much as that of the busiest one can have",
                "grown since the backup, jumps by floors included, and a step for each time its owner died.",
                "Too small, and sequences repeat."
            })
    private @Nullable Long advance;

    @Option(
            names = "--incarnation",
            paramLabel = "N",
            description = {
                "Number of the new life, at most 1023: above that of every life before, also of one that was given up.",
                "Default: one more than the backup's."
            })
    private @Nullable Integer incarnation;

    @Option(
            names = "--former-ttl",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "Longest ttl that any lease had since the backup. Default: that of the backup.")
    private @Nullable Duration formerTtl;

    @Option(
            names = "--former-drift",
            paramLabel = "D",
            description = "Greatest drift that any lease had since the backup. Default: that of the backup.")
    private @Nullable Double formerDrift;

    @Option(
            names = "--cluster-id",
            paramLabel = "UUID",
            converter = BootstrapCommand.ClusterIdConverter.class,
            description = "Refuse the backup of any other cluster.")
    private @Nullable UUID clusterId;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StartupException, SettingsException, BackupException {
        var settings = StoreSvrSettings.read(config.open());
        var backup = BackupReader.read(directory);
        var cluster = backup.facts().clusterId();
        if (clusterId != null && !clusterId.toString().equals(cluster)) {
            throw new BackupException("the backup is of cluster " + cluster + ", not of " + clusterId);
        }
        var former = former(backup);
        int next = incarnation == null ? backup.facts().incarnation() + 1 : incarnation;
        if (advance == null) {
            offer(backup, next);
            return ExitCode.USAGE;
        }
        long stated = advance;
        RestoredPeer.format(settings, backup, next, stated, former);
        output.print(
                spec.commandLine().getOut(),
                () -> "cluster=" + cluster + " incarnation=" + next + " advance=" + stated + " peer="
                        + settings.peers().self() + " data=" + settings.data(),
                () -> new JsonObject()
                        .put("cluster_id", cluster)
                        .put("incarnation", next)
                        .put("advance", Long.toString(stated))
                        .put("peer", settings.peers().self())
                        .put("data", settings.data().toString()));
        return ExitCode.OK;
    }

    private LeaseTerms former(Backup backup) {
        var known = backup.state().cluster().orElseThrow().lease();
        long ttlNanos = formerTtl == null ? known.ttlNanos() : formerTtl.toNanos();
        // Bounded first: a huge number must not wrap around into the allowed ones.
        int driftPermille = formerDrift == null
                ? known.driftPermille()
                : (int) Math.ceil(Math.max(-1_000, Math.min(formerDrift, 1_000)) * 1000);
        var problems = LeaseTerms.problems(ttlNanos, driftPermille);
        if (!problems.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "of the former leases " + String.join("; of the former leases ", problems));
        }
        return new LeaseTerms(ttlNanos, driftPermille);
    }

    /** What to type: nothing can check the figure, so it is never taken unseen. */
    private void offer(Backup backup, int next) throws BackupException {
        var facts = backup.facts();
        var err = spec.commandLine().getErr();
        var now = Instant.now();
        long offered = backup.offer(now);
        err.println("seqsvr: --advance is missing: by how much max_seq of the busiest segment can have grown since "
                + facts.takenAt() + ", jumps by floors included");
        err.println("The backup is " + Duration.between(facts.takenAt(), now).toSeconds()
                + " s old; before it the busiest segment grew by " + facts.growthPerSecond()
                + " in a second at most, as seen over " + facts.growthOver().toSeconds() + " s.");
        if (!facts.confirmed()) {
            err.println("It was read from " + facts.peerId() + ", which did not lead: it holds what the log of that"
                    + " peer held, with " + facts.unapplied() + " entries that it had not applied. What others"
                    + " acknowledged without that peer is not in it: add that.");
        }
        if (next > Incarnation.MOST) {
            throw new BackupException("a cluster has at most " + Incarnation.MOST + " further lives");
        }
        err.println("An owner that takes over from a dead one uses up a whole step of each segment, whatever the load: "
                + Restoration.changesOffered(Duration.between(facts.takenAt(), now))
                + " such changes are allowed for, after crashes or outages of StoreSvr; add a step for each one more.");
        err.println("Twice of all that is offered. If nothing says otherwise, and every peer of the former life is"
                + " stopped for good:");
        err.println(commandLine(offered, next));
    }

    private String commandLine(long offered, int next) {
        var line = new StringBuilder("./seqsvr store restore " + quoted(directory) + " --config "
                + quoted(config.file()) + " --advance " + offered + " --incarnation " + next);
        if (formerTtl != null) {
            line.append(" --former-ttl ").append(formerTtl.toMillis()).append("ms");
        }
        if (formerDrift != null) {
            line.append(" --former-drift ").append(formerDrift);
        }
        if (clusterId != null) {
            line.append(" --cluster-id ").append(clusterId);
        }
        return line.toString();
    }

    /** As a shell takes it for one word. */
    private static String quoted(Path path) {
        var text = path.toString();
        return text.matches("[\\w./:-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
