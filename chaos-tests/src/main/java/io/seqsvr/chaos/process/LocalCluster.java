package io.seqsvr.chaos.process;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * All nodes of one new cluster on this machine, named store-1, alloc-1, router-1 and so on. Use it from one thread.
 */
public final class LocalCluster {
    /** Where callers look first, if nobody else listens there. */
    private static final int FRONT_DOOR = 7700;

    /** Seldom enough to leave the machine to those that start. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Site site;
    private final ClusterPlan plan;
    private final Map<Tier, List<LocalNode>> nodes = new EnumMap<>(Tier.class);
    /** In the order of the StoreSvr peers. */
    private final List<Endpoint> rafts = new ArrayList<>();

    private LocalCluster(Site site, ClusterPlan plan) {
        this.site = site;
        this.plan = plan;
    }

    /** Makes the data directory of a StoreSvr peer what it must be before the first start. */
    @FunctionalInterface
    public interface Formatting<X extends Exception> {
        /**
         * Formats it.
         *
         * @param settings file of the peer's settings, which name the directory
         * @param clusterId id of the new cluster
         */
        void format(Path settings, String clusterId) throws IOException, X;
    }

    /**
     * Writes settings and formats directories; nothing runs yet.
     *
     * @param nodes what the nodes become part of
     */
    public static <X extends Exception> LocalCluster in(LocalNodes nodes, ClusterPlan plan, Formatting<X> formatting)
            throws IOException, X {
        var cluster = new LocalCluster(nodes.site(), plan);
        for (var tier : Tier.values()) {
            var ofTier = new ArrayList<LocalNode>();
            for (int number = 1; number <= plan.count(tier); number++) {
                boolean first = tier == Tier.ROUTER && number == 1;
                var name = tier.nodeName(number);
                var site = cluster.site;
                var endpoint = first ? site.endpointAt(name, FRONT_DOOR) : site.freeEndpoint(name);
                ofTier.add(nodes.node(name, tier, endpoint));
            }
            cluster.nodes.put(tier, List.copyOf(ofTier));
        }
        cluster.of(Tier.STORESVR).forEach(peer -> cluster.rafts.add(nodes.site().innerEndpoint(peer.name())));
        var clusterId = UUID.randomUUID().toString();
        for (var node : cluster.all()) {
            Files.writeString(node.settings(), cluster.settings(node).encodePrettily());
        }
        for (var peer : cluster.of(Tier.STORESVR)) {
            nodes.<X>prepare(() -> formatting.format(peer.settings(), clusterId));
        }
        return cluster;
    }

    /** JSON is YAML too, and quotes whatever stands in a path. */
    private JsonObject settings(LocalNode node) {
        if (node.tier() == Tier.STORESVR) {
            return peerSettings(node);
        }
        var settings = new JsonObject()
                .put("name", node.name())
                .put("listen", site.listen(node.endpoint()).toString())
                .put("store", new JsonArray(texts(of(Tier.STORESVR))));
        return site.listen(node.endpoint()).equals(node.endpoint())
                ? settings
                : settings.put("advertise", node.endpoint().toString());
    }

    private JsonObject peerSettings(LocalNode own) {
        var others = new JsonArray();
        for (var peer : of(Tier.STORESVR)) {
            if (peer != own) {
                others.add(peerPlace(peer));
            }
        }
        var namespace = new JsonObject()
                .put("name", ClusterPlan.NAMESPACE)
                .put("capacity", plan.capacity())
                .put("segment_size", plan.segmentSize());
        var settings = peerPlace(own)
                .put("listen", site.listen(own.endpoint()).toString())
                .put("data", own.data().toString())
                .put(
                        "bootstrap",
                        new JsonObject()
                                .put("ttl", plan.ttl().toMillis() + "ms")
                                .put("namespaces", JsonArray.of(namespace)));
        return others.isEmpty() ? settings : settings.put("other_peers", others);
    }

    private JsonObject peerPlace(LocalNode peer) {
        return new JsonObject()
                .put("peer", peer.name())
                .put("raft", rafts.get(of(Tier.STORESVR).indexOf(peer)).toString())
                .put("listen", peer.endpoint().toString());
    }

    private static List<String> texts(List<LocalNode> some) {
        return endpoints(some).stream().map(Endpoint::toString).toList();
    }

    private static List<Endpoint> endpoints(List<LocalNode> some) {
        return some.stream().map(LocalNode::endpoint).toList();
    }

    /** Of what it consists. */
    public ClusterPlan plan() {
        return plan;
    }

    /** The nodes of a tier, by their numbers. */
    public List<LocalNode> of(Tier tier) {
        return nodes.getOrDefault(tier, List.of());
    }

    /** Where the nodes of a tier serve, by their numbers. */
    public List<Endpoint> endpoints(Tier tier) {
        return endpoints(of(tier));
    }

    /** All nodes, by tier and number. */
    public List<LocalNode> all() {
        return nodes.values().stream().flatMap(List::stream).toList();
    }

    /** A node by its name. */
    public Optional<LocalNode> node(String name) {
        return all().stream().filter(node -> node.name().equals(name)).findFirst();
    }

    /**
     * Starts every node and waits until each serves. Routers come last, once every allocator listens: a router that
     * knew some allocators only would give them everything, and take seconds to spread it again.
     *
     * @throws NodeFailure if one does not serve in time, or ends before
     */
    public void start(Duration within) {
        long start = System.nanoTime();
        of(Tier.STORESVR).forEach(LocalNode::start);
        of(Tier.ALLOCSVR).forEach(LocalNode::start);
        of(Tier.ALLOCSVR).forEach(node -> node.awaitAnswer(left(start, within), BETWEEN_LOOKS));
        of(Tier.ROUTER).forEach(LocalNode::start);
        all().forEach(node -> node.awaitReady(left(start, within), BETWEEN_LOOKS));
    }

    private static Duration left(long startNanos, Duration within) {
        return within.minusNanos(System.nanoTime() - startNanos);
    }
}
