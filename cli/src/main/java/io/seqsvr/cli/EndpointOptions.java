package io.seqsvr.cli;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which server to call, and for how long. */
final class EndpointOptions {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

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

    SequenceClient connect() {
        return SequenceClient.of(endpoint.host(), endpoint.port(), TIMEOUT);
    }
}
