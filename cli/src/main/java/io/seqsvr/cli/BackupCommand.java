package io.seqsvr.cli;

import io.seqsvr.node.server.NodeServer;
import io.seqsvr.storeclient.BackupCaller;
import io.seqsvr.storeclient.BackupPage;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreSurvey;
import io.seqsvr.storeclient.StoreSurvey.Finding;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.backup.BackupFacts;
import io.seqsvr.storesvr.backup.BackupWriter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes StoreSvr's state at one place of its log to a directory. */
@Command(
        name = "backup",
        description = {
            "Writes StoreSvr's state, as the leader confirms it, to a new directory, and prints what was written.",
            "Ends with 0 if the backup is whole, with 4 if no peer gave it, else with 1; then there is no backup."
        })
final class BackupCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the backup, absent or empty.")
    private Path directory = Path.of("");

    @Mixin
    private PeerOptions peers = new PeerOptions();

    @Option(
            names = "--peer",
            paramLabel = "ID",
            description = {
                "Read this peer, whether it leads or not; one that does not gives all that its log holds, and may be"
                        + " behind.",
                "Default: the peer that leads."
            })
    private @Nullable String peer;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = TimeConverter.class,
            description = "How long each answer may take, from 1ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(3);

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** No peer gave the state; the message says why. */
    private static final class NoPeerException extends Exception {
        private static final long serialVersionUID = 1L;

        private NoPeerException(String message) {
            super(message);
        }
    }

    @Override
    public Integer call() throws BackupException {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try (var writer = BackupWriter.begin(directory)) {
            var report = write(vertx, vertx.getOrCreateContext(), writer);
            output.print(spec.commandLine().getOut(), report::text, report::json);
            report.shortLook().ifPresent(line -> spec.commandLine().getErr().println("seqsvr: " + line));
            report.warning().ifPresent(line -> spec.commandLine().getErr().println("seqsvr: " + line));
            return ExitCode.OK;
        } catch (NoPeerException nobody) {
            spec.commandLine().getErr().println("seqsvr: " + nobody.getMessage());
            return ExitCode.UNAVAILABLE;
        } finally {
            vertx.close().await();
        }
    }

    private BackupReport write(Vertx vertx, Context context, BackupWriter writer)
            throws NoPeerException, BackupException {
        var findings = NodeServer.onContext(
                        context,
                        () -> StoreSurvey.insistently(new StatusCaller(vertx, timeout)::status, peers.addresses()))
                .await();
        var source = source(findings);
        var caller = new BackupCaller(vertx, source.address(), timeout);
        // Before the state is asked for: a backup passes for older than it is rather than for newer.
        var takenAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var first = answer(source, context, caller::begin);
        if (!first.confirmed() && peer == null) {
            throw new NoPeerException(first.peerId() + " does not lead any more; try again");
        }
        writer.page(first.rows().getBytes());
        var page = first;
        for (int number = 1; !page.last(); number++) {
            int wanted = number;
            page = answer(source, context, () -> caller.page(first.picture(), wanted));
            if (!page.picture().equals(first.picture())) {
                throw new NoPeerException(first.peerId() + " answered with pages of different states");
            }
            writer.page(page.rows().getBytes());
        }
        var backup = writer.complete(new BackupFacts(
                first.clusterId(),
                first.incarnation(),
                first.peerId(),
                first.term(),
                first.index(),
                first.confirmed(),
                first.unapplied(),
                takenAt,
                first.growthPerSecond(),
                first.growthOver()));
        return new BackupReport(directory, backup, writer.rows(), behind(findings, first.index()));
    }

    private Finding source(List<Finding> findings) throws NoPeerException {
        var answers = findings.stream()
                .filter(finding -> finding.status().isPresent())
                .toList();
        if (answers.isEmpty()) {
            throw new NoPeerException(
                    findings.stream().map(Finding::failure).findFirst().orElse("no peer was asked"));
        }
        var apart = StoreSurvey.livesApart(answers);
        if (peer == null && apart.isPresent()) {
            throw new NoPeerException(apart.get());
        }
        var chosen = peer == null
                ? StoreSurvey.best(answers).filter(finding -> status(finding).ready())
                : answers.stream()
                        .filter(finding -> status(finding).id().equals(peer))
                        // Of two lives that both have such a peer the newer one.
                        .max(Comparator.comparingInt(
                                finding -> status(finding).incarnation().orElse(-1)));
        if (chosen.isPresent()) {
            return chosen.get();
        }
        throw new NoPeerException(
                peer == null
                        ? "no peer that answered leads and is ready; name one with --peer to read what it has, which"
                                + " may be old"
                        : "peer " + peer + " did not answer");
    }

    private static PeerStatus status(Finding finding) {
        return finding.status().orElseThrow();
    }

    private static BackupPage answer(Finding source, Context context, Supplier<Future<BackupPage>> ask)
            throws NoPeerException {
        AsyncResult<BackupPage> answer = NodeServer.onContext(
                        context,
                        () -> ask.get().transform(done -> Future.<AsyncResult<BackupPage>>succeededFuture(done)))
                .await();
        if (answer.failed()) {
            throw new NoPeerException(
                    status(source).id() + ": " + answer.cause().getMessage());
        }
        return answer.result();
    }

    /** By how many entries of the log; not below 0, as entries without commands count for a peer alone. */
    private static long behind(List<Finding> findings, long index) {
        var most = findings.stream()
                .map(Finding::status)
                .flatMap(Optional::stream)
                .mapToLong(status -> status.appliedIndex().orElse(-1))
                .max()
                .orElse(-1);
        return Math.max(0, most - index);
    }
}
