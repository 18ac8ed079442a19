package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.process.LocalNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Nodes are asked to stop and started again, one after another, each once the one before serves. When it has started
 * it is over: there is nothing to be undone.
 */
public final class RollingRestart implements Fault {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);
    private static final Duration SERVES_WITHIN = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final String verb;
    private final List<LocalNode> nodes;
    private final Map<LocalNode, Long> before = new HashMap<>();

    /** Of these, in this order. */
    public RollingRestart(String verb, List<LocalNode> nodes) {
        this.verb = verb;
        this.nodes = List.copyOf(nodes);
    }

    @Override
    public String name() {
        return verb + " " + nodes.stream().map(LocalNode::name).collect(Collectors.joining(" "));
    }

    @Override
    public void start() {
        for (var node : nodes) {
            before.put(node, node.pid());
            node.stop(STOPS_WITHIN);
            node.start();
            node.awaitReady(SERVES_WITHIN, BETWEEN_LOOKS);
        }
    }

    /** Every one is another process. */
    @Override
    public boolean isInEffect() {
        return nodes.stream()
                .noneMatch(node -> before.getOrDefault(node, node.pid()).equals(node.pid()));
    }

    @Override
    public void stop() {}
}
