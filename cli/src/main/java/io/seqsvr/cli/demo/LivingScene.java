package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.lab.ProxyLinks;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.Target;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.network.VirtualNetwork;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.LoadPlan;
import io.seqsvr.chaos.process.Loopback;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.client.routes.RoutesListener;
import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster that is not ours, behind proxies that are: one before each router, and each AllocSvr of the routes. */
final class LivingScene implements Scene {
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(20);
    private static final Duration WARM_WITHIN = Duration.ofMinutes(1);

    /** So that the crowd lies between the others. */
    private static final long LEAST_APART = 2;

    private final ChaosPlan plan;
    private final SplittableRandom random;
    private final ProxyLinks links;
    private final List<String> routers;
    private final List<String> owners;
    private final FaultLog log = new FaultLog(System::nanoTime);
    private final VerifiedLoad load;
    private final long begunNanos;

    private LivingScene(
            ChaosPlan plan, LivingCluster cluster, RoutePicture picture, Namespace namespace, SplittableRandom random) {
        this.plan = plan;
        this.random = random;
        this.routers = IntStream.rangeClosed(1, cluster.endpoints().size())
                .mapToObj(number -> "router-" + number)
                .toList();
        this.owners = picture.owners().stream().map(RouteOwner::name).toList();
        this.links =
                new ProxyLinks(Stream.concat(routers.stream(), owners.stream()).toList(), new Loopback(), plan.seed());
        try {
            var doors = new ArrayList<Endpoint>();
            for (int i = 0; i < routers.size(); i++) {
                doors.add(links.open(routers.get(i), cluster.endpoints().get(i)));
            }
            Map<String, Endpoint> allocators = new LinkedHashMap<>();
            for (var owner : picture.owners()) {
                allocators.put(owner.address(), links.open(owner.name(), Endpoint.parse(owner.address())));
            }
            var target = new Target(
                    namespace.name(), namespace.capacity(), namespace::segmentOf, false, doors, allocators, List.of());
            this.load = VerifiedLoad.start(target, plan.users(), log);
        } catch (RuntimeException failed) {
            links.close();
            throw failed;
        }
        try {
            load.warmUp(WARM_WITHIN);
        } catch (IllegalStateException cold) {
            keepIfBroken(cold);
        }
        this.begunNanos = System.nanoTime();
    }

    /** A promise that was broken by then is what is to be told, and not that the load ended. */
    private void keepIfBroken(IllegalStateException cold) {
        if (load.record().broken() == 0) {
            close();
            throw new NodeFailure(Objects.requireNonNullElse(cold.getMessage(), "the load was not answered"));
        }
        load.forgetWarmUp();
    }

    /**
     * Begins to ask the cluster, and waits until all is warm.
     *
     * @throws NodeFailure if it tells no routes, has no such namespace, or does not answer
     */
    static LivingScene open(ChaosPlan plan, LivingCluster cluster, SplittableRandom random) {
        var picture = picture(cluster.endpoints());
        var namespace = picture.namespace(cluster.namespace())
                .orElseThrow(() -> new NodeFailure("the cluster has no namespace '" + cluster.namespace()
                        + "'; it has "
                        + picture.namespaces().stream().map(Namespace::name).collect(Collectors.joining(", "))));
        long least = LEAST_APART * (plan.users() + VerifiedLoad.CLIENT_USERS);
        if (namespace.capacity() < least) {
            throw new NodeFailure("namespace " + namespace.name() + " has room for " + namespace.capacity()
                    + " users; --users " + plan.users() + " needs " + least);
        }
        if (namespace.maxCount() < LoadPlan.MOST_AT_ONCE) {
            throw new NodeFailure("namespace " + namespace.name() + " gives at most " + namespace.maxCount()
                    + " sequences at once; some calls ask for " + LoadPlan.MOST_AT_ONCE + ", so alter its max_count");
        }
        if (picture.owners().isEmpty()) {
            throw new NodeFailure("the cluster has no AllocSvr now, so nobody can be answered");
        }
        return new LivingScene(plan, cluster, picture, namespace, random);
    }

    private static RoutePicture picture(List<Endpoint> endpoints) {
        var addresses = endpoints.stream().map(Endpoint::toString).toList();
        var said = new Said();
        try (var watch = new RoutesWatch(addresses, said, new SplittableRandom())) {
            watch.start();
            return Waiting.REAL
                    .toSee(watch::picture, TOLD_WITHIN)
                    .orElseThrow(() -> new NodeFailure("nobody at " + String.join(", ", addresses)
                            + " told the routes within " + TOLD_WITHIN.toSeconds() + " s" + said.last));
        }
    }

    /** Remembers why there is no picture. */
    private static final class Said implements RoutesListener {
        private volatile String last = "";

        @Override
        public void seen(RoutePicture picture) {
            // The watch keeps it.
        }

        @Override
        public void left(String server, String why) {
            last = ": " + server + " " + why;
        }
    }

    @Override
    public Act only(Compound cell) {
        return act(cell.faults()).whole(cell);
    }

    /** No two on the way to one node. */
    @Override
    public Act draw() {
        int count = plan.drawCount(random);
        return act(Stream.generate(
                        () -> plan.faults().get(random.nextInt(plan.faults().size())))
                .limit(count)
                .toList());
    }

    private Act act(List<ClusterFault> drawn) {
        var kinds = new ArrayList<ClusterFault>();
        var faults = new ArrayList<Fault>();
        var left =
                new ArrayList<>(Stream.concat(routers.stream(), owners.stream()).toList());
        for (var kind : drawn) {
            boolean ofRouter = kind.victim() == Victim.ROUTER;
            var free = (ofRouter ? routers : owners())
                    .stream().filter(left::contains).toList();
            if (free.isEmpty()) {
                continue;
            }
            var node = free.get(random.nextInt(free.size()));
            left.remove(node);
            if (isCutOff(left)) {
                left.add(node);
                continue;
            }
            kinds.add(kind);
            faults.add(LinkFaults.of(kind.kind(), node, List.of(VirtualNetwork.US), links));
        }
        if (kinds.isEmpty()) {
            throw new NodeFailure("no node of the cluster is left on whose way there could be "
                    + drawn.stream().map(ClusterFault::name).collect(Collectors.joining(", ")));
        }
        return new Act(kinds, faults, Optional.empty());
    }

    /** Whether some users have no way left but to nodes that are struck: neither a router nor their owner. */
    private boolean isCutOff(List<String> left) {
        return routers.stream().noneMatch(left::contains) && !left.containsAll(owners);
    }

    /** Those of the beginning that are still there: somebody else may do something to the nodes. */
    private List<String> owners() {
        return owners.stream()
                .filter(name -> load.routes().stream()
                        .flatMap(picture -> picture.owners().stream())
                        .anyMatch(owner -> owner.name().equals(name)))
                .toList();
    }

    @Override
    public VerifiedLoad load() {
        return load;
    }

    @Override
    public FaultLog log() {
        return log;
    }

    @Override
    public long begunNanos() {
        return begunNanos;
    }

    /** Its nodes are not our business. */
    @Override
    public void awaitReady() {}

    /** Its stores are not our business. */
    @Override
    public OptionalLong granted() {
        return OptionalLong.empty();
    }

    @Override
    public boolean storesFollow() {
        return true;
    }

    /** Nor what they keep. */
    @Override
    public boolean compare() {
        return false;
    }

    @Override
    public Network network() {
        return Network.PROXY;
    }

    @Override
    public LoadReport report() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos);
        return new LoadReport(plan.users(), seconds, log.count(), load.findings(), load.clientFindings());
    }

    @Override
    public LoadReport soFar() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos);
        return new LoadReport(plan.users(), seconds, log.count(), load.record().soFar(), load.clientFindings());
    }

    /** Its nodes are somebody else's. */
    @Override
    public boolean copyLogs(Path to) {
        return false;
    }

    @Override
    public void close() {
        load.close();
        links.close();
    }
}
