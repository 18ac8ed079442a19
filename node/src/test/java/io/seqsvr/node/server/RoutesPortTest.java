package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.GetRoutesRequest;
import io.seqsvr.proto.v1.RouteOwner;
import io.seqsvr.proto.v1.RoutesReply;
import io.seqsvr.proto.v1.WatchRoutesRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** GetRoutes and WatchRoutes over a real port, byte by byte. */
@Timeout(60)
class RoutesPortTest {
    private static final String GET = "/seqsvr.v1.Sequences/GetRoutes";
    private static final String WATCH = "/seqsvr.v1.Sequences/WatchRoutes";

    private RoutesPort port = new RoutesPort();
    private TestClient client = new TestClient(port.socket());

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private RoutesReply get(GetRoutesRequest.Builder request) {
        return client.post(GET, TestClient.frame(request.build())).only(RoutesRpc.GET);
    }

    private GrpcStream watch(WatchRoutesRequest.Builder request) {
        return watch(client, MultiMap.caseInsensitiveMultiMap(), request);
    }

    private static GrpcStream watch(TestClient caller, MultiMap headers, WatchRoutesRequest.Builder request) {
        var stream = GrpcStream.open(caller, WATCH, headers);
        stream.send(request.build());
        stream.halfClose();
        return stream;
    }

    private static RoutesReply next(GrpcStream stream) {
        return stream.take(RoutesReply.parser());
    }

    private void awaitWatchers(int wanted) {
        long startedAt = System.nanoTime();
        while (port.watchers() != wanted) {
            assertTrue(
                    System.nanoTime() - startedAt < TestClient.GENEROUS_MILLIS * 1_000_000,
                    () -> port.watchers() + " watch, not " + wanted);
            Thread.onSpinWait();
        }
    }

    @Test
    void aPictureHoldsWhatCallersNeedAndNoMore() {
        port.learn(RoutesPort.view(4_096, 4));
        var reply = get(GetRoutesRequest.newBuilder());
        assertEquals("cluster-1", reply.getClusterId());
        assertEquals(4_096, reply.getVersion());
        assertEquals(0, reply.getSince());
        assertEquals("messages", reply.getNamespaces(0).getName());
        assertEquals(
                List.of("10.0.0.1:7721", "10.0.0.2:7721"),
                reply.getOwnersList().stream().map(RouteOwner::getAddress).toList(),
                "routers own nothing");
        assertEquals(4, reply.getRangesCount());
        assertEquals(4_096, reply.getRanges(0).getEpoch());
    }

    @Test
    void whoNamesAVersionGetsWhatChangedSince() {
        port.learn(RoutesPort.view(4_096, 100));
        port.learn(RoutesPort.view(5_120, 100));
        var changes = get(GetRoutesRequest.newBuilder().setSince(4_096).setClusterId("cluster-1"));
        assertEquals(4_096, changes.getSince());
        assertEquals(5_120, changes.getVersion());
        assertEquals(1, changes.getRangesCount());
        assertEquals(0, get(GetRoutesRequest.newBuilder().setSince(7)).getSince(), "a version that is not known");
        assertEquals(5_120, get(GetRoutesRequest.newBuilder().setSince(5_120)).getSince());
    }

    private void assertRefused(GrpcAnswer answer, GrpcStatus status, ErrorReason reason) {
        assertEquals(status, answer.status());
        assertEquals(reason.name(), answer.info().getReason());
    }

    @Test
    void anotherClusterAnotherSetAndAServerThatKnowsNothingYetAreRefused() {
        var any = GetRoutesRequest.getDefaultInstance();
        var anyWatch = WatchRoutesRequest.getDefaultInstance();
        for (var answer :
                List.of(client.post(GET, TestClient.frame(any)), client.post(WATCH, TestClient.frame(anyWatch)))) {
            assertRefused(answer, GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY);
        }
        port.learn(RoutesPort.view(4_096, 4));
        var foreign = any.toBuilder().setClusterId("cluster-2").build();
        var foreignWatch = anyWatch.toBuilder().setClusterId("cluster-2").build();
        for (var answer : List.of(
                client.post(GET, TestClient.frame(foreign)), client.post(WATCH, TestClient.frame(foreignWatch)))) {
            assertRefused(answer, GrpcStatus.FAILED_PRECONDITION, ErrorReason.OTHER_CLUSTER);
        }
        var set = any.toBuilder().setSet(1).build();
        var setWatch = anyWatch.toBuilder().setSet(1).build();
        for (var answer :
                List.of(client.post(GET, TestClient.frame(set)), client.post(WATCH, TestClient.frame(setWatch)))) {
            assertRefused(answer, GrpcStatus.NOT_FOUND, ErrorReason.SET_UNKNOWN);
        }
        var broken = client.post(WATCH, TestClient.frame((byte) 0x0f));
        assertRefused(broken, GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST);
    }

    @Test
    void whoWatchesIsToldThePictureAndEachChange() {
        port.learn(RoutesPort.view(4_096, 100));
        var stream = watch(WatchRoutesRequest.newBuilder());
        assertEquals(100, next(stream).getRangesCount());
        port.learn(RoutesPort.view(5_120, 100));
        var change = next(stream);
        assertEquals(4_096, change.getSince());
        assertEquals(5_120, change.getVersion());
        assertEquals(1, change.getRangesCount());
        assertTrue(stream.nothingCame());
        stream.cancel();
        awaitWatchers(0);
        port.learn(RoutesPort.view(6_144, 100));
    }

    @Test
    void whoseConnectionBreaksIsForgotten() {
        port.learn(RoutesPort.view(4_096, 100));
        var stream = watch(WatchRoutesRequest.newBuilder());
        next(stream);
        awaitWatchers(1);
        stream.closeConnection();
        awaitWatchers(0);
        port.learn(RoutesPort.view(5_120, 100));
    }

    /** Flow control holds a large picture back; what changes meanwhile comes as one more message, not as many. */
    @Test
    void whoDoesNotReadHoldsNobodyUpAndGetsTheRestAtOnceLater() {
        port.learn(RoutesPort.view(4_096, 60_000));
        var stuck = watch(WatchRoutesRequest.newBuilder());
        stuck.pause();
        var quick = new TestClient(port.socket());
        try {
            var reads = watch(quick, MultiMap.caseInsensitiveMultiMap(), WatchRoutesRequest.newBuilder());
            assertEquals(60_000, next(reads).getRangesCount());
            for (int version = 5_000; version < 5_020; version++) {
                port.learn(RoutesPort.view(version, 60_000));
                assertEquals(version, next(reads).getVersion());
            }
        } finally {
            quick.close();
        }
        stuck.resume();
        long version = next(stuck).getVersion();
        int messages = 1;
        while (version < 5_019) {
            version = next(stuck).getVersion();
            messages++;
        }
        assertTrue(messages <= 3, messages + " messages for 20 changes");
    }

    /** Pictures of almost a megabyte, and callers who take in some kilobytes of them. */
    @Test
    void picturesOnTheirWayToWhoDoesNotReadAreFewAndNotForLong() {
        givesRoomForTwo("30S");
    }

    /** Once its call has failed the library resets no stream any more. */
    @Test
    void norAreThoseOfCallersWhoseDeadlineHasPassed() {
        givesRoomForTwo("100m");
    }

    private void givesRoomForTwo(String timeoutOfTheStuck) {
        close();
        port = new RoutesPort(2_000_000, 1_000);
        client = new TestClient(port.socket());
        port.learn(RoutesPort.view(4_096, 60_000));
        var headers = MultiMap.caseInsensitiveMultiMap().add("grpc-timeout", timeoutOfTheStuck);
        watch(client, headers, WatchRoutesRequest.newBuilder()).pause();
        var second = new TestClient(port.socket());
        var other = new TestClient(port.socket());
        try {
            watch(second, headers, WatchRoutesRequest.newBuilder()).pause();
            var reads = watch(other, MultiMap.caseInsensitiveMultiMap(), WatchRoutesRequest.newBuilder());
            assertEquals(60_000, next(reads).getRangesCount());
            assertTrue(port.watchers() < 3, "it was told before one of the others was given up");
            awaitWatchers(1);
        } finally {
            other.close();
            second.close();
        }
    }

    @Test
    void aStreamsDeadlineHoldsAndAProcessThatStopsSaysSo() {
        port.learn(RoutesPort.view(4_096, 4));
        var hurried = client.post(
                WATCH,
                MultiMap.caseInsensitiveMultiMap().add("grpc-timeout", "50m"),
                TestClient.frame(WatchRoutesRequest.getDefaultInstance()));
        assertEquals(GrpcStatus.DEADLINE_EXCEEDED, hurried.status());
        var stream = watch(WatchRoutesRequest.newBuilder());
        next(stream);
        port.stop();
        assertEquals(GrpcStatus.UNAVAILABLE, TestClient.await(stream.ended()));
    }

    @Test
    void theSameAsJson() throws IOException, InterruptedException {
        port.learn(RoutesPort.view(4_096, 100));
        port.learn(RoutesPort.view(5_120, 100));
        var changes = new JsonObject(json("/v1/routes?since=4096&set=0&cluster_id=cluster-1", 200));
        assertEquals("5120", changes.getString("version"));
        assertEquals(1, changes.getJsonArray("ranges").size());
        assertTrue(json("/v1/routes?cluster_id=cluster-2", 400).contains("OTHER_CLUSTER"));
        assertTrue(json("/v1/routes?set=1", 404).contains("SET_UNKNOWN"));
        assertTrue(json("/v1/routes?set=-1", 400).contains("4294967295"));
        assertFalse(json("/v1/routes", 200).contains("10.0.0.3"));
        port.learn(RoutesPort.view(6_144, 100_000));
        assertTrue(json("/v1/routes", 400).contains("REPLY_TOO_LONG"), "it would hold up the event loop");
        assertEquals(100_000, get(GetRoutesRequest.newBuilder()).getRangesCount());
    }

    private String json(String path, int status) throws IOException, InterruptedException {
        var answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + port.address() + path))
                                .build(),
                        BodyHandlers.ofString());
        assertEquals(status, answer.statusCode(), answer.body());
        return answer.body();
    }

    /** Answers on that stream would wait behind it. */
    @Test
    void whatIsLargeIsNotShownBesideARefusal() {
        port.learn(RoutesPort.view(4_096, 40_000));
        assertTrue(get(GetRoutesRequest.newBuilder()).getSerializedSize() > 256 << 10);
        assertTrue(port.newerThan(1).isEmpty(), "all of it");
        port.learn(RoutesPort.view(8_192, 40_000));
        var changes = RoutesCodec.decode(port.newerThan(4_096).orElseThrow());
        assertEquals(List.of(4_096L, 8_192L, 1), List.of(changes.since(), changes.version(), changes.size()));
    }
}
