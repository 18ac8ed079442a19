package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.node.StartupException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Faults, round after round, in a cluster of its own that nobody watches but its users. */
public final class ChaosRun {
    private static final Duration TAKES_EFFECT_WITHIN = Duration.ofSeconds(30);
    /** Then it goes on: that a user waited so long is in the report. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration WELL_WITHIN = Duration.ofMinutes(3);
    private static final int BRIEF_ONE_IN = 3;

    private final ChaosPlan plan;
    private final JavaProgram program;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final List<String> withoutEffect = new ArrayList<>();
    /** How long users may wait, by cause. */
    private final Map<String, Duration> bounds = new HashMap<>();

    private int pairsNeeded;

    private final AtomicInteger rounds = new AtomicInteger();
    private volatile long begunNanos;
    private volatile @Nullable WatchedCluster watched;

    /**
     * A run that has started nothing yet.
     *
     * @param plan whose cluster has no problems
     * @param program what runs a node
     * @param progress gets a line now and then
     */
    public ChaosRun(ChaosPlan plan, JavaProgram program, Consumer<String> progress) {
        this.plan = plan;
        this.program = program;
        this.progress = progress;
        this.random = new SplittableRandom(plan.seed());
    }

    /** How much of its time is over, from 0 to 1; safe for any thread. */
    public double progress() {
        if (watched == null) {
            return 0;
        }
        return Math.min(1, (System.nanoTime() - begunNanos) / (plan.minutes() * TimeUnit.MINUTES.toNanos(1)));
    }

    /** How far it is, in words; safe for any thread. */
    public String soFar() {
        var cluster = watched;
        if (cluster == null) {
            return "starting";
        }
        var seen = cluster.load().record().soFar();
        return String.format(
                Locale.ROOT,
                "%,d operations  %,d changes of owner  %,d straddling pairs  %,d rounds  longest wait %,d ms",
                seen.operations(),
                seen.power().changes(),
                seen.power().straddles(),
                rounds.get(),
                TimeUnit.NANOSECONDS.toMillis(seen.longestNanos()));
    }

    /**
     * Runs until its time is over and the last fault undone; blocks.
     *
     * @throws NodeFailure if the cluster does not come up, or not again
     */
    public ChaosResult run() throws IOException, StartupException {
        try (var nodes = LocalNodes.in(plan.parent(), "seqsvr-chaos-", program);
                var cluster = new WatchedCluster(nodes, plan.cluster(), plan.users(), System.nanoTime(), progress);
                var stores = new StorePeersSeen(cluster.nodes())) {
            var drawn = new Rounds(plan, cluster.nodes(), () -> awaitLeader(stores), random);
            begunNanos = System.nanoTime();
            watched = cluster;
            do {
                round(cluster, drawn.next());
            } while (progress() < 1);
            cluster.load().record().freeze();
            return new ChaosResult(plan, rounds.get(), pairsNeeded, bounds, withoutEffect, cluster.report());
        }
    }

    private static LocalNode awaitLeader(StorePeersSeen stores) {
        return Waiting.toSee(stores::leader, WELL_WITHIN)
                .orElseThrow(() -> new NodeFailure("no StoreSvr peer led within " + WELL_WITHIN.toSeconds() + " s"));
    }

    private void round(WatchedCluster cluster, List<Rounds.Strike> strikes) {
        boolean brief = rounds.get() > 0
                && strikes.stream().allMatch(strike -> strike.fault().kind() == FaultKind.PAUSE)
                && random.nextInt(BRIEF_ONE_IN) == 0;
        var hold = brief ? upTo(plan.cluster().ttl()) : upTo(Duration.ofSeconds(2));
        var faults = strikes.stream()
                .map(strike -> cluster.fault(strike.fault().kind(), strike.node()))
                .toList();
        var cause = faults.stream().map(Fault::name).collect(Collectors.joining(" + "));
        var bound = plan.boundOf(strikes.stream().map(Rounds.Strike::fault).toList());
        bounds.merge(cause, bound, (one, other) -> one.compareTo(other) > 0 ? one : other);

        rounds.incrementAndGet();
        long since = System.nanoTime();
        for (int i = 0; i < strikes.size(); i++) {
            cluster.begin(strikes.get(i).node(), faults.get(i), cause);
            pairsNeeded += strikes.get(i).fault().movesSegments() && !brief ? 1 : 0;
        }
        for (var fault : faults) {
            if (!Waiting.until(fault::isInEffect, TAKES_EFFECT_WITHIN)) {
                withoutEffect.add(fault.name());
            }
        }
        if (!brief) {
            var unused = Waiting.until(() -> cluster.load().record().everybodyIsServedSince(since), PATIENCE);
        }
        Waiting.pass(hold);
        strikes.stream()
                .sorted(Comparator.comparing(strike -> strike.node().tier()))
                .forEach(strike -> cluster.end(strike.node()));
        awaitWell(cluster.nodes().all());
        Waiting.pass(upTo(Duration.ofSeconds(2)));
    }

    private Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos()));
    }

    private static void awaitWell(List<LocalNode> nodes) {
        for (var node : nodes) {
            node.awaitReady(WELL_WITHIN);
        }
    }
}
