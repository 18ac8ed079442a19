package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * The disk of a StoreSvr node says that it has synced what it has not, and when the fault is stopped its power goes.
 * The node is started with what is left. It may find that this is not what it had, and refuse: then a new peer takes
 * its place, as after any other loss. What it does not find is outside of what is promised; the others still have it.
 */
public final class LyingDisk extends OfNode {
    private static final String ALL = "/";
    private static final Duration STARTS_WITHIN = Duration.ofMinutes(1);

    private final LocalCluster cluster;
    private final DiskFault calls;
    private final Fault powerCut;
    private int liedBefore;

    /**
     * It has told the truth so far.
     *
     * @param calls the node's syncs
     * @param powerCut of this node
     */
    public LyingDisk(String verb, LocalNode node, LocalCluster cluster, DiskFault calls, Fault powerCut) {
        super(verb, node);
        this.cluster = cluster;
        this.calls = calls;
        this.powerCut = powerCut;
    }

    @Override
    public void start() {
        liedBefore = calls.struck();
        calls.strike(DiskFault.Kind.SYNC_LIES, ALL);
    }

    @Override
    public boolean isInEffect() {
        return calls.struck() > liedBefore;
    }

    @Override
    public void stop() {
        powerCut.start();
        calls.heal();
        powerCut.stop();
        try {
            node().awaitReady(STARTS_WITHIN);
        } catch (NodeFailure failure) {
            // Many things may be missing of what it had; whatever it says, it has to refuse, and not to be killed.
            if (!OwnEnd.of(node(), "")) {
                throw failure;
            }
            replace();
        }
    }

    private void replace() {
        try {
            cluster.replace(node());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
