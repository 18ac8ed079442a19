package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.WebPage;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What a node tells at its page of metrics, in the text format of Prometheus. */
record Metrics(String node, List<String> lines) {
    private static final Duration WITHIN = Duration.ofSeconds(5);

    /**
     * Asks it.
     *
     * @throws NodeFailure if it does not answer
     */
    static Metrics of(LocalNode node) {
        try {
            var page = WebPage.of(node.endpoint(), "/metrics", WITHIN);
            return new Metrics(node.name(), page.body().lines().toList());
        } catch (IOException silent) {
            throw new NodeFailure(node.name() + " does not tell its metrics: " + silent.getMessage());
        }
    }

    /**
     * A whole number.
     *
     * @param name of the metric
     * @param labels those that tell it from others of its name, {@code result="answered"} for example
     * @throws NodeFailure if there is none
     */
    long count(String name, String... labels) {
        return lines.stream()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new NodeFailure(node + " has no metric " + name + " of " + Arrays.toString(labels)))
                .longValue();
    }
}
