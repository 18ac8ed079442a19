package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A web page that somebody looks at takes no numbers, and lifts nobody, at a node that its browser can reach. */
@Timeout(20)
class OtherOriginTest {
    private static final String USER_7 = "/v1/namespaces/messages/users/7";

    private final TestPort port = new TestPort();
    private final PlainClient client = new PlainClient(port, HttpClient.Version.HTTP_1_1);
    private final AtomicInteger taken = new AtomicInteger();

    OtherOriginTest() {
        port.onNext((request, timeout, caller) -> {
            taken.incrementAndGet();
            return Future.succeededFuture(TestPort.reply(request));
        });
    }

    @AfterEach
    void close() {
        port.close();
    }

    private HttpRequest.Builder from(String site, String origin, String path) {
        var request = client.request(path);
        if (!site.isEmpty()) {
            request.header("Sec-Fetch-Site", site);
        }
        if (!origin.isEmpty()) {
            request.header("Origin", origin);
        }
        return request;
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site, http://evil.example",
        "cross-site, ''",
        "same-site, http://evil.example",
        "'', http://evil.example",
        "'', http://evil.example:7700",
        "'', http://127.0.0.1.evil.example",
        "same-site, http://127.0.0.1:3000",
        "'', null",
    })
    void aWriteOfAPageOfAnotherOriginIsRefused(String site, String origin) {
        var response = client.send(from(site, origin, USER_7 + ":next").POST(BodyPublishers.noBody()));
        assertEquals(
                "sec-fetch-site is '" + site + "' and origin '" + origin
                        + "'; web pages may write from this server's own origin only",
                PlainClient.assertError(403, GrpcStatus.PERMISSION_DENIED, ErrorReason.OTHER_ORIGIN, response));
        assertEquals(0, taken.get());
        assertEquals(1, port.refused(ErrorReason.OTHER_ORIGIN));
    }

    /** The second is behind a proxy that calls itself otherwise. */
    @ParameterizedTest
    @CsvSource({"same-origin, http://127.0.0.1", "same-origin, https://app.example", "none, ''", "'', OWN"})
    void anyOtherIsServed(String site, String named) {
        var origin = named.replace("OWN", "http://127.0.0.1:" + port.address().port());
        var response = client.send(from(site, origin, USER_7 + ":next").POST(BodyPublishers.noBody()));
        assertEquals(200, response.statusCode(), response::body);
        assertEquals(1, taken.get());
    }

    /** No page of another origin is shown what it is answered. */
    @Test
    void readingChangesNothing() {
        assertEquals(
                200,
                client.send(from("cross-site", "http://evil.example", USER_7).GET())
                        .statusCode());
    }
}
