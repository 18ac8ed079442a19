package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.cli.demo.ChaosPlan;
import io.seqsvr.cli.demo.ChaosRun;
import io.seqsvr.cli.demo.ClusterFault;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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

/** Faults, round after round, in a cluster of its own. */
@Command(
        name = "run",
        description = {
            "Starts a cluster of its own, lets users ask it, does things to its nodes round after round, and checks"
                    + " every answer. In the end nothing is left of it, also after Ctrl-C.",
            "Ends with 10 if a promise was broken, with 11 if a user waited for longer than --bound or an owner left"
                    + " numbers out while it served, with 12 if too little happened to have seen a breach."
        })
final class ChaosRunCommand implements Callable<Integer> {
    private static final int MOST_AT_ONCE = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            split = ",",
            converter = FaultConverter.class,
            description = "What is done: kill-, pause- or restart- and one of allocator, router, store-leader and"
                    + " store-follower; or drain-allocator. Several are drawn from (default: all that this cluster can"
                    + " bear).")
    private List<ClusterFault> faults = List.of();

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "How many of them are at work together at most, each on a node of its own, from 1 to 3"
                    + " (default: 1 with --fault, 2 without). One AllocSvr and a majority of StoreSvr are left alone.")
    private Optional<Integer> atOnce = Optional.empty();

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
            names = "--bound",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "How long a user may wait (default: 2s for each fault at work, 3s for the leader of StoreSvr,"
                    + " and for an AllocSvr that is killed or paused ttl * 1.1 on top).")
    private Optional<Duration> bound = Optional.empty();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Reads the name of a fault. */
    static final class FaultConverter implements ITypeConverter<ClusterFault> {
        @Override
        public ClusterFault convert(String text) {
            return ClusterFault.all().stream()
                    .filter(fault -> fault.name().equals(text.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no fault; there are "
                            + ClusterFault.all().stream()
                                    .map(ClusterFault::name)
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
        var plan = new ChaosPlan(faults(of), atOnce(), of, cluster.users(), minutes, seed, bound, cluster.parent());
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

    private List<ClusterFault> faults(ClusterPlan of) {
        if (faults.isEmpty()) {
            return ClusterFault.all().stream()
                    .filter(fault -> fault.problem(of).isEmpty())
                    .toList();
        }
        var problems =
                faults.stream().flatMap(fault -> fault.problem(of).stream()).toList();
        if (!problems.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("; ", problems));
        }
        return faults;
    }

    private int atOnce() {
        int count = atOnce.orElse(faults.isEmpty() ? 2 : 1);
        if (count < 1 || count > MOST_AT_ONCE) {
            throw new ParameterException(
                    spec.commandLine(), "--at-once is " + count + "; it must be from 1 to " + MOST_AT_ONCE);
        }
        return count;
    }
}
