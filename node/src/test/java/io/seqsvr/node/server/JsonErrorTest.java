package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors as JSON: always a google.rpc.Status with code, message and reason, under the right HTTP status. */
@Timeout(20)
class JsonErrorTest {
    private static final String USERS = "/v1/namespaces/messages/users/";
    private static final String NEXT_7 = USERS + "7:next";

    private final TestPort port = new TestPort();
    private PlainClient client = new PlainClient(port, HttpClient.Version.HTTP_1_1);

    @AfterEach
    void close() {
        port.close();
    }

    private static String assertMalformed(HttpResponse<String> response) {
        return PlainClient.assertError(400, GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, response);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "18446744073709551616", "1.5", "0x10", "7,8"})
    void uidThatIsNoNumberIsRefusedByNameAndValue(String uid) {
        for (var response : new HttpResponse<?>[] {client.get(USERS + uid), client.post(USERS + uid + ":next", "")}) {
            var body = String.valueOf(response.body());
            assertEquals(400, response.statusCode(), body);
            assertEquals(
                    "uid is '" + uid + "'; it must be a whole number from 0 to 18446744073709551615",
                    PlainClient.status(body).getMessage());
            assertEquals(
                    Map.of("field", "uid"),
                    PlainClient.info(PlainClient.status(body)).getMetadataMap());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{", "[]", "5", "null", "\"count\"", "{\"count\":}", "{\"count\":5", "count=5", "{\"count\":5]"})
    void bodyThatIsNoJsonObjectIsRefused(String body) {
        var message = assertMalformed(client.post(NEXT_7, body));
        assertTrue(message.startsWith("the body is no JSON of a NextRequest: "), message);
    }

    /** Half a million empty items would fit, and take fifty times as much once they are parsed. */
    @Test
    void aBodyOfMoreValuesThanManyUsersNeedIsRefusedBeforeItIsParsed() {
        var path = "/v1/namespaces/messages:nextMany";
        var message = assertMalformed(client.post(path, "{\"items\":[" + "{},".repeat(500_000) + "no JSON"));
        assertEquals("the body has more than 200000 values; ask for fewer users at a time", message);
        var whole = "{\"uid\":\"18446744073709551615\",\"count\":1,\"minEpoch\":\"1\",\"atLeast\":\"1\"},";
        var many = client.post(path, "{\"items\":[" + whole.repeat(9_999) + "{}]}");
        assertEquals(200, many.statusCode(), many::body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"count\":\"many\"}",
                "{\"count\":1.5}",
                "{\"count\":true}",
                "{\"count\":[5,6]}",
                "{\"count\":9223372036854775808}",
                "{\"uid\":-1}",
                "{\"namespace\":{}}"
            })
    void valueOfTheWrongTypeIsRefused(String body) {
        assertMalformed(client.post(NEXT_7, body));
    }

    /** Ten to that power, written out, would occupy the event loop for minutes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"count\":1e99999999}",
                "{\"uid\":1e99999999}",
                "{\"uid\":\"1e99999999\"}",
                "{\"uid\":1e-99999999}"
            })
    void numberWithAnAbsurdExponentIsRefusedAtOnce(String body) {
        assertMalformed(client.post(NEXT_7, body));
    }

    @Test
    void deepJsonIsRefused() {
        assertMalformed(client.post(NEXT_7, "{\"count\":" + "[".repeat(30_000)));
        assertMalformed(client.post(NEXT_7, "{\"count\":".repeat(7_000)));
    }

    @Test
    void unknownFieldAndUnknownParameterAreRefusedByName() {
        var field = assertMalformed(client.post(NEXT_7, "{\"amount\":5}"));
        assertTrue(field.contains("amount"), field);
        assertEquals("there is no query parameter 'amount' here", assertMalformed(client.get(USERS + "7?amount=5")));
        assertEquals("there is no query parameter 'count' here", assertMalformed(client.post(NEXT_7 + "?count=5", "")));
    }

    @Test
    void brokenPercentEncodingIsRefused() {
        for (var path : new String[] {"/v1/namespaces/a%zz/users/7", "/v1/namespaces/a%2/users/7", USERS + "7?x=%zz"}) {
            var response =
                    PlainClient.raw(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertTrue(response.startsWith("HTTP/1.1 400 "), () -> path + " was answered with " + response);
            assertTrue(response.contains("\"MALFORMED_REQUEST\""), response);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void bodyThatIsTooLargeIsRefusedAndTheNextRequestIsServed(HttpClient.Version version) {
        client = new PlainClient(port, version);
        for (int kilobytes : new int[] {2_049, 20_000}) {
            var response =
                    client.send(client.request(NEXT_7).POST(BodyPublishers.ofByteArray(new byte[kilobytes << 10])));
            assertEquals(
                    "the body is larger than 2097152 bytes",
                    PlainClient.assertError(413, GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, response));
            assertEquals(200, client.post(NEXT_7, "").statusCode());
        }
        assertEquals(2, port.refused(ErrorReason.MALFORMED_REQUEST));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/namespaces/messages/users/7:next, POST",
        "PUT, /v1/namespaces/messages/users/7:next, POST",
        "POST, /v1/namespaces/messages/users/7, GET",
        "DELETE, /v1/namespaces/messages/users/7, GET",
        "POST, /metrics, GET",
        "OPTIONS, /healthz, GET"
    })
    void wrongVerbIsToldTheRightOne(String verb, String path, String allowed) {
        var response = client.send(client.request(path).method(verb, BodyPublishers.noBody()));
        assertEquals(
                path + " answers " + allowed + ", not " + verb,
                PlainClient.assertError(405, GrpcStatus.UNIMPLEMENTED, ErrorReason.PATH_UNKNOWN, response));
        assertEquals(allowed, response.headers().firstValue("allow").orElse(""));
        assertEquals(1, port.refused(ErrorReason.PATH_UNKNOWN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1/namespaces/messages/users",
                "/v1/namespaces/messages/users/",
                "/v1/namespaces/messages/users/7/",
                "/v1/namespaces/messages/users/7:last",
                "/v1/namespaces//users/7",
                "/seqsvr.v1.Sequences/Next"
            })
    void unknownPathIsNotFound(String path) {
        assertEquals(
                "there is nothing at GET " + path,
                PlainClient.assertError(404, GrpcStatus.NOT_FOUND, ErrorReason.PATH_UNKNOWN, client.get(path)));
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, COUNT_OUT_OF_BOUNDS, 400",
        "OUT_OF_RANGE, UID_OUT_OF_RANGE, 400",
        "FAILED_PRECONDITION, NOT_OWNER, 400",
        "NOT_FOUND, NAMESPACE_UNKNOWN, 404",
        "RESOURCE_EXHAUSTED, TOO_MANY_WAITING, 429",
        "INTERNAL, INTERNAL_DEFECT, 500",
        "UNAVAILABLE, LEASE_EXPIRED, 503",
        "DEADLINE_EXCEEDED, DEADLINE_PASSED, 504"
    })
    void errorOfTheHandlerKeepsItsReason(GrpcStatus status, ErrorReason reason, int http) {
        port.onNext((request, timeout, caller) -> Future.failedFuture(RpcException.of(status, reason, "a sentence")));
        var response = client.post(NEXT_7, "");
        assertEquals("a sentence", PlainClient.assertError(http, status, reason, response));
        assertTrue(response.headers().firstValue("retry-after").isEmpty());
    }

    @Test
    void bodyOfAnErrorIsExactlyThis() {
        port.onNext((request, timeout, caller) -> Future.failedFuture(
                RpcException.ofField(GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", "uid is 7")));
        assertEquals(
                "{\"code\":11,\"message\":\"uid is 7\",\"details\":[{"
                        + "\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"UID_OUT_OF_RANGE\","
                        + "\"domain\":\"seqsvr\",\"metadata\":{\"field\":\"uid\"}}]}\n",
                client.post(NEXT_7, "").body());
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0s", "50, 1, 0.050s", "1000, 1, 1s", "1001, 2, 1.001s"})
    void delayOfARetryIsAHeaderInWholeSecondsAndADetail(long millis, String seconds, String detail) {
        port.onNext((request, timeout, caller) -> Future.failedFuture(
                RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "starting", millis)));
        var response = client.post(NEXT_7, "");
        assertEquals(seconds, response.headers().firstValue("retry-after").orElse(""));
        assertTrue(response.body().contains("\"retryDelay\":\"" + detail + "\""), response::body);
    }

    @Test
    void defectOfAHandlerTellsNothingOfItsInside() {
        port.onNext((request, timeout, caller) -> {
            throw new IllegalStateException("password=hunter2");
        });
        var response = client.post(NEXT_7, "");
        PlainClient.assertError(500, GrpcStatus.INTERNAL, ErrorReason.INTERNAL_DEFECT, response);
        assertFalse(response.body().contains("hunter2"));
    }
}
