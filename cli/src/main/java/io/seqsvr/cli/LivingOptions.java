package io.seqsvr.cli;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.cli.demo.LivingCluster;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which cluster of somebody else's to play with, if any. */
final class LivingOptions {
    private static final String FLAG = "--on-living-cluster";
    /** What is about a cluster of its own. */
    private static final List<String> OF_ITS_OWN = List.of(
            "--store", "--alloc", "--router", "--ttl", "--segment-size", "--step", "--dir", "--network", "--resume");

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Routers of a cluster that runs already, instead of one of its own. Nothing is done to its"
                    + " nodes, only on the way from here to them: cut-, cut-in-, cut-out-, delay-, lag-, reset- and"
                    + " narrow-. Needs " + FLAG + ".")
    private List<String> endpoints = List.of();

    @Option(
            names = FLAG,
            description =
                    "Yes, users of --namespace shall be asked for numbers at --endpoint, several hundred calls and"
                            + " some 20,000 numbers a second, which they get only once.")
    private boolean confirmed;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "With --endpoint: whose users (default: default). Better one that nobody else uses:"
                    + " 'seqsvr namespace create'.")
    private Optional<String> namespace = Optional.empty();

    /** The cluster; for a wrong one a failure of the command line. */
    Optional<LivingCluster> cluster(CommandLine command) {
        if (endpoints.isEmpty()) {
            if (confirmed || namespace.isPresent()) {
                throw new ParameterException(
                        command, (confirmed ? FLAG : "--namespace") + " makes no sense without --endpoint");
            }
            return Optional.empty();
        }
        for (var option : OF_ITS_OWN) {
            if (command.getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(
                        command, option + " is about a cluster of its own; with --endpoint it makes no sense");
            }
        }
        if (!confirmed) {
            throw new ParameterException(
                    command,
                    "--endpoint names a cluster that others may use, and its users' numbers are taken for good: say "
                            + FLAG + " if that is meant");
        }
        try {
            return Optional.of(
                    new LivingCluster(endpoints.stream().map(Endpoint::parse).toList(), namespace.orElse("default")));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command, "--endpoint: " + wrong.getMessage());
        }
    }
}
