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
import io.seqsvr.storesvr.backup.Growth;
import io.seqsvr.storesvr.backup.RestoreNotes;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
            "Stop every StoreSvr peer of the former life first, for good. Without --advance it says what it knows,",
            "offers one if it can, and ends."
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
                "Default: one more than the backup's, or than that of its last restore that is noted beside it."
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
        var notes = RestoreNotes.read(directory, backup.facts());
        int next = incarnation == null ? notes.next() : incarnation;
        if (advance == null) {
            notes.check(next);
            offer(backup, notes, next);
            return ExitCode.USAGE;
        }
        long stated = advance;
        notes.check(next, stated);
        RestoredPeer.format(settings, backup, next, stated, former, () -> note(notes, next, stated));
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

    private void note(RestoreNotes notes, int next, long stated) {
        try {
            notes.add(new RestoreNotes.Note(next, stated, Instant.now().toString()));
        } catch (IOException unwritable) {
            spec.commandLine()
                    .getErr()
                    .println("seqsvr: nothing beside the backup says that it was restored, as " + notes.file()
                            + " cannot be written: " + unwritable + "; whoever restores it again must state an"
                            + " incarnation above " + next + ", and an advance of " + stated + " more than is offered");
        }
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
    private void offer(Backup backup, RestoreNotes notes, int next) throws BackupException {
        var facts = backup.facts();
        var err = spec.commandLine().getErr();
        var now = Instant.now();
        long offered = notes.offer(backup.offer(now, facts.growthPerSecond()), next);
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
        before(notes, next).forEach(err::println);
        if (!facts.growthIsKnown()) {
            long idle = notes.offer(backup.offer(now, 0), next);
            long each = notes.offer(backup.offer(now, 1), next) - idle;
            err.println("No advance is offered: the peer had looked at the growth for less than "
                    + Growth.ENOUGH.toMinutes()
                    + " minutes, perhaps as it had just started, and more may have come after."
                    + " If max_seq of the busiest segment grew by G in a second at most since the backup, by load and"
                    + " floors, state --advance " + idle + " + " + each + " x G, with --incarnation " + next
                    + ". The rate of seqsvr_sequences_total of all AllocSvrs, as your monitoring has it, is not below"
                    + " what load makes of G.");
            return;
        }
        err.println("Twice of all that is offered. If nothing says otherwise, and every peer of the former life is"
                + " stopped for good:");
        err.println(commandLine(offered, next));
    }

    /** What is known of earlier restores, and what to ask oneself. */
    private static List<String> before(RestoreNotes notes, int next) {
        var lines = new ArrayList<String>();
        if (!notes.all().isEmpty()) {
            lines.add("By " + notes.file() + " it was restored before: "
                    + notes.all().stream()
                            .map(note ->
                                    "as incarnation " + note.incarnation() + " with an advance of " + note.advance())
                            .collect(Collectors.joining(", "))
                    + ". The offer begins above what such a life began with.");
        }
        int unknown = notes.unknown(next);
        if (unknown > 0) {
            lines.add("How " + unknown
                    + " earlier lives began is not noted here: as much is offered once more for each.");
        }
        lines.add("Was this backup restored before from elsewhere, a copy of it, or another backup of the same life or"
                + " a later one? Then ask again with an --incarnation above each of those lives: the offer grows by"
                + " that.");
        return lines;
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
