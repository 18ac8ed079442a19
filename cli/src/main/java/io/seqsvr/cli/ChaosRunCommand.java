package io.seqsvr.cli;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.cli.demo.ChaosPlan;
import io.seqsvr.cli.demo.ChaosRun;
import io.seqsvr.cli.demo.FaultKind;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
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

/** One fault, again and again, in a cluster of its own. */
@Command(
        name = "run",
        description = {
            "Starts a cluster of its own, lets users ask it, does one thing to its allocators again and again, one"
                    + " after the other, and checks every answer. In the end nothing is left of it, also after Ctrl-C.",
            "Ends with 10 if a promise was broken, with 11 if a user waited for longer than --bound or an owner left"
                    + " numbers out while it served, with 12 if too little happened to have seen a breach."
        })
final class ChaosRunCommand implements Callable<Integer> {
    private static final String OF_ALLOCATORS = "-allocator";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            required = true,
            converter = FaultConverter.class,
            description = "kill-allocator, pause-allocator, restart-allocator or drain-allocator.")
    private FaultKind fault = FaultKind.KILL;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "1",
            description = "For how long another one is begun (default: ${DEFAULT-VALUE}).")
    private double minutes = 1;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Draws which allocators, and how long (default: drawn). What the machine does is another"
                    + " matter.")
    private long seed = new SplittableRandom().nextLong(1_000_000_000);

    @Option(
            names = "--bound",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "How long a user may wait (default: 2s, and for kill and pause ttl * 1.1 on top).")
    private Optional<Duration> bound = Optional.empty();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Reads the name of a fault. */
    static final class FaultConverter implements ITypeConverter<FaultKind> {
        @Override
        public FaultKind convert(String text) {
            return Arrays.stream(FaultKind.values())
                    .filter(kind -> (kind.verb() + OF_ALLOCATORS).equals(text.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no fault; there are "
                            + Arrays.stream(FaultKind.values())
                                    .map(kind -> kind.verb() + OF_ALLOCATORS)
                                    .collect(Collectors.joining(", "))));
        }
    }

    @Override
    public Integer call() throws IOException, StartupException {
        var of = cluster.plan(spec.commandLine());
        if (!(minutes > 0 && minutes <= 10_000)) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes is " + minutes + "; it must be above 0 and at most 10000");
        }
        if (of.allocators() < 2) {
            throw new ParameterException(
                    spec.commandLine(), "--alloc is " + of.allocators() + "; there must be another one to take over");
        }
        var plan = new ChaosPlan(
                fault,
                of,
                cluster.users(),
                minutes,
                seed,
                bound.orElse(ChaosPlan.boundFor(fault, of)),
                cluster.parent());
        var err = spec.commandLine().getErr();
        var run = new ChaosRun(plan, new JavaProgram(Main.class.getName()), line -> {
            err.println("chaos: " + line);
            err.flush();
        });
        var bar = new ProgressBar(run::progress, run::soFar, err);
        bar.start();
        try {
            var result = run.run();
            bar.stop();
            output.print(spec.commandLine().getOut(), result::text, result::json);
            return switch (result.outcome()) {
                case VIOLATED -> ExitCode.SAFETY_VIOLATED;
                case MISSED -> ExitCode.TARGET_MISSED;
                case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
                case PASS -> ExitCode.OK;
            };
        } catch (NodeFailure failed) {
            bar.stop();
            err.println("seqsvr: " + failed.getMessage());
            return ExitCode.FAILED;
        }
    }
}
