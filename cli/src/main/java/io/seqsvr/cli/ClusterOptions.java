package io.seqsvr.cli;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.core.namespace.Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Of what a cluster on this machine consists, and who asks it. */
final class ClusterOptions {
    /** Few segments, so that all are assigned at once, and enough to be shared by nine allocators. */
    private static final long CAPACITY = 1_000_000;

    private static final int MOST_USERS = 1_000;
    private static final int LEAST_SEGMENT_SIZE = 1_000;
    /** So that each of nine allocators owns several. */
    private static final int MOST_SEGMENT_SIZE = 25_000;

    private static final int MOST_STEP = 1_000_000;
    private static final long STEP = 10_000;

    /**
     * A user of a chaos run takes some 22 numbers a second, and raises begin at half of a step: those who ask need one
     * in less than 15 s, and what is left then lasts for longer than an election.
     */
    private static final long STEP_THAT_NEEDS_STORES = 300;

    @Mixin
    private NodesOptions nodes = new NodesOptions();

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "24",
            description = "How many users ask all the time, from 3 to 1000, besides four by the Java client"
                    + " (default: ${DEFAULT-VALUE}).")
    private int users = 24;

    @Option(
            names = "--segment-size",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many of the 1,000,000 users share a segment, from 1000 to 25000"
                    + " (default: ${DEFAULT-VALUE}).")
    private int segmentSize = 10_000;

    @Option(
            names = "--step",
            paramLabel = "N",
            description =
                    "By how much max_seq is raised, from 1 to 1000000: the smaller, the more often; with less than the"
                            + " load takes in ten seconds, users wait for elections (default: 10000; 300 where chaos"
                            + " strikes StoreSvr, so that users need it every 15 s).")
    private Optional<Long> step = Optional.empty();

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            defaultValue = "LEASE",
            description =
                    "On what the order of sequences rests: ${COMPLETION-CANDIDATES}, also in small letters. In QUORUM"
                            + " order every call waits for StoreSvr (default: ${DEFAULT-VALUE}).")
    private Order order = Order.LEASE;

    /** The plan; for a wrong one a failure of the command line. */
    ClusterPlan plan(CommandLine command) {
        return plan(command, STEP);
    }

    /** The same for a cluster whose StoreSvr is struck: its users have to need it all the time. */
    ClusterPlan planOfStruckStores(CommandLine command) {
        return plan(command, STEP_THAT_NEEDS_STORES);
    }

    private ClusterPlan plan(CommandLine command, long stepUnlessNamed) {
        long step = this.step.orElse(stepUnlessNamed);
        var plan = new ClusterPlan(
                nodes.stores(),
                nodes.allocators(),
                nodes.routers(),
                nodes.ttl(),
                new NamespacePlan(CAPACITY, segmentSize, step, order));
        var problems = new ArrayList<>(plan.problems());
        if (users < 3 || users > MOST_USERS) {
            problems.add("--users is " + users + "; it must be from 3 to " + MOST_USERS);
        }
        if (segmentSize < LEAST_SEGMENT_SIZE || segmentSize > MOST_SEGMENT_SIZE) {
            problems.add("--segment-size is " + segmentSize + "; it must be from " + LEAST_SEGMENT_SIZE + " to "
                    + MOST_SEGMENT_SIZE);
        }
        if (step < 1 || step > MOST_STEP) {
            problems.add("--step is " + step + "; it must be from 1 to " + MOST_STEP);
        }
        problems.addAll(nodes.problems());
        if (!problems.isEmpty()) {
            throw new ParameterException(command, String.join("; ", problems));
        }
        return plan;
    }

    int users() {
        return users;
    }

    Path parent() {
        return nodes.parent();
    }
}
