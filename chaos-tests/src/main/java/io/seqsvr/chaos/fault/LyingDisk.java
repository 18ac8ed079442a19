package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.LoopDisk;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

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
    private final LoopDisk disk;
    private final Path programs;
    private int liedBefore;

    /**
     * It has told the truth so far.
     *
     * @param calls the node's syncs
     * @param disk what they go to
     * @param programs gets the program that cuts the power
     */
    public LyingDisk(String verb, LocalNode node, LocalCluster cluster, DiskFault calls, LoopDisk disk, Path programs) {
        super(verb, node);
        this.cluster = cluster;
        this.calls = calls;
        this.disk = disk;
        this.programs = programs;
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
        LoopDisk.cutPower(programs, List.of(disk));
        node().killIfAlive();
        calls.heal();
        disk.unmount();
        disk.mount();
        node().start();
        try {
            node().awaitReady(STARTS_WITHIN);
        } catch (NodeFailure failure) {
            if (node().isAlive()) {
                throw failure;
            }
            replace();
        }
    }

    private void replace() {
        node().killIfAlive();
        try {
            cluster.replace(node());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
