package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * An operator takes a StoreSvr peer that serves out of its group, upon which its process stops; stopping the fault has
 * another peer join.
 */
public final class Departure extends OfNode {
    private final LocalCluster cluster;

    /** A peer that is to leave. */
    public Departure(String verb, LocalNode node, LocalCluster cluster) {
        super(verb, node);
        this.cluster = cluster;
    }

    @Override
    public void start() {
        cluster.remove(node());
    }

    @Override
    public boolean isInEffect() {
        return !node().isAlive();
    }

    @Override
    public void stop() {
        node().killIfAlive();
        try {
            cluster.join(node());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
