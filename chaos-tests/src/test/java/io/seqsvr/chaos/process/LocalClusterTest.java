package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a new cluster on one machine consists of before it runs. */
@Timeout(60)
final class LocalClusterTest {
    @TempDir
    private Path parent;

    private static ClusterPlan plan(int stores, int allocators, int routers) {
        return new ClusterPlan(stores, allocators, routers, Duration.ofMillis(1_500), new NamespacePlan(1_000, 10));
    }

    private static JsonObject settings(LocalNode node) throws IOException {
        return new JsonObject(Files.readString(node.settings()));
    }

    @Test
    void everyNodeFindsTheStoreAndEveryPeerTheOthers() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var cluster = LocalCluster.in(nodes, plan(3, 2, 1));
            assertEquals(
                    List.of("store-1", "store-2", "store-3", "alloc-1", "alloc-2", "router-1"),
                    cluster.all().stream().map(LocalNode::name).toList());
            assertEquals(
                    cluster.all().size(),
                    new HashSet<>(cluster.all().stream()
                                    .map(LocalNode::endpoint)
                                    .toList())
                            .size());
            var ids = new HashSet<String>();
            for (var peer : cluster.of(Tier.STORESVR)) {
                var words = Files.readString(Path.of(peer.settings() + ".done"));
                assertEquals("store bootstrap --config " + peer.settings() + " --never-started", words);
                ids.add(settings(peer).getString("cluster_id"));
            }
            assertEquals(1, ids.size(), "one cluster");

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

    /** As a rehearsal is, which may go on beside a cluster that is about to start. */
    @Test
    void aClusterThatNobodyIsToFindLeavesTheFrontDoorToOthers() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var cluster = LocalCluster.<RuntimeException>in(nodes, plan(1, 1, 1), (settings, clusterId) -> {});
            assertNotEquals(7700, cluster.endpoints(Tier.ROUTER).get(0).port());
        }
    }

    @Test
    void aPeerWhoseDataIsLostIsReplacedByAnotherOneOnItsHost() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var cluster = LocalCluster.in(nodes, plan(3, 1, 0));
            var lost = cluster.node("store-2").orElseThrow();
            var before = cluster.endpoints(Tier.STORESVR);
            Files.createDirectories(lost.data().resolve("raft"));
            Files.writeString(lost.data().resolve("raft").resolve("log"), "what is left");

            cluster.replace(lost);
            assertFalse(Files.exists(lost.data()));
            assertEquals(Optional.of(lost), cluster.peer("store-2-2"));
            assertEquals(Optional.empty(), cluster.peer("store-2"));
            var settings = settings(lost);
            assertEquals("store-2-2", settings.getString("peer"));
            assertFalse(before.contains(lost.endpoint()), "an address of its own");
            assertEquals(lost.endpoint().toString(), settings.getString("listen"));
            assertFalse(settings.containsKey("other_peers"), settings::encode);
            assertEquals(
                    "store replace --config " + lost.settings() + " --old store-2 --store " + before.get(0) + ","
                            + before.get(2),
                    Files.readString(Path.of(lost.settings() + ".done")));
            var alloc = settings(cluster.node("alloc-1").orElseThrow());
            assertEquals(lost.endpoint().toString(), alloc.getJsonArray("store").getString(1));
        }
    }

    @Test
    void aPeerLeavesTheGroupAndAnotherOneJoinsOnItsHost() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var cluster = LocalCluster.in(nodes, plan(3, 1, 0));
            var node = cluster.node("store-2").orElseThrow();
            var before = cluster.endpoints(Tier.STORESVR);

            var told = assertThrows(NodeFailure.class, () -> cluster.remove(node));
            assertTrue(
                    String.valueOf(told.getMessage())
                            .endsWith("asked for store remove --peer store-2 --store " + before.get(0) + ","
                                    + before.get(2)),
                    told::toString);
            assertEquals(Optional.of(node), cluster.peer("store-2"), "until another one takes its place");
            cluster.join(node);
            assertEquals(Optional.of(node), cluster.peer("store-2-2"));
            assertEquals(
                    "store join --config " + node.settings() + " --store " + before.get(0) + "," + before.get(2),
                    Files.readString(Path.of(node.settings() + ".done")));
            var alloc = settings(cluster.node("alloc-1").orElseThrow());
            assertEquals(node.endpoint().toString(), alloc.getJsonArray("store").getString(1));
        }
    }

    @Test
    void aCommandThatFailsSaysWhichAndWhy() throws IOException {
        try (var nodes = LocalNodes.in(parent, "nodes-", new JavaProgram(FakeNode.class.getName()))) {
            var words = List.of("move", "--config", nodes.directory() + "/none");
            var failure = assertThrows(NodeFailure.class, () -> nodes.operate(words, Duration.ofSeconds(40)));
            var said = String.valueOf(failure.getMessage());
            assertTrue(said.startsWith("'seqsvr move --config " + words.get(2) + "' ended with 1: "), said);
            assertTrue(said.contains("NoSuchFileException"), said);
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
