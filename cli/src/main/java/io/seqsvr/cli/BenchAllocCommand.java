package io.seqsvr.cli;

import io.seqsvr.cli.bench.alloc.AllocBench;
import io.seqsvr.cli.bench.alloc.AllocFigures;
import io.seqsvr.cli.bench.alloc.AllocPlan;
import io.seqsvr.cli.bench.alloc.Mode;
import io.seqsvr.cli.bench.alloc.NotMeasured;
import io.seqsvr.cli.bench.alloc.Skew;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.picture.RoutePicture;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures AllocSvr. */
@Command(
        name = "alloc",
        description = {
            "Takes sequences of a cluster that runs, by the routes that the endpoint tells: each call takes one"
                    + " sequence of a user that is drawn for it. The numbers are used up.",
            "frames: Allocate with many calls a message. stream: Allocate with one. unary: Next. client: the Java"
                    + " client, from two threads.",
            "Every answer is checked. Ends with 1 if there were errors, with 4 if the endpoint is not there, and with"
                    + " 10 if a user received a number twice, or one that was not above those before."
        })
final class BenchAllocCommand implements Callable<Integer> {
    private static final Duration ROUTES_WITHIN = Duration.ofSeconds(10);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private EndpointOptions endpoint = new EndpointOptions();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "frames",
            description = "unary, stream, frames or client (default: ${DEFAULT-VALUE}).")
    private Mode mode = Mode.FRAMES;

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            defaultValue = "default",
            description = "Name of the namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Users 0 to N - 1 are called (default: ${DEFAULT-VALUE}).")
    private int users = 1_000_000;

    @Option(
            names = "--skew",
            paramLabel = "SKEW",
            defaultValue = "uniform",
            description = "How often each of them: uniform, zipf or lognormal (default: ${DEFAULT-VALUE}).")
    private Skew skew = Skew.UNIFORM;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description =
                    "Requests under way on each connection; in mode client calls of each thread (default: frames 8, of"
                            + " a namespace of order quorum 4, stream and unary 256, client 1000; eight times as many"
                            + " with --rate, of order quorum 8,000 calls at an owner at most).")
    private @Nullable Integer concurrency;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections to each owner; in mode client threads that call (default: 2, unary 1).")
    private @Nullable Integer connections;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Calls in a frame, in mode client at most (default: 1000).")
    private @Nullable Integer batch;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Calls per second, whether or not earlier ones were answered; each counts from when it was due"
                            + " (default: as many as can be).")
    private long rate;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "20",
            description = "Seconds under the same load before (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds = 20;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "8",
            description = "How long a window is (default: ${DEFAULT-VALUE}).")
    private int seconds = 8;

    @Option(
            names = "--windows",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many are measured; the figures are their medians (default: ${DEFAULT-VALUE}).")
    private int windows = 1;

    @Option(names = "--via-router", description = "Call the endpoint itself, and not the owners.")
    private boolean viaRouter;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException, StoreFailure {
        // The order is not known before the endpoint was asked; that of the plan has no part in what is wrong with it.
        var problems = plan(Order.LEASE).problems();
        if (!problems.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("; ", problems));
        }
        var picture = picture();
        var order = picture.namespace(namespace).map(Namespace::order).orElse(Order.LEASE);
        var bench = new AllocBench(plan(order), endpoint.address());
        try {
            var figures = measure(bench, picture);
            output.print(spec.commandLine().getOut(), figures::text, figures::json);
            if (figures.isSafetyViolated()) {
                return ExitCode.SAFETY_VIOLATED;
            }
            return figures.errors() > 0 ? ExitCode.FAILED : ExitCode.OK;
        } catch (NotMeasured impossible) {
            throw StoreFailure.refused(Objects.requireNonNullElse(impossible.getMessage(), "no reason given"));
        }
    }

    private AllocFigures measure(AllocBench bench, RoutePicture picture) throws NotMeasured {
        var bar = new ProgressBar(
                bench::progress, bench::soFar, spec.commandLine().getErr());
        bar.start();
        try {
            return bench.run(picture);
        } finally {
            bar.stop();
        }
    }

    private AllocPlan plan(Order order) {
        int perOwner = Objects.requireNonNullElse(connections, mode.connections());
        int calls = Objects.requireNonNullElse(batch, mode.batch());
        return new AllocPlan(
                mode,
                namespace,
                users,
                skew,
                Objects.requireNonNullElseGet(concurrency, () -> mode.concurrency(order, perOwner, calls, rate > 0)),
                perOwner,
                calls,
                rate,
                warmUpSeconds,
                seconds,
                windows,
                viaRouter);
    }

    private RoutePicture picture() throws InterruptedException, StoreFailure {
        try (var line = endpoint.routes()) {
            return line.firstPicture(ROUTES_WITHIN);
        }
    }
}
