package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls as JSON, over HTTP/1.1 and HTTP/2: what a person types into curl works. */
@Timeout(20)
class JsonCallTest {
    private static final String USER_7 = "/v1/namespaces/messages/users/7";
    private static final String NEXT_7 = USER_7 + ":next";

    private final TestPort port = new TestPort();
    private final BlockingQueue<NextRequest> seen = new LinkedBlockingQueue<>();
    private PlainClient client = new PlainClient(port, HttpClient.Version.HTTP_1_1);

    JsonCallTest() {
        port.onNext((request, timeout, caller) -> {
            seen.add(request);
            return Future.succeededFuture(TestPort.reply(request));
        });
    }

    @AfterEach
    void close() {
        port.close();
    }

    private static void assertOk(String json, HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response::body);
        assertEquals(json + "\n", response.body());
        assertEquals(
                "application/json",
                response.headers().firstValue("content-type").orElse(""));
    }

    private static NextRequest user7() {
        return NextRequest.newBuilder().setNamespace("messages").setUid(7).build();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void nextNeedsNeitherContentTypeNorBody(HttpClient.Version version) {
        client = new PlainClient(port, version);
        // Twice: the first request over HTTP/2 is an upgrade, the second one is not.
        for (int i = 0; i < 2; i++) {
            var response = client.post(NEXT_7, "");
            assertOk("{\"uid\":\"7\",\"first\":\"1\",\"last\":\"1\",\"epoch\":\"7\"}", response);
            assertEquals(version, response.version());
            assertEquals(user7(), seen.remove());
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void countIsTakenFromTheBodyAsTextAndAsNumber(HttpClient.Version version) {
        client = new PlainClient(port, version);
        for (var body :
                new String[] {"{\"count\":\"5\"}", "{\"count\":5}", " { \"count\" : 5.0 } \n", "{\"count\":5e0}"}) {
            assertOk("{\"uid\":\"7\",\"first\":\"1\",\"last\":\"5\",\"epoch\":\"7\"}", client.post(NEXT_7, body));
            assertEquals(user7().toBuilder().setCount(5).build(), seen.remove());
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void currentIsReadByGet(HttpClient.Version version) {
        client = new PlainClient(port, version);
        var asked = new LinkedBlockingQueue<CurrentRequest>();
        port.onCurrent((request, timeout, caller) -> {
            asked.add(request);
            return Future.succeededFuture(TestPort.reply(request));
        });
        assertOk("{\"uid\":\"7\",\"seq\":\"4711\",\"exactness\":\"UPPER_BOUND\",\"epoch\":\"7\"}", client.get(USER_7));
        assertEquals(
                CurrentRequest.newBuilder().setNamespace("messages").setUid(7).build(), asked.remove());
    }

    /** The second is what curl says of a body given with -d. */
    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-www-form-urlencoded", "text/plain", "nonsense"})
    void contentTypeOfABodyIsOfNoConcern(String contentType) {
        var response = client.send(client.request(NEXT_7)
                .header("content-type", contentType)
                .POST(BodyPublishers.ofString("{\"count\":\"2\"}")));
        assertEquals(200, response.statusCode(), response::body);
        assertEquals(2, seen.remove().getCount());
    }

    @Test
    void userZeroIsAUser() {
        assertOk(
                "{\"uid\":\"0\",\"first\":\"1\",\"last\":\"1\",\"epoch\":\"7\"}",
                client.post("/v1/namespaces/messages/users/0:next", ""));
        assertTrue(seen.remove().hasUid());
    }

    @Test
    void uidIsUnsigned() {
        var greatest = "18446744073709551615";
        assertOk(
                "{\"uid\":\"" + greatest + "\",\"first\":\"1\",\"last\":\"1\",\"epoch\":\"7\"}",
                client.post("/v1/namespaces/messages/users/" + greatest + ":next", ""));
        assertEquals(-1L, seen.remove().getUid());
    }

    @Test
    void namespaceMayBePercentEncoded() {
        assertEquals(
                200,
                client.post("/v1/namespaces/a%20b%2Fc%3Ad%C3%A4+%2B/users/7:next", "")
                        .statusCode());
        assertEquals("a b/c:dä++", seen.remove().getNamespace());
    }

    @Test
    void pathSaysMoreThanTheBody() {
        client.post(NEXT_7, "{\"uid\":\"9\",\"namespace\":\"other\",\"count\":2}");
        assertEquals(user7().toBuilder().setCount(2).build(), seen.remove());
    }

    @Test
    void fieldsOfAQueryHaveTheirNamesOfTheProtoOrOfJson() {
        for (var name : new String[] {"min_epoch", "minEpoch"}) {
            assertEquals(
                    200,
                    client.get(USER_7 + "?" + name + "=18446744073709551615").statusCode());
        }
        assertEquals(400, client.get(USER_7 + "?MinEpoch=1").statusCode());
    }

    @Test
    void bodyUpToTheBoundIsRead() {
        assertEquals(
                200,
                client.post(NEXT_7, " ".repeat((2 << 20) - 11) + "{\"count\":2}")
                        .statusCode());
        assertEquals(2, seen.remove().getCount());
    }

    @Test
    void callerThatAsksBeforeItSendsItsBodyIsTold() {
        var response =
                client.send(client.request(NEXT_7).expectContinue(true).POST(BodyPublishers.ofString("{\"count\":2}")));
        assertEquals(200, response.statusCode());
        assertEquals(2, seen.remove().getCount());
    }

    @Test
    void callerThatGoesAwayDoesNoHarm() throws Exception {
        var pending = new LinkedBlockingQueue<Promise<NextReply>>();
        port.onNext((request, timeout, caller) -> {
            Promise<NextReply> reply = Promise.promise();
            pending.add(reply);
            return reply.future();
        });
        leaveInTheMiddle("POST " + NEXT_7 + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        var call = pending.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        leaveInTheMiddle("POST " + NEXT_7 + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
        assertEquals(200, client.get(USER_7).statusCode());
        call.complete(TestPort.reply(user7()));
        assertEquals(200, client.get(USER_7).statusCode());
        assertTrue(pending.isEmpty());
    }

    private void leaveInTheMiddle(String bytes) throws IOException {
        try (var socket = new Socket(port.address().host(), port.address().port())) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            // Without its last chunk the port answers nothing and closes.
            assertFalse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains(" 200 "));
        }
    }

    @Test
    void healthzSaysWhatTheNodeSays() {
        assertOk("{\"status\":\"SERVING\"}", client.get("/healthz"));
        port.onHealth(() -> Future.succeededFuture(false));
        assertEquals(503, client.get("/healthz").statusCode());
        assertEquals("{\"status\":\"NOT_SERVING\"}\n", client.get("/healthz").body());
        port.onHealth(() -> Future.failedFuture("no answer"));
        assertEquals(503, client.get("/healthz").statusCode());
        port.onHealth(() -> {
            throw new IllegalStateException("a defect");
        });
        assertEquals(503, client.get("/healthz").statusCode());
    }
}
