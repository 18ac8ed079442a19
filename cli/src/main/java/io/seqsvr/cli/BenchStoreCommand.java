package io.seqsvr.cli;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.cli.bench.BenchPlan;
import io.seqsvr.cli.bench.MeasuringFailed;
import io.seqsvr.cli.bench.Scenario;
import io.seqsvr.cli.bench.StoreBench;
import java.nio.file.Path;
import java.util.Arrays;
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

/** Measures StoreSvr alone. */
@Command(
        name = "store",
        description = {
            "Starts StoreSvr peers of its own in a directory of its own, gives a session a namespace of 2^32 users,"
                    + " measures one scenario and removes everything again, also after Ctrl-C.",
            "raises: Raise commands in a closed loop. leader-change: first write after the leader was killed."
                    + " snapshot: longest stall while snapshots are taken. install: the same while a peer that was away"
                    + " for long gets one. restart: a killed peer until it is ready."
                    + " memory: a peer with nothing to do. namespace: until all segments are assigned.",
            "Every reply is checked. Ends with 1 if there were errors, and with 12 if too little happened to measure."
        })
final class BenchStoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            defaultValue = "raises",
            converter = ScenarioConverter.class,
            description = "raises, leader-change, snapshot, install, restart, memory or namespace"
                    + " (default: ${DEFAULT-VALUE}).")
    private Scenario scenario = Scenario.RAISES;

    @Option(
            names = "--peers",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many peers, from 1 to 9 (default: ${DEFAULT-VALUE}).")
    private int peers = 3;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "16",
            description = "Raise commands under way (default: ${DEFAULT-VALUE}).")
    private int concurrency = 16;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1",
            description = "Segments that each of them raises, at most 2000 (default: ${DEFAULT-VALUE}).")
    private int batch = 1;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "How long raises are measured, or memory waits (default: ${DEFAULT-VALUE}).")
    private int seconds = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "90",
            description = "Seconds under load before, for the compilers of Java (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds = 90;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many leaders or peers are killed, or snapshots of each peer awaited"
                    + " (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the directory is made; on the disk that is to be measured (default: that for temporary"
                    + " files).")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Reads the name of a scenario. */
    static final class ScenarioConverter implements ITypeConverter<Scenario> {
        @Override
        public Scenario convert(String text) {
            return Arrays.stream(Scenario.values())
                    .filter(scenario -> scenario.toString().equals(text.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no scenario; there are "
                            + Arrays.stream(Scenario.values())
                                    .map(Scenario::toString)
                                    .collect(Collectors.joining(", "))));
        }
    }

    @Override
    public Integer call() {
        var plan = new BenchPlan(scenario, peers, concurrency, batch, seconds, warmUpSeconds, rounds, parent);
        var problems = plan.problems();
        if (!problems.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("; ", problems));
        }
        var err = spec.commandLine().getErr();
        try {
            var bench = new StoreBench(plan, new JavaProgram(Main.class.getName()), line -> {
                err.println("bench: " + line);
                err.flush();
            });
            var figures = bench.run();
            output.print(spec.commandLine().getOut(), figures::text, figures::json);
            if (figures.errors() > 0) {
                return ExitCode.FAILED;
            }
            return figures.conclusive() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
        } catch (MeasuringFailed failed) {
            err.println("seqsvr: " + failed.getMessage());
            return ExitCode.FAILED;
        }
    }
}
