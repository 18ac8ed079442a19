package io.seqsvr.cli;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.cli.bench.MeasuringFailed;
import io.seqsvr.cli.bench.failover.Change;
import io.seqsvr.cli.bench.failover.FailoverBench;
import io.seqsvr.cli.bench.failover.FailoverPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Measures what users notice of a drain, a restart or a death. */
@Command(
        name = "failover",
        description = {
            "Starts a cluster of its own in a directory of its own, lets one user of each segment ask it at a fixed"
                    + " rate, does the same thing to one node after the other, and removes everything again, also after"
                    + " Ctrl-C.",
            "drain, restart-allocator, restart-router, restart-store: what an operator does. kill-allocator,"
                    + " kill-leader: a node dies.",
            "Half of the calls go by the Java client, half by unary calls to the routers in turn. Every answer is"
                    + " checked. Ends with 1 if a call failed that need not, or a number was skipped without a death,"
                    + " and with 10 if a promise was broken."
        })
final class BenchFailoverCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--change",
            paramLabel = "NAME",
            defaultValue = "drain",
            converter = ChangeConverter.class,
            description = "drain, restart-allocator, restart-router, restart-store, kill-allocator or kill-leader"
                    + " (default: ${DEFAULT-VALUE}).")
    private Change change = Change.DRAIN;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often it is done, to one node after the other (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "2000",
            description =
                    "Calls per second, whether or not earlier ones were answered; each counts from when it was due"
                            + " (default: ${DEFAULT-VALUE}).")
    private int rate = 2_000;

    @Option(
            names = "--segments",
            paramLabel = "N",
            defaultValue = "300",
            description = "How many segments there are; one user of each asks (default: ${DEFAULT-VALUE}).")
    private int segments = 300;

    @Option(
            names = "--step",
            paramLabel = "N",
            defaultValue = "10000",
            description = "By how much max_seq is raised; with a small one raises happen all the time"
                    + " (default: ${DEFAULT-VALUE}).")
    private long step = 10_000;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = TimeConverter.class,
            description = "How long a call may take with all its retries (default: ${DEFAULT-VALUE}).")
    private Duration deadline = Duration.ofSeconds(1);

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "20",
            description = "Seconds under load before, for the compilers of Java (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds = 20;

    @Option(
            names = "--warm-up-rounds",
            paramLabel = "N",
            defaultValue = "0",
            description = "How often it is done before, not measured: with as many rounds as there are nodes each has"
                    + " done it once (default: ${DEFAULT-VALUE}).")
    private int warmUpRounds;

    @Option(
            names = "--settle",
            paramLabel = "N",
            defaultValue = "0",
            description = "Seconds under load between rounds, in which a process that was started compiles too"
                    + " (default: ${DEFAULT-VALUE}).")
    private int settleSeconds;

    @Option(
            names = "--calm",
            paramLabel = "N",
            defaultValue = "10",
            description = "Seconds in which nothing is done, for comparison (default: ${DEFAULT-VALUE}).")
    private int calmSeconds = 10;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Reads the name of a change. */
    static final class ChangeConverter implements ITypeConverter<Change> {
        @Override
        public Change convert(String text) {
            return Arrays.stream(Change.values())
                    .filter(change -> change.toString().equals(text.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no change; there are "
                            + Arrays.stream(Change.values())
                                    .map(Change::toString)
                                    .collect(Collectors.joining(", "))));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        var plan = new FailoverPlan(
                change,
                nodes.stores(),
                nodes.allocators(),
                nodes.routers(),
                nodes.ttl(),
                segments,
                step,
                rate,
                deadline,
                warmUpSeconds,
                warmUpRounds,
                settleSeconds,
                calmSeconds,
                rounds,
                nodes.parent());
        var problems = new ArrayList<>(plan.problems());
        problems.addAll(nodes.problems());
        if (!problems.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("; ", problems));
        }
        var err = spec.commandLine().getErr();
        var bench = new FailoverBench(plan, new JavaProgram(Main.class.getName()), this::operate, line -> {
            err.println("bench: " + line);
            err.flush();
        });
        try {
            var figures = bench.run();
            output.print(spec.commandLine().getOut(), figures::text, figures::json);
            if (bench.isSafetyViolated()) {
                return ExitCode.SAFETY_VIOLATED;
            }
            return figures.errors() > 0 ? ExitCode.FAILED : ExitCode.OK;
        } catch (MeasuringFailed failed) {
            err.println("seqsvr: " + failed.getMessage());
            return ExitCode.FAILED;
        }
    }

    /** What it says is said only if it fails. */
    private int operate(List<String> words) {
        var said = new StringWriter();
        var writer = new PrintWriter(said);
        int exit = Main.commandLine().setOut(writer).setErr(writer).execute(words.toArray(String[]::new));
        if (exit != ExitCode.OK) {
            spec.commandLine().getErr().print(said);
        }
        return exit;
    }
}
