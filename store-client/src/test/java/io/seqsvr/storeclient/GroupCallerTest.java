package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looking at a group before it is changed: who leads, or why nobody can say. */
class GroupCallerTest {
    private static final HostPort N1 = new HostPort("127.0.0.1", 1);

    private final Loop loop = new Loop();
    private final AtomicInteger looks = new AtomicInteger();

    @AfterEach
    void close() {
        loop.close();
    }

    private static StatusReply status(String cluster, boolean leads) {
        return StatusReply.newBuilder()
                .setPeerId("n1")
                .setClusterId(cluster)
                .setReady(leads)
                .addMembers(GroupMember.newBuilder()
                        .setPeerId("n1")
                        .setAddress(N1.toString())
                        .setRaft("127.0.0.1:2"))
                .build();
    }

    /** A peer that leads from when it was looked at so often. */
    private HostPort peer(String cluster, int followsFor) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return loop.result(() -> new NodeServer.Builder(loop.vertx(), registry, "storesvr")
                        .method(
                                StoreRpc.STATUS,
                                (request, timeout) ->
                                        Future.succeededFuture(status(cluster, looks.incrementAndGet() > followsFor)))
                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true)))
                .address();
    }

    private GroupPicture.Look look(Duration within, HostPort... peers) {
        return loop.result(() -> new GroupCaller(loop.vertx(), within).look(List.of(peers)));
    }

    @Test
    void whileThePeersElectTheLookWaitsForWhoWins() {
        var seen = look(Duration.ofSeconds(8), peer("one", 2));
        assertEquals(Optional.of("one"), seen.picture().map(GroupPicture::clusterId));
        assertEquals(3, looks.get());
    }

    @Test
    void ifNobodyWinsInTimeItSaysSo() {
        var seen = look(Duration.ofMillis(500), peer("one", Integer.MAX_VALUE));
        assertEquals(
                GroupPicture.Look.leaderless().failure(),
                seen.failure(),
                "after " + looks.get() + " looks: " + seen.picture());
    }

    @Test
    void peersOfTwoClustersAreToldAtOnce() {
        var seen = look(Duration.ofSeconds(8), peer("one", 0), peer("two", 0));
        assertEquals("the peers are of different clusters: one, two", seen.failure());
        assertEquals(2, looks.get());
    }
}
