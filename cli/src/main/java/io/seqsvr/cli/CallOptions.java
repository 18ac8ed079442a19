package io.seqsvr.cli;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.proto.rpc.HostPort;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whom to ask about a user, and for how long to wait for the answer. */
final class CallOptions {
    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7700",
            converter = EndpointOptions.Converter.class,
            description = "Router or AllocSvr that tells who the user's owner is; the owner itself is asked, unless"
                    + " --via-router is given (default: ${DEFAULT-VALUE}).")
    private HostPort endpoint = new HostPort("127.0.0.1", 7700);

    @Option(
            names = "--via-router",
            description = "Ask the endpoint itself, which asks the owner, and not the owner; it has to be a router.")
    private boolean viaRouter;

    @Mixin
    private CallTimeout wait = new CallTimeout();

    SequenceClient connect() {
        var builder = SequenceClient.builder().endpoint(endpoint.toString()).timeout(wait.timeout());
        return viaRouter ? builder.viaEndpoint().build() : builder.build();
    }
}
