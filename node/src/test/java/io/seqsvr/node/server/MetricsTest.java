package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.net.http.HttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code /metrics} shows of requests: verb, code and time, and nothing of a user. */
@Timeout(20)
class MetricsTest {
    private static final long UID = 8_675_309_421_337L;
    private static final String NEXT = "/v1/namespaces/recognizable/users/" + UID + ":next";

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);
    private final PlainClient plain = new PlainClient(port, HttpClient.Version.HTTP_1_1);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private String scrape() {
        return plain.get("/metrics").body();
    }

    private static String count(String verb, String code) {
        return "seqsvr_requests_seconds_count{code=\"" + code + "\",tier=\"router\",verb=\"" + verb + "\"} ";
    }

    private static void assertCounted(String verb, String code, int times, String scraped) {
        var line = count(verb, code) + times + "\n";
        assertTrue(scraped.contains(line), () -> line + " is not in " + scraped);
    }

    private NextRequest request() {
        return NextRequest.newBuilder().setNamespace("recognizable").setUid(UID).build();
    }

    @Test
    void callsAreCountedByVerbAndCodeWhetherTheyCameAsGrpcOrAsJson() {
        TestClient.await(client.call(SequencesRpc.NEXT, request()));
        plain.post(NEXT, "");
        TestClient.await(client.call(
                SequencesRpc.CURRENT,
                CurrentRequest.newBuilder()
                        .setNamespace("recognizable")
                        .setUid(UID)
                        .build()));
        port.onNext((request, timeout, caller) -> Future.failedFuture(RpcException.ofField(
                GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", "uid is " + request.getUid())));
        plain.post(NEXT, "");
        plain.post(NEXT, "{\"count\":\"" + UID + "?\"}");
        client.post(TestClient.NEXT, TestClient.frame((byte) 0x0a, (byte) 0x7f));

        var scraped = scrape();
        assertCounted("next", "OK", 2, scraped);
        assertCounted("current", "OK", 1, scraped);
        assertCounted("next", "OUT_OF_RANGE", 1, scraped);
        assertCounted("next", "INVALID_ARGUMENT", 2, scraped);
    }

    /** Else the first of them would be no rise. */
    @Test
    void howManyWereTurnedAwayForWantOfRoomIsShownBeforeThereIsOne() {
        var line = "seqsvr_requests_refused_total{reason=\"" + ErrorReason.TOO_MUCH_UNFINISHED
                + "\",tier=\"router\"} 0.0\n";
        var scraped = scrape();
        assertTrue(scraped.contains(line), scraped);
    }

    @Test
    void timesAreAHistogramWithBucketsFromATenthOfAMillisecondToFiveSeconds() {
        plain.post(NEXT, "");
        var scraped = scrape();
        for (var bound : new String[] {"1.0E-4", "0.001", "0.0025", "0.5", "5.0", "+Inf"}) {
            var bucket =
                    "seqsvr_requests_seconds_bucket{code=\"OK\",tier=\"router\",verb=\"next\",le=\"" + bound + "\"}";
            assertTrue(scraped.contains(bucket), () -> bucket + " is not in " + scraped);
        }
        assertTrue(scraped.contains("seqsvr_requests_seconds_sum{"), scraped);
    }

    @Test
    void nothingOfAUserIsInAnyLabel() {
        TestClient.await(client.call(SequencesRpc.NEXT, request()));
        plain.post(NEXT, "");
        plain.get("/v1/namespaces/recognizable/users/" + UID);
        plain.get("/v1/namespaces/recognizable/users/x" + UID);
        plain.get("/nothing/" + UID);
        client.post("/seqsvr.v1.Sequences/" + UID, TestClient.frame());
        var scraped = scrape();
        assertTrue(scraped.contains(count("next", "OK")), scraped);
        assertFalse(scraped.contains(Long.toString(UID)), scraped);
        assertFalse(scraped.contains("recognizable"), scraped);
    }

    @Test
    void pageIsOfTheFormatThatPrometheusReads() {
        var page = plain.get("/metrics");
        assertEquals(200, page.statusCode());
        assertEquals(
                "text/plain; version=0.0.4; charset=utf-8",
                page.headers().firstValue("content-type").orElse(""));
    }
}
