package io.seqsvr.cli;

import io.seqsvr.proto.rpc.HostPort;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which server to call. */
final class EndpointOptions {
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
}
