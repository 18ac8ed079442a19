package io.seqsvr.cli;

import io.seqsvr.proto.rpc.HostPort;
import java.util.List;
import picocli.CommandLine.Option;

/** Where StoreSvr is. */
final class PeerOptions {
    @Option(
            names = "--store",
            paramLabel = "HOST:PORT",
            required = true,
            split = ",",
            converter = EndpointOptions.Converter.class,
            description = "Where StoreSvr peers of the cluster serve; one that answers suffices.")
    private List<HostPort> addresses = List.of();

    List<HostPort> addresses() {
        return addresses;
    }
}
