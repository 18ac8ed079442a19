package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.lab.Lab;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.core.namespace.SegmentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster of processes of its own, of which nothing is left in the end. */
final class OwnScene implements Scene {
    private static final Duration COMPARED_WITHIN = Duration.ofMinutes(1);
    private static final Duration LEADS_WITHIN = Duration.ofMinutes(3);
    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    /** Of each node. */
    private static final int DEFECTS_TOLD = 3;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final ChaosPlan plan;
    private final LocalNodes nodes;
    private final WatchedCluster cluster;
    private final StorePeersSeen stores;
    private final Rounds rounds;
    private final FaultMaker maker;

    private OwnScene(ChaosPlan plan, LocalNodes nodes, WatchedCluster cluster, SplittableRandom random) {
        this.plan = plan;
        this.nodes = nodes;
        this.cluster = cluster;
        this.stores = new StorePeersSeen(cluster.nodes());
        this.rounds = new Rounds(plan, cluster.nodes(), this::awaitLeader, random);
        this.maker = new FaultMaker(cluster, (Lab) nodes.site(), random);
    }

    /**
     * Starts the cluster and the load, and waits until all is warm.
     *
     * @throws NodeFailure if it does not come up
     */
    static OwnScene open(ChaosPlan plan, JavaProgram program, SplittableRandom random, Consumer<String> progress)
            throws IOException {
        var names = plan.cluster().names();
        var keepers = plan.cluster().storeNames();
        var nodes = LocalNodes.in(
                plan.parent(),
                "seqsvr-chaos-",
                directory -> Lab.open(directory, plan.needs(), names, keepers, plan.seed()),
                program);
        try {
            var cluster = new WatchedCluster(nodes, plan.cluster(), plan.users(), System.nanoTime(), progress);
            cluster.awaitQuick();
            return new OwnScene(plan, nodes, cluster, random);
        } catch (IOException | RuntimeException failed) {
            nodes.close();
            throw failed;
        }
    }

    @Override
    public Act only(Compound cell) {
        return act(rounds.only(cell)).whole(cell);
    }

    @Override
    public Act draw() {
        return act(rounds.next());
    }

    private Act act(List<Rounds.Strike> strikes) {
        var faults = new ArrayList<Fault>();
        var woken = new HashMap<Fault, String>();
        for (var strike : strikes) {
            var made = maker.make(strike);
            faults.addAll(made);
            if (strike.fault().wakesAnOwner()) {
                made.forEach(fault -> woken.put(fault, address(strike.nodes().get(0))));
            }
        }
        return new Act(
                strikes.stream().map(Rounds.Strike::fault).toList(), List.copyOf(faults), struck(strikes), woken);
    }

    /**
     * Where nobody may be left to serve, anybody may notice; so too where each call waits for a leader that is struck.
     * Of StoreSvr users need a majority, whoever that is.
     */
    private Optional<Set<String>> struck(List<Rounds.Strike> strikes) {
        boolean anybody = strikes.stream()
                .map(strike -> strike.fault().victim())
                .anyMatch(victim ->
                        victim.isWholeTier() || (victim == Victim.STORE_LEADER && plan.asksStoreSvrEachTime()));
        return anybody
                ? Optional.empty()
                : Optional.of(strikes.stream()
                        .filter(strike -> strike.tier() != Tier.STORESVR)
                        .flatMap(strike -> strike.nodes().stream())
                        .map(OwnScene::address)
                        .collect(Collectors.toSet()));
    }

    private static String address(LocalNode node) {
        return node.endpoint().toString();
    }

    private LocalNode awaitLeader() {
        return Waiting.REAL
                .toSee(stores::leader, LEADS_WITHIN)
                .orElseThrow(() -> new NodeFailure("no StoreSvr peer led within " + LEADS_WITHIN.toSeconds() + " s"));
    }

    @Override
    public VerifiedLoad load() {
        return cluster.load();
    }

    @Override
    public FaultLog log() {
        return cluster.log();
    }

    @Override
    public long begunNanos() {
        return cluster.begunNanos();
    }

    @Override
    public void awaitReady() {
        for (var node : cluster.nodes().all()) {
            node.awaitReady(READY_WITHIN, BETWEEN_LOOKS);
        }
    }

    @Override
    public OptionalLong granted() {
        return load().routes()
                .flatMap(picture -> picture.namespace(NamespacePlan.NAME))
                .map(namespace -> stores.granted(load().asking().stream()
                        .map(uid -> new SegmentId(namespace.id(), namespace.segmentOf(uid)))
                        .collect(Collectors.toSet())))
                .orElse(OptionalLong.empty());
    }

    @Override
    public boolean storesFollow() {
        return stores.follow();
    }

    @Override
    public boolean compare() {
        cluster.nodes().all().forEach(this::readLog);
        var digests = Waiting.REAL.toSee(stores::digests, COMPARED_WITHIN);
        digests.filter(all -> all.values().stream().distinct().count() > 1)
                .ifPresent(all -> load().record().violated("REPLICAS_EQUAL", "their states differ: " + all));
        boolean bounded = load().routes()
                .flatMap(picture -> picture.namespace(NamespacePlan.NAME))
                .map(namespace -> new MaxSeqCheck(load().record(), namespace).hold(stores.segments()))
                .orElse(false);
        return digests.isPresent() && bounded;
    }

    /** What a node itself calls a bug of ours, whoever was hurt by it. */
    private void readLog(LocalNode node) {
        try (var lines = Files.lines(node.log())) {
            lines.filter(line -> line.contains(" event=defect "))
                    .limit(DEFECTS_TOLD)
                    .forEach(line -> load().record().violated("NO_DEFECT", node.name() + " has logged: " + line));
        } catch (IOException unreadable) {
            throw new NodeFailure("the log of " + node.name() + " cannot be read: " + unreadable.getMessage());
        }
    }

    @Override
    public Network network() {
        return ((Lab) nodes.site()).network();
    }

    @Override
    public LoadReport report() {
        return cluster.report();
    }

    @Override
    public LoadReport soFar() {
        return cluster.soFar();
    }

    @Override
    public boolean copyLogs(Path to) throws IOException {
        nodes.copyLogs(to);
        return true;
    }

    @Override
    public void close() {
        try (nodes;
                cluster) {
            stores.close();
        }
    }
}
