package io.seqsvr.chaos.process;

import io.seqsvr.chaos.caller.CallerProgram;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * All nodes of one new cluster on this machine, named store-1, alloc-1, router-1 and so on. Use it from one thread.
 */
public final class LocalCluster {
    private static final Duration FORMATTED_WITHIN = Duration.ofSeconds(60);
    /** Where callers look first, if nobody else listens there. */
    private static final int FRONT_DOOR = 7700;

    /** Seldom enough to leave the machine to those that start. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private static final Duration OPERATED_WITHIN = Duration.ofMinutes(2);

    private final String id = UUID.randomUUID().toString();
    private final LocalNodes parent;
    private final Site site;
    private final ClusterPlan plan;
    private final Map<Tier, List<LocalNode>> nodes = new EnumMap<>(Tier.class);
    /** What is known of StoreSvr nodes besides. */
    private final Map<LocalNode, Peer> peers = new HashMap<>();

    /** Who a StoreSvr node is in its group: another one after each loss of its data. */
    private record Peer(String id, Endpoint raft, int life) {}

    private LocalCluster(LocalNodes parent, ClusterPlan plan) {
        this.parent = parent;
        this.site = parent.site();
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
     * Writes settings, and has directories formatted as an operator would: by the program that every node runs. Nothing
     * runs yet. The first router gets the port at which callers look first, if it is free.
     *
     * @param nodes what the nodes become part of
     * @throws NodeFailure if a directory cannot be formatted
     */
    public static LocalCluster in(LocalNodes nodes, ClusterPlan plan) throws IOException {
        return LocalCluster.<RuntimeException>in(
                nodes,
                plan,
                (settings, clusterId) -> nodes.operate(
                        // The id stands in the settings; --cluster-id is refused where a cluster has one peer only.
                        List.of("store", "bootstrap", "--config", settings.toString(), "--never-started"),
                        FORMATTED_WITHIN),
                true);
    }

    /**
     * The same for nobody else to find, where directories are formatted in another way.
     *
     * @param nodes what the nodes become part of
     */
    public static <X extends Exception> LocalCluster in(LocalNodes nodes, ClusterPlan plan, Formatting<X> formatting)
            throws IOException, X {
        return in(nodes, plan, formatting, false);
    }

    private static <X extends Exception> LocalCluster in(
            LocalNodes nodes, ClusterPlan plan, Formatting<X> formatting, boolean hasFrontDoor) throws IOException, X {
        var cluster = new LocalCluster(nodes, plan);
        for (var tier : Tier.values()) {
            var ofTier = new ArrayList<LocalNode>();
            for (int number = 1; number <= plan.count(tier); number++) {
                boolean first = hasFrontDoor && tier == Tier.ROUTER && number == 1;
                var name = tier.nodeName(number);
                var site = cluster.site;
                var endpoint = first ? site.endpointAt(name, FRONT_DOOR) : site.freeEndpoint(name);
                ofTier.add(nodes.node(name, tier, endpoint));
            }
            cluster.nodes.put(tier, List.copyOf(ofTier));
        }
        for (var peer : cluster.of(Tier.STORESVR)) {
            cluster.peers.put(peer, new Peer(peer.name(), cluster.site.innerEndpoint(peer.name()), 1));
        }
        for (var node : cluster.all()) {
            Files.writeString(node.settings(), cluster.settings(node).encodePrettily());
        }
        for (var peer : cluster.of(Tier.STORESVR)) {
            nodes.<X>prepare(() -> formatting.format(peer.settings(), cluster.id));
        }
        return cluster;
    }

    /** JSON is YAML too, and quotes whatever stands in a path. */
    private JsonObject settings(LocalNode node) {
        if (node.tier() == Tier.STORESVR) {
            var others = new JsonArray();
            of(Tier.STORESVR).stream().filter(peer -> peer != node).forEach(peer -> others.add(peerPlace(peer)));
            var settings = peerSettings(node);
            return others.isEmpty() ? settings : settings.put("other_peers", others);
        }
        if (node.tier() == Tier.CALLER) {
            return CallerProgram.settings(
                    site.listen(node.endpoint()).toString(), texts(of(Tier.ROUTER)), NamespacePlan.NAME);
        }
        var settings = new JsonObject()
                .put("name", node.name())
                .put("listen", site.listen(node.endpoint()).toString())
                .put("store", new JsonArray(texts(of(Tier.STORESVR))));
        advertise(node, settings);
        return settings;
    }

    private void advertise(LocalNode node, JsonObject settings) {
        if (!site.listen(node.endpoint()).equals(node.endpoint())) {
            settings.put("advertise", node.endpoint().toString());
        }
    }

    private JsonObject peerSettings(LocalNode own) {
        var namespace = new JsonObject()
                .put("name", NamespacePlan.NAME)
                .put("capacity", plan.namespace().capacity())
                .put("segment_size", plan.namespace().segmentSize())
                .put("step", plan.namespace().step())
                .put("order", plan.namespace().order().name().toLowerCase(Locale.ROOT));
        var settings = peerPlace(own)
                .put("listen", site.listen(own.endpoint()).toString())
                .put("data", own.data().toString())
                .put("cluster_id", id)
                .put(
                        "bootstrap",
                        new JsonObject()
                                .put("ttl", plan.ttl().toMillis() + "ms")
                                .put("namespaces", JsonArray.of(namespace)));
        site.snapshotEntries().ifPresent(entries -> settings.put("snapshot_entries", entries));
        advertise(own, settings);
        return settings;
    }

    private JsonObject peerPlace(LocalNode node) {
        var peer = peer(node);
        return new JsonObject()
                .put("peer", peer.id())
                .put("raft", peer.raft().toString())
                .put("listen", node.endpoint().toString());
    }

    private Peer peer(LocalNode node) {
        return Optional.ofNullable(peers.get(node))
                .orElseThrow(() -> new IllegalArgumentException(node.name() + " is no StoreSvr"));
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

    /** The StoreSvr node that is now this peer of the group. */
    public Optional<LocalNode> peer(String id) {
        return of(Tier.STORESVR).stream()
                .filter(node -> peer(node).id().equals(id))
                .findFirst();
    }

    /**
     * Has a new peer take the place of a StoreSvr node whose data is lost: on the same host, with another id, other
     * ports and an empty directory, as an operator would do it. It is started, and may not be in the group yet.
     *
     * @param node does not run
     * @throws NodeFailure if the group does not take it
     */
    public void replace(LocalNode node) throws IOException {
        var former = peer(node);
        renew(node);
        operate(node, "replace", "--config", node.settings().toString(), "--old", former.id());
        admit(node);
    }

    /**
     * Takes a StoreSvr node out of the group, as an operator would do it; its process then stops.
     *
     * @throws NodeFailure if the group does not let it go
     */
    public void remove(LocalNode node) {
        operate(node, "remove", "--peer", peer(node).id());
    }

    /**
     * Has a new peer join the group in the place of a node that is not in it any more: on the same host, with another
     * id, other ports and an empty directory. It is started, and may not be in the group yet.
     *
     * @param node does not run
     * @throws NodeFailure if the group does not take it
     */
    public void join(LocalNode node) throws IOException {
        renew(node);
        operate(node, "join", "--config", node.settings().toString());
        admit(node);
    }

    /** A node that does not run becomes another peer, which knows nothing. */
    private void renew(LocalNode node) throws IOException {
        int life = peer(node).life() + 1;
        node.moveTo(site.freeEndpoint(node.name()));
        peers.put(node, new Peer(node.name() + "-" + life, site.innerEndpoint(node.name()), life));
        node.loseData();
        Files.writeString(node.settings(), peerSettings(node).encodePrettily());
    }

    /** Asks the other peers to do something about the group. */
    private void operate(LocalNode node, String command, String... options) {
        var others = of(Tier.STORESVR).stream().filter(peer -> peer != node).toList();
        var words = new ArrayList<String>(List.of("store", command));
        words.addAll(List.of(options));
        words.addAll(List.of("--store", String.join(",", texts(others))));
        parent.operate(words, OPERATED_WITHIN);
    }

    private void admit(LocalNode node) throws IOException {
        node.start();
        // Whoever is started from now on must find the group without those that are gone.
        for (var caller : all()) {
            if (caller.tier() != Tier.STORESVR) {
                Files.writeString(caller.settings(), settings(caller).encodePrettily());
            }
        }
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
        of(Tier.CALLER).forEach(LocalNode::start);
        all().forEach(node -> node.awaitReady(left(start, within), BETWEEN_LOOKS));
    }

    private static Duration left(long startNanos, Duration within) {
        return within.minusNanos(System.nanoTime() - startNanos);
    }
}
