package io.seqsvr.cli;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which server to call, and for how long. */
final class EndpointOptions {
    /** Ample, as it counts from a cold start of this program, which takes seconds on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7700",
            converter = Converter.class,
            description = "Router or AllocSvr to call (default: ${DEFAULT-VALUE}).")
    private HostPort endpoint = new HostPort("127.0.0.1", 7700);

    /** Reads HOST:PORT. */
    static final class Converter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String text) {
            try {
                return HostPort.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }

    HostPort address() {
        return endpoint;
    }

    /** A line on which it tells its routes. */
    RoutesLine routes() {
        return new RoutesLine(endpoint);
    }

    /** How long to wait for an answer. */
    static Duration timeout() {
        return TIMEOUT;
    }

    SequenceClient connect() {
        return SequenceClient.of(endpoint.host(), endpoint.port(), TIMEOUT);
    }
}
