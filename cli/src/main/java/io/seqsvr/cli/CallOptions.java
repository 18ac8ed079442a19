package io.seqsvr.cli;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.core.picture.RoutePicture;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which server to call once, and for how long to wait for its answer. */
final class CallOptions {
    @Mixin
    private EndpointOptions endpoint = new EndpointOptions();

    /** Ample, as it counts from a cold start of this program, which takes seconds on a busy machine. */
    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = TimeConverter.class,
            description = "How long to wait for an answer, from 1ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(10);

    SequenceClient connect() {
        var server = endpoint.address();
        return SequenceClient.of(server.host(), server.port(), timeout);
    }

    /**
     * Who owns what, as the server tells it.
     *
     * @throws StoreFailure if it does not in time
     */
    RoutePicture routes() throws InterruptedException, StoreFailure {
        try (var line = endpoint.routes()) {
            return line.firstPicture(timeout);
        }
    }
}
