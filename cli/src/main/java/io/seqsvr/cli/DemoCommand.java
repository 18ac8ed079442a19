package io.seqsvr.cli;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.cli.demo.Demo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a cluster of real processes for people to break. */
@Command(
        name = "demo",
        description = {
            "Runs a whole cluster as processes of this machine, lets users ask it, and checks every answer. Lines of"
                    + " its input kill, pause, restart and drain nodes; it tells what users see of that.",
            "Ends with 'quit', after --seconds, or by Ctrl-C; nothing is left then. Ends with 10 if a promise was"
                    + " broken."
        })
final class DemoCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "End by itself so long after the cluster is ready (default: never).")
    private Optional<Long> seconds = Optional.empty();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var plan = cluster.plan(spec.commandLine());
        seconds.filter(wanted -> wanted < 1 || wanted > 1_000_000).ifPresent(wrong -> {
            throw new ParameterException(
                    spec.commandLine(), "--seconds is " + wrong + "; it must be from 1 to 1000000");
        });
        var out = spec.commandLine().getOut();
        var news = output.isJson() ? spec.commandLine().getErr() : out;
        var demo = new Demo(
                plan,
                cluster.users(),
                cluster.parent(),
                new JavaProgram(Main.class.getName()),
                line -> {
                    news.println(line);
                    news.flush();
                },
                report -> {
                    output.print(out, report::text, report::json);
                    out.flush();
                });
        try {
            var input = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
            var report = demo.run(input, seconds.map(Duration::ofSeconds));
            return report.isViolated() ? ExitCode.SAFETY_VIOLATED : ExitCode.OK;
        } catch (NodeFailure failed) {
            spec.commandLine().getErr().println("seqsvr: " + failed.getMessage());
            return ExitCode.FAILED;
        }
    }
}
