package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.fault.NodeFaults;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.Findings;
import io.seqsvr.chaos.live.Target;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A cluster of processes of its own under a verified load, and the faults that are at work in it. */
final class WatchedCluster implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final Duration WARM_WITHIN = Duration.ofMinutes(1);
    private static final Duration QUICK_WITHIN = Duration.ofMinutes(1);

    private final LocalNodes parent;
    private final LocalCluster cluster;
    private final FaultLog log = new FaultLog(System::nanoTime);
    private final VerifiedLoad load;
    private final long readyNanos;
    private long begunNanos;
    private final Map<LocalNode, AtWork> atWork = new HashMap<>();

    private record AtWork(Fault fault, FaultLog.Episode episode) {}

    /**
     * Starts the cluster and the load, and waits until all is warm.
     *
     * @param startNanos when whoever wants it began to wait, by {@link System#nanoTime}
     * @param progress gets a line now and then
     * @throws NodeFailure if a node does not serve, or the load is not answered and no promise was broken by then
     */
    WatchedCluster(LocalNodes nodes, ClusterPlan plan, int users, long startNanos, Consumer<String> progress)
            throws IOException {
        progress.accept("starting " + plan.stores() + " StoreSvr, " + plan.allocators() + " AllocSvr and "
                + plan.routers() + " routers in " + nodes.directory());
        parent = nodes;
        cluster = LocalCluster.in(nodes, plan);
        cluster.start(READY_WITHIN);
        readyNanos = System.nanoTime() - startNanos;
        load = VerifiedLoad.start(Target.of(cluster), users, log);
        try {
            load.warmUp(WARM_WITHIN);
        } catch (IllegalStateException cold) {
            if (load.record().broken() == 0) {
                load.close();
                throw new NodeFailure(Objects.requireNonNullElse(cold.getMessage(), "the load was not answered"));
            }
            // That is what is to be told, and not that the load ended.
            progress.accept("a promise was broken before the load was warm: " + cold.getMessage());
            load.forgetWarmUp();
        }
        begunNanos = System.nanoTime();
    }

    /**
     * Waits until most calls are answered at once, which takes processes that compile what they run a while; for no
     * longer than a minute, on a machine that is never so fast. Users are watched from then on.
     */
    void awaitQuick() {
        var unused = Waiting.REAL.until(() -> load.isQuick() || load.record().broken() > 0, QUICK_WITHIN);
        load.forgetWarmUp();
        begunNanos = System.nanoTime();
    }

    LocalCluster nodes() {
        return cluster;
    }

    /** From the start until every node served. */
    double readySeconds() {
        return readyNanos / 1e9;
    }

    VerifiedLoad load() {
        return load;
    }

    /** How many faults there were. */
    int faults() {
        return log.count();
    }

    /** The fault that is at work on a node. */
    Optional<String> fault(LocalNode node) {
        return Optional.ofNullable(atWork.get(node)).map(work -> work.fault().name());
    }

    /** A fault of this kind, for this node: one of those that need nothing but processes. */
    Fault fault(FaultKind kind, LocalNode node) {
        return switch (kind) {
            case KILL -> NodeFaults.kill(node);
            case PAUSE -> NodeFaults.pause(node);
            case RESTART -> NodeFaults.restart(node);
            case DRAIN -> {
                if (node.tier() != Tier.ALLOCSVR) {
                    throw new NodeFailure(node.name() + " owns no segments: only an AllocSvr can be drained");
                }
                yield new DrainNode(node, load::routes);
            }
            case MOVE -> new MoveSegments(parent, cluster, node, load::routes);
            default -> throw new NodeFailure("'" + kind.verb() + "' needs more than the processes of a cluster");
        };
    }

    /** What was done when, for whoever does more than one thing at once. */
    FaultLog log() {
        return log;
    }

    /** When users began to be watched, by {@link System#nanoTime}. */
    long begunNanos() {
        return begunNanos;
    }

    /** Starts a fault on a node; what was at work there, a pause say, is no longer told apart from it. */
    void begin(LocalNode node, Fault fault) {
        var episode = log.begin(fault.name());
        try {
            fault.start();
        } catch (NodeFailure impossible) {
            log.end(episode);
            throw impossible;
        }
        var before = atWork.put(node, new AtWork(fault, episode));
        if (before != null) {
            log.end(before.episode());
        }
        load.lookElsewhere();
    }

    /** Stops the fault that is at work on a node, if there is one. */
    void end(LocalNode node) {
        var work = atWork.remove(node);
        if (work != null) {
            try {
                work.fault().stop();
            } finally {
                log.end(work.episode());
            }
        }
    }

    /** What was seen so far, judged as a whole. */
    LoadReport report() {
        return report(load.findings());
    }

    /** The same, without what takes long. */
    LoadReport soFar() {
        return report(load.record().soFar());
    }

    private LoadReport report(Findings seen) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos);
        return new LoadReport(load.users(), seconds, log.count(), seen, load.clientFindings());
    }

    /** Ends the load; the nodes are not its own. */
    @Override
    public void close() {
        load.close();
    }
}
