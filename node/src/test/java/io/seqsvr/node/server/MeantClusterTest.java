package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.proto.rpc.ClusterHeader;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.MultiMap;
import io.vertx.grpc.common.GrpcStatus;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that say which cluster they mean: another process may have the address since they learned it. */
@Timeout(30)
class MeantClusterTest {
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();
    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";

    private volatile Optional<String> cluster = Optional.of("cluster-1");
    private final TestPort port = TestPort.ofCluster(() -> cluster);
    private final TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static MultiMap meaning(String clusterId) {
        return MultiMap.caseInsensitiveMultiMap().add(ClusterHeader.NAME, clusterId);
    }

    private GrpcAnswer next(MultiMap headers) {
        return client.post(TestClient.NEXT, headers, TestClient.frame(REQUEST));
    }

    @Test
    void whoeverMeansThisClusterOrAnyIsServed() {
        assertEquals(TestPort.reply(REQUEST), next(meaning("cluster-1")).only(SequencesRpc.NEXT));
        assertEquals(TestPort.reply(REQUEST), next(meaning("")).only(SequencesRpc.NEXT));
        assertEquals(
                TestPort.reply(REQUEST),
                client.post(TestClient.NEXT, TestClient.frame(REQUEST)).only(SequencesRpc.NEXT));
    }

    @Test
    void whoeverMeansAnotherOneIsRefused() {
        var answer = next(meaning("cluster-2"));
        answer.assertError(
                GrpcStatus.FAILED_PRECONDITION,
                ErrorReason.OTHER_CLUSTER,
                "seqsvr-cluster-id is 'cluster-2', but this server is of cluster cluster-1");
    }

    @Test
    void soIsAStreamAndWhatIsSentOverItIsNotTaken() throws Exception {
        var stream = GrpcStream.open(client, ALLOCATE, meaning("cluster-2"));
        stream.send(REQUEST);
        assertEquals(GrpcStatus.FAILED_PRECONDITION, TestClient.await(stream.ended()));
        assertEquals(true, stream.nothingCame());
    }

    @Test
    void andJson() {
        var plain = new PlainClient(port, Version.HTTP_1_1);
        var request = plain.request("/v1/namespaces/messages/users/7:next")
                .header(ClusterHeader.NAME, "cluster-2")
                .POST(BodyPublishers.ofString("{}"));
        PlainClient.assertError(400, GrpcStatus.FAILED_PRECONDITION, ErrorReason.OTHER_CLUSTER, plain.send(request));
    }

    /** It is not asked once more when it has learned it, and a stream may live for days. */
    @Test
    void whoDoesNotKnowItsClusterYetHasThemComeAgain() throws Exception {
        cluster = Optional.empty();
        next(meaning("cluster-2"))
                .assertError(
                        GrpcStatus.UNAVAILABLE,
                        ErrorReason.NOT_READY,
                        "this server does not know yet whether it is of cluster cluster-2");
        var stream = GrpcStream.open(client, ALLOCATE, meaning("cluster-2"));
        stream.send(REQUEST);
        assertEquals(GrpcStatus.UNAVAILABLE, TestClient.await(stream.ended()));
        assertEquals(GrpcStatus.OK, next(meaning("")).status());
        cluster = Optional.of("cluster-2");
        assertEquals(GrpcStatus.OK, next(meaning("cluster-2")).status());
    }

    /** A probe or a scraper behind a proxy that puts the header on everything. */
    @Test
    void healthAndMetricsAreForWhoeverAsks() {
        var plain = new PlainClient(port, Version.HTTP_1_1);
        for (var path : List.of("/healthz", "/metrics")) {
            var request =
                    plain.request(path).header(ClusterHeader.NAME, "cluster-2").GET();
            assertEquals(200, plain.send(request).statusCode(), path);
        }
    }
}
