package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The peers of one new StoreSvr cluster, as processes of this machine. */
final class PeerProcesses {
    static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private record Peer(LocalNode node, Endpoint raft) {
        JsonObject json() {
            return new JsonObject()
                    .put("peer", node.name())
                    .put("raft", raft.toString())
                    .put("listen", node.endpoint().toString());
        }
    }

    private final List<Peer> peers;

    private PeerProcesses(List<Peer> peers) {
        this.peers = peers;
    }

    /**
     * Formats peers and starts them; they are not ready yet.
     *
     * @param ttl time to live of leases
     */
    static PeerProcesses start(LocalNodes nodes, int count, Duration ttl)
            throws IOException, StartupException, SettingsException {
        var peers = new ArrayList<Peer>();
        for (int i = 1; i <= count; i++) {
            peers.add(new Peer(
                    nodes.node("n" + i, Tier.STORESVR, nodes.site().freeEndpoint("n" + i)),
                    nodes.site().freeEndpoint("n" + i)));
        }
        var cluster = UUID.randomUUID().toString();
        for (var peer : peers) {
            Files.writeString(peer.node().settings(), settings(peer, peers, ttl));
            var settings =
                    StoreSvrSettings.read(SettingsReader.ofFile(peer.node().settings()));
            nodes.<StartupException>prepare(() ->
                    StoreSvr.format(settings.data(), cluster, settings.peers().self(), settings.bootstrap()));
        }
        peers.forEach(peer -> peer.node().start());
        return new PeerProcesses(List.copyOf(peers));
    }

    /** JSON is YAML too, and quotes whatever stands in a path. */
    private static String settings(Peer own, List<Peer> all, Duration ttl) {
        var others = new JsonArray();
        all.stream().filter(peer -> !peer.equals(own)).map(Peer::json).forEach(others::add);
        var settings = own.json()
                .put("data", own.node().directory().resolve("data").toString())
                .put("bootstrap", new JsonObject().put("ttl", ttl.toMillis() + "ms"));
        return (others.isEmpty() ? settings : settings.put("other_peers", others)).encodePrettily();
    }

    /** Waits until each says that it is ready. */
    void awaitReady() {
        nodes().forEach(node -> node.awaitReady(READY_WITHIN));
    }

    List<LocalNode> nodes() {
        return peers.stream().map(Peer::node).toList();
    }

    List<HostPort> addresses() {
        return nodes().stream().map(PeerProcesses::address).toList();
    }

    static HostPort address(LocalNode node) {
        return new HostPort(node.endpoint().host(), node.endpoint().port());
    }
}
