package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a new cluster on one machine consists of before it runs. */
@Timeout(60)
final class LocalClusterTest {
    @TempDir
    private Path parent;

    private final List<Path> formatted = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();

    private static ClusterPlan plan(int stores, int allocators, int routers) {
        return new ClusterPlan(stores, allocators, routers, Duration.ofMillis(1_500), 1_000, 10);
    }

    private static JsonObject settings(LocalNode node) throws IOException {
        return new JsonObject(Files.readString(node.settings()));
    }

    @Test
    void everyNodeFindsTheStoreAndEveryPeerTheOthers() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var cluster = LocalCluster.<RuntimeException>in(nodes, plan(3, 2, 1), (file, id) -> {
                formatted.add(file);
                ids.add(id);
            });
            assertEquals(
                    List.of("store-1", "store-2", "store-3", "alloc-1", "alloc-2", "router-1"),
                    cluster.all().stream().map(LocalNode::name).toList());
            assertEquals(
                    cluster.all().size(),
                    new HashSet<>(cluster.all().stream()
                                    .map(LocalNode::endpoint)
                                    .toList())
                            .size());
            assertEquals(
                    cluster.of(Tier.STORESVR).stream().map(LocalNode::settings).toList(), formatted);
            assertEquals(1, new HashSet<>(ids).size(), "one cluster");

            var store = cluster.endpoints(Tier.STORESVR).stream()
                    .map(Endpoint::toString)
                    .toList();
            var alloc = settings(cluster.node("alloc-2").orElseThrow());
            assertEquals("alloc-2", alloc.getString("name"));
            assertEquals(store, alloc.getJsonArray("store").getList());
            var peer = settings(cluster.node("store-2").orElseThrow());
            assertEquals(store.get(1), peer.getString("listen"));
            assertEquals("1500ms", peer.getJsonObject("bootstrap").getString("ttl"));
            var others = peer.getJsonArray("other_peers");
            assertEquals(2, others.size());
            assertEquals("store-1", others.getJsonObject(0).getString("peer"));
            assertEquals(store.get(2), others.getJsonObject(1).getString("listen"));
        }
    }

    @Test
    void aSecondClusterLeavesTheFrontDoorToTheFirst() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var first = nodes.site().endpointAt("n", 7_700);
            var second = nodes.site().endpointAt("n", 7_700);
            assertTrue(second.port() != 7_700 && !second.equals(first), second::toString);
        }
    }

    @Test
    void aClusterOfNobodyIsNone() {
        assertEquals(List.of(), plan(1, 1, 1).problems());
        assertEquals(
                List.of("--store is 0; it must be from 1 to 9", "--router is 10; it must be from 1 to 9"),
                plan(0, 1, 10).problems());
    }
}
