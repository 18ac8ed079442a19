package io.seqsvr.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** For how long to wait for an answer. */
final class CallTimeout {
    /** Ample, as it counts from a cold start of this program, which takes seconds on a busy machine. */
    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = TimeConverter.class,
            description = "How long to wait for an answer, from 1ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(10);

    Duration timeout() {
        return timeout;
    }
}
