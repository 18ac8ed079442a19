package io.seqsvr.cli;

import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreSurvey;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Tells what each StoreSvr peer says of itself. */
@Command(
        name = "status",
        description = {
            "Asks StoreSvr's peers about themselves, those of --store and those they name, and prints a line each.",
            "Ends with 0 if one leader is ready and every peer answered, with 4 if none answered, else with 3."
        })
final class StatusCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "HOST:PORT",
            required = true,
            split = ",",
            converter = EndpointOptions.Converter.class,
            description = "Where StoreSvr peers serve; one that answers suffices.")
    private List<HostPort> store = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = TimeConverter.class,
            description = "How long each peer may take, from 1ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(3);

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Reads a time as settings spell it. */
    static final class TimeConverter implements ITypeConverter<Duration> {
        private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)");
        private static final Duration LONGEST = Duration.ofMinutes(1);

        @Override
        public Duration convert(String text) {
            var parts = TIME.matcher(text);
            if (parts.matches()) {
                long amount = Long.parseLong(parts.group(1));
                var time = switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    default -> Duration.ofMinutes(amount);
                };
                if (!time.isZero() && time.compareTo(LONGEST) <= 0) {
                    return time;
                }
            }
            throw new TypeConversionException("'" + text + "' is no time such as 500ms, 3s or 1m, from 1ms to 1m");
        }
    }

    @Override
    public Integer call() {
        var report = new StatusReport(survey());
        output.print(spec.commandLine().getOut(), report::text, report::json);
        return report.exitCode();
    }

    private List<StoreSurvey.Finding> survey() {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            var survey = new StoreSurvey(new StatusCaller(vertx, timeout)::statusWithDigests);
            return NodeServer.onContext(vertx.getOrCreateContext(), () -> survey.of(store))
                    .await();
        } finally {
            vertx.close().await();
        }
    }
}
