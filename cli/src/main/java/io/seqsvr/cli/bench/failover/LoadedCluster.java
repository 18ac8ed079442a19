package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.process.Closings;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.cli.demo.StorePeersSeen;
import io.seqsvr.cli.demo.Waiting;
import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster whose users ask, and what is known of it from outside. Use it from one thread. */
final class LoadedCluster implements AutoCloseable {
    private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(30);
    private static final Duration SETTLES_WITHIN = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    /** Routers let living owners differ by so much before they have them hand over. */
    private static final int TOLERATED_PART = 10;

    private final LocalCluster cluster;
    private final ToIntFunction<List<String>> operator;
    private final int segments;
    private final SteadyLoad load;
    private final StorePeersSeen stores;
    private final RoutesWatch routes;

    /**
     * Begins to ask.
     *
     * @param operator carries out a line of the command line and gives its exit code
     */
    LoadedCluster(LocalCluster cluster, FailoverPlan plan, ToIntFunction<List<String>> operator) {
        this.cluster = cluster;
        this.operator = operator;
        this.segments = plan.segments();
        this.stores = new StorePeersSeen(cluster);
        var routers = cluster.endpoints(Tier.ROUTER);
        this.routes =
                new RoutesWatch(routers.stream().map(Object::toString).toList(), picture -> {}, new SplittableRandom());
        routes.start();
        this.load = new SteadyLoad(
                List.of(new SmartCaller(routers, plan.deadline()), new ThinCaller(routers, plan.deadline())),
                plan.segments(),
                plan.rate(),
                plan.step());
        load.start();
    }

    SteadyLoad load() {
        return load;
    }

    /** One of a tier, and in the next round the next one. */
    LocalNode inTurn(Tier tier, int round) {
        var nodes = cluster.of(tier);
        return nodes.get((round - 1) % nodes.size());
    }

    /** The StoreSvr peer that leads. */
    LocalNode awaitLeader() {
        return Waiting.REAL
                .toSee(stores::leader, SETTLES_WITHIN)
                .orElseThrow(() -> new NodeFailure("no StoreSvr peer led within " + SETTLES_WITHIN.toSeconds() + " s"));
    }

    /** Stops a node as an operator would. */
    void stop(LocalNode node) {
        node.stop(STOPS_WITHIN);
        routes.elsewhere();
    }

    /** Starts a node, and waits until it does its part again: of an AllocSvr, until it has its share. */
    void start(LocalNode node) {
        node.start();
        node.awaitReady(STARTS_WITHIN, BETWEEN_LOOKS);
        awaitShared();
    }

    /** Has an AllocSvr hand everything over, and waits until it has. */
    void drain(LocalNode node) {
        var store =
                cluster.endpoints(Tier.STORESVR).stream().map(Object::toString).collect(Collectors.joining(","));
        var line = List.of("drain", node.name(), "--store", store);
        int exit = operator.applyAsInt(line);
        if (exit != 0) {
            throw new NodeFailure("'seqsvr " + String.join(" ", line) + "' ended with " + exit);
        }
    }

    /** Waits until of every user a call was answered that was due since a moment of {@link System#nanoTime}. */
    void awaitEverybodyServedSince(long nanos) {
        await("every user was answered", () -> load.everybodyIsServedSince(nanos));
    }

    /** Waits until each AllocSvr owns about as much as the others. */
    void awaitShared() {
        await("every AllocSvr had its share", this::isShared);
    }

    /** Waits until the routes tell that a dead AllocSvr's session is over. */
    void awaitSessionOver(LocalNode allocator) {
        await(
                "the session of " + allocator.name() + " was over",
                () -> session(picture(), allocator).isEmpty());
    }

    /** Waits until the others serve every segment. */
    void awaitTakenOver(LocalNode from) {
        await(
                "the others served every segment of " + from.name(),
                () -> cluster.of(Tier.ALLOCSVR).stream()
                                .filter(node -> node != from)
                                .mapToLong(node -> Metrics.of(node).count("seqsvr_segments_owned"))
                                .sum()
                        >= segments);
    }

    /** Raise commands of all AllocSvrs so far, answered or not. */
    long raises(boolean answered) {
        var result = "result=\"" + (answered ? "answered" : "unanswered") + "\"";
        return cluster.of(Tier.ALLOCSVR).stream()
                .mapToLong(node -> Metrics.of(node).count("seqsvr_raises_total", result))
                .sum();
    }

    /** Of which users an AllocSvr is the owner, by the newest routes. */
    boolean[] usersOf(LocalNode allocator) {
        var picture = picture();
        long session = session(picture, allocator).map(RouteOwner::session).orElse(0L);
        var owned = new boolean[segments];
        ranges(picture).stream().filter(range -> range.owner() == session).forEach(range -> {
            for (int segment = range.first(); segment <= range.last(); segment++) {
                owned[segment] = true;
            }
        });
        return owned;
    }

    private boolean isShared() {
        var picture = picture();
        int share = segments / cluster.of(Tier.ALLOCSVR).size();
        int tolerated = Math.max(1, share / TOLERATED_PART);
        return cluster.of(Tier.ALLOCSVR).stream()
                .allMatch(node -> session(picture, node)
                        .filter(owner -> owned(picture, owner.session()) >= share - tolerated)
                        .isPresent());
    }

    private RoutePicture picture() {
        return Waiting.REAL
                .toSee(routes::picture, SETTLES_WITHIN)
                .orElseThrow(() -> new NodeFailure("nobody told the routes"));
    }

    private static Optional<RouteOwner> session(RoutePicture picture, LocalNode node) {
        return picture.owners().stream()
                .filter(owner -> owner.name().equals(node.name()))
                .findFirst();
    }

    private static List<RouteRange> ranges(RoutePicture picture) {
        var id = picture.namespace(NamespacePlan.NAME)
                .orElseThrow(() -> new NodeFailure("the routes do not tell of '" + NamespacePlan.NAME + "'"))
                .id();
        return picture.routes().ranges().stream()
                .filter(range -> range.namespaceId() == id)
                .toList();
    }

    private static int owned(RoutePicture picture, long session) {
        return ranges(picture).stream()
                .filter(range -> range.owner() == session)
                .mapToInt(RouteRange::size)
                .sum();
    }

    private static void await(String what, BooleanSupplier isSo) {
        if (!Waiting.REAL.until(isSo, SETTLES_WITHIN)) {
            throw new NodeFailure("not within " + SETTLES_WITHIN.toSeconds() + " s was it so that " + what);
        }
    }

    @Override
    public void close() {
        Closings.all(Stream.of(load::close, routes::close, stores::close));
    }
}
