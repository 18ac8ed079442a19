package io.seqsvr.cli.demo;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.fault.ClockFaults;
import io.seqsvr.chaos.fault.DataLoss;
import io.seqsvr.chaos.fault.Departure;
import io.seqsvr.chaos.fault.DiskFaults;
import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.fault.LyingDisk;
import io.seqsvr.chaos.fault.NodeFaults;
import io.seqsvr.chaos.fault.RollingRestart;
import io.seqsvr.chaos.fault.Shortages;
import io.seqsvr.chaos.lab.Lab;
import io.seqsvr.chaos.network.VirtualNetwork;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.Tier;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Makes faults of nodes in a lab. */
final class FaultMaker {
    private static final Duration TWO_HOURS = Duration.ofHours(2);
    private static final Duration LATE = Duration.ofSeconds(2);
    private static final Duration BACK = Duration.ofSeconds(10);
    private static final int PER_CENT = 10_000;
    private static final int TOO_MUCH = 20 * PER_CENT;
    private static final int LITTLE_PROCESSOR = 20;

    private final WatchedCluster cluster;
    private final Lab lab;
    private final SplittableRandom random;

    FaultMaker(WatchedCluster cluster, Lab lab, SplittableRandom random) {
        this.cluster = cluster;
        this.lab = lab;
        this.random = random;
    }

    /** The faults of a strike, one for each of its nodes unless they are struck together. */
    List<Fault> make(Rounds.Strike strike) {
        var kind = strike.fault().kind();
        if (kind == FaultKind.CUT_POWER) {
            return List.of(powerCut(kind, strike.nodes()));
        }
        if (kind == FaultKind.ROLL) {
            return List.of(new RollingRestart(kind.verb(), strike.nodes()));
        }
        return strike.nodes().stream().map(node -> of(kind, node)).toList();
    }

    private Fault of(FaultKind kind, LocalNode node) {
        return switch (kind) {
            case KILL, PAUSE, RESTART, DRAIN, MOVE -> cluster.fault(kind, node);
            case FREEZE -> NodeFaults.freeze(kind.verb(), node);
            case REMOVE -> new Departure(kind.verb(), node, cluster.nodes());
            case WIPE -> DataLoss.ofAll(kind.verb(), node, cluster.nodes());
            case FLIP_BIT -> DataLoss.ofBit(kind.verb(), node, cluster.nodes(), random);
            case FORGET ->
                new LyingDisk(
                        kind.verb(), node, cluster.nodes(), lab.syncs(node.name()), powerCut(kind, List.of(node)));
            case CUT, CUT_IN, CUT_OUT, SPLIT, LAG, RESET, NARROW -> ofLinks(kind, node);
            case ROUGHEN, LOSE, DELAY, DOUBLE, OVERTAKE, DAMAGE, SPIKE -> ofLinks(kind, node);
            case SET_AHEAD, SET_BACK, SPEED_UP, SLOW_DOWN, RUSH, CRAWL, TURN_BACK, SUSPEND -> ofClocks(kind, node);
            case STARVE -> Shortages.ofProcessor(kind.verb(), node, LITTLE_PROCESSOR);
            case KILL_FOR_MEMORY -> Shortages.ofMemory(kind.verb(), node);
            case EXHAUST -> Shortages.ofFiles(kind.verb(), node);
            case FAIL_SYNC, FAIL_SYNCS, HANG_SYNC, SLOW_SYNC, FILL, TURN_READ_ONLY -> ofDisk(kind, node);
            case CUT_POWER, ROLL -> throw new IllegalArgumentException(kind + " is one fault of several nodes");
        };
    }

    private Fault powerCut(FaultKind kind, List<LocalNode> nodes) {
        return DiskFaults.powerCut(kind.verb(), nodes, node -> lab.disk(node.name()), lab.directory());
    }

    private Fault ofLinks(FaultKind kind, LocalNode node) {
        var links = lab.links();
        if (node.tier() == Tier.CALLER) {
            return LinkFaults.ofCaller(kind, node.name(), askedBy(kind, node), links);
        }
        var others = kind == FaultKind.SPLIT ? names(Tier.STORESVR) : links.others(node.name());
        return LinkFaults.of(kind, node.name(), others, links);
    }

    /** Whoever tells an application what to ask is none of those whom it asks. */
    private List<String> askedBy(FaultKind kind, LocalNode caller) {
        return kind == FaultKind.SPLIT
                ? names(Tier.ALLOCSVR)
                : lab.links().others(caller.name()).stream()
                        .filter(other -> !other.equals(VirtualNetwork.US))
                        .toList();
    }

    private List<String> names(Tier tier) {
        return cluster.nodes().of(tier).stream().map(LocalNode::name).toList();
    }

    private Fault ofClocks(FaultKind kind, LocalNode node) {
        var clock = lab.clock(node.name());
        return switch (kind) {
            case SET_AHEAD -> ClockFaults.set(kind.verb(), node, clock, TWO_HOURS);
            case SET_BACK -> ClockFaults.set(kind.verb(), node, clock, TWO_HOURS.negated());
            case SPEED_UP -> ClockFaults.run(kind.verb(), node, clock, PER_CENT);
            case SLOW_DOWN -> ClockFaults.run(kind.verb(), node, clock, -PER_CENT);
            case RUSH -> ClockFaults.run(kind.verb(), node, clock, TOO_MUCH);
            case CRAWL -> ClockFaults.run(kind.verb(), node, clock, -TOO_MUCH);
            case TURN_BACK -> ClockFaults.turnBack(kind.verb(), node, clock, BACK);
            case SUSPEND -> ClockFaults.suspend(kind.verb(), node, clock);
            default -> throw new IllegalArgumentException(kind + " is none of clocks");
        };
    }

    private Fault ofDisk(FaultKind kind, LocalNode node) {
        var name = node.name();
        return switch (kind) {
            case FAIL_SYNC -> DiskFaults.fails(kind.verb(), node, lab.syncs(name), DiskFault.Kind.SYNC_FAILS_ONCE);
            case FAIL_SYNCS -> DiskFaults.fails(kind.verb(), node, lab.syncs(name), DiskFault.Kind.SYNC_FAILS);
            case HANG_SYNC -> DiskFaults.hangs(kind.verb(), node, lab.syncs(name));
            case SLOW_SYNC -> DiskFaults.slow(kind.verb(), node, lab.syncs(name), (int) LATE.toMillis());
            case FILL -> DiskFaults.full(kind.verb(), node, lab.disk(name));
            case TURN_READ_ONLY -> DiskFaults.readOnly(kind.verb(), node, lab.disk(name));
            default -> throw new IllegalArgumentException(kind + " is none of disks");
        };
    }
}
