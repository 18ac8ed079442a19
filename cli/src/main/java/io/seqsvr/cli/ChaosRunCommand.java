package io.seqsvr.cli;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.RunVerdict;
import io.seqsvr.chaos.report.Skip;
import io.seqsvr.cli.demo.ChaosPlan;
import io.seqsvr.cli.demo.ChaosRun;
import io.seqsvr.cli.demo.LivingCluster;
import io.seqsvr.cli.demo.Timing;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Faults, round after round, in a cluster of its own, or on the way to another one. */
@Command(
        name = "run",
        description = {
            "Starts a cluster of its own, lets users ask it, does things to its nodes round after round, and checks"
                    + " every answer. In the end nothing is left of it, also after Ctrl-C. With --endpoint it asks a"
                    + " cluster that runs already, and does things on the way there only.",
            "Ends with 10 if a promise was broken, with 11 if a user waited for longer than --bound, an owner left"
                    + " numbers out while it served, users noticed whom nothing was done to, or a node did not come"
                    + " back,"
                    + " with 12 if too little happened to have seen a breach."
        })
final class ChaosRunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ChaosFaultOptions faults = new ChaosFaultOptions();

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "1",
            description = "For how long another one is begun (default: ${DEFAULT-VALUE}).")
    private double minutes = 1;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Draws faults, nodes and times (default: drawn). What the machine does is another matter.")
    private long seed = new SplittableRandom().nextLong(1_000_000_000);

    @Option(
            names = "--lasting",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description =
                    "How long each fault lasts once it shows, 1m at most (default: until others serve the users, and a"
                            + " little longer).")
    private Optional<Duration> lasting = Optional.empty();

    @Option(
            names = "--bound",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description =
                    "How long a user may wait, 1m at most (default: as 'seqsvr chaos list' says for each fault at work,"
                            + " one after the other).")
    private Optional<Duration> bound = Optional.empty();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private LivingOptions living = new LivingOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "Leaves a file of the run there, for 'seqsvr chaos report', after its first round already; and"
                            + " what the nodes have logged, if the run is no pass.")
    private Optional<Path> report = Optional.empty();

    @Option(
            names = "--resume",
            description = "With --cells and --report: leaves out what has passed often enough in runs of this commit,"
                    + " under a --bound that was no longer, and over the same network if it is about one. Of runs that"
                    + " prove too little, those count that were interrupted.")
    private boolean resume;

    @Override
    public Integer call() throws IOException {
        var at = living.cluster(spec.commandLine());
        var own = faults.strikeStores()
                ? cluster.planOfStruckStores(spec.commandLine())
                : cluster.plan(spec.commandLine());
        var of = at.isPresent() ? LivingCluster.PLAN : own;
        if (!(minutes > 0 && minutes <= 10_000)) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes is " + minutes + "; it must be above 0 and at most 10000");
        }
        if (resume && (report.isEmpty() || !faults.areCells())) {
            throw new ParameterException(spec.commandLine(), "--resume needs --cells and --report");
        }
        // Without a report nobody asks, and not everybody has git.
        var commit = report.isPresent() ? Checkout.commit() : "";
        if (resume && commit.equals(Checkout.UNKNOWN)) {
            throw new ParameterException(
                    spec.commandLine(), "--resume goes by the commit, and git does not tell which one this is");
        }
        var done = resume
                ? PassedCells.in(report.orElseThrow(), commit, RunRecord.cluster(of, cluster.users()))
                : PassedCells.none();
        var plan = faults.plan(spec.commandLine(), of, done, new Timing(minutes, lasting, bound), seed, at, cluster);
        if (faults.areCells() && plan.cells().isEmpty()) {
            output.print(
                    spec.commandLine().getOut(),
                    () -> "nothing is left to be done" + done.words() + skipped(plan),
                    () -> nothingLeft(done, plan));
            return exitCode(done.worst());
        }
        var begun = Instant.now();
        var err = spec.commandLine().getErr();
        var run = new ChaosRun(plan, new JavaProgram(Main.class.getName()), line -> {
            err.println("chaos: " + line);
            err.flush();
        });
        var file = new RunReport(report, new RunRecord(commit, begun, words()));
        Runtime.getRuntime().addShutdownHook(new Thread(file::interrupted, "keep-report"));
        var bar = new ProgressBar(run::progress, run::soFar, err);
        bar.start();
        try {
            var result = run.run(file);
            bar.stop();
            // First: what was seen stands, also where it cannot be kept.
            output.print(spec.commandLine().getOut(), result::text, result::json);
            // What is resumed is one series.
            int code = exitCode(Collections.min(List.of(result.verdict(), done.worst())));
            boolean kept = file.keep(result, line -> err.println("chaos: " + line));
            return kept || code != ExitCode.OK ? code : ExitCode.FAILED;
        } catch (NodeFailure failed) {
            bar.stop();
            err.println("seqsvr: " + failed.getMessage());
            return ExitCode.FAILED;
        }
    }

    /** What scripts look for in every run is there: this one did nothing. */
    private static JsonObject nothingLeft(PassedCells done, ChaosPlan plan) {
        var json = new JsonObject()
                .put("verdict", done.worst().name().toLowerCase(Locale.ROOT))
                .put("rounds", 0);
        for (var count :
                List.of("faults", "operations", "checked_online", "violations", "owner_changes", "straddling_pairs")) {
            json.put(count, 0);
        }
        return json.put(
                "skipped",
                new JsonArray(plan.skipped().stream().map(Skip::toJson).toList()));
    }

    private static int exitCode(RunVerdict verdict) {
        return switch (verdict) {
            case VIOLATED -> ExitCode.SAFETY_VIOLATED;
            case MISSED -> ExitCode.TARGET_MISSED;
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
            case PASS -> ExitCode.OK;
        };
    }

    private static String skipped(ChaosPlan plan) {
        return plan.skipped().stream()
                .map(skip -> System.lineSeparator() + "  SKIPPED: " + skip.cell() + ": " + skip.why())
                .collect(Collectors.joining());
    }

    /** What repeats this run: all of it, also where it went on with what an earlier one had left. */
    private String words() {
        return RepeatedCommand.of(spec.root().commandLine().getParseResult().originalArgs(), seed);
    }
}
