package io.seqsvr.chaos.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Endpoint;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client of Toxiproxy asks, and what it is told. */
@Timeout(60)
final class ToxicApiTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final TcpServer server = TcpServer.echo();
    private final FaultProxy proxy = new FaultProxy(CallerNames.none(), new SplittableRandom(1));
    private final Endpoint api = proxy.serve(0);

    /** What came back. */
    private record Reply(int status, String body) {
        JsonObject json() {
            return new JsonObject(body);
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void theVersionIsToldToAllButBrowsers() throws Exception {
        assertEquals(200, ask("GET", "/version", "").status());
        assertTrue(ask("GET", "/version", "").json().containsKey("version"));
        var browser = HttpRequest.newBuilder(URI.create("http://" + api + "/version"))
                .header("User-Agent", "Mozilla/5.0")
                .build();
        assertEquals(403, http.send(browser, BodyHandlers.ofString()).statusCode());
    }

    @Test
    void aProxyIsMadeShownChangedAndDeleted() throws Exception {
        var made = create("echo");
        assertEquals(201, made.status());
        assertEquals("echo", made.json().getString("name"));
        assertEquals(server.endpoint().toString(), made.json().getString("upstream"));
        assertEquals(true, made.json().getBoolean("enabled"));
        assertEquals(new JsonArray(), made.json().getJsonArray("toxics"));
        var door = Endpoint.parse(made.json().getString("listen"));
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
        }
        assertEquals(made.json(), ask("GET", "/proxies/echo", "").json());
        assertEquals(made.json(), ask("GET", "/proxies", "").json().getJsonObject("echo"));

        var down = ask("POST", "/proxies/echo", "{\"enabled\": false}");
        assertEquals(200, down.status());
        assertEquals(made.json().put("enabled", false), down.json());
        assertThrows(ConnectException.class, () -> new Caller(door));

        assertEquals(new Reply(204, ""), ask("DELETE", "/proxies/echo", ""));
        assertEquals(404, ask("GET", "/proxies/echo", "").status());
        assertEquals(new JsonObject(), ask("GET", "/proxies", "").json());
    }

    @Test
    void aProxyLeadsToAnotherServerAfterAnUpdate() throws Exception {
        try (var other = new TcpServer(socket -> socket.getOutputStream().write("other".getBytes(UTF_8)))) {
            var door = Endpoint.parse(create("echo").json().getString("listen"));
            ask(
                    "PATCH",
                    "/proxies/echo",
                    new JsonObject()
                            .put("upstream", other.endpoint().toString())
                            .encode());
            try (var caller = new Caller(door)) {
                assertEquals("other", caller.hear(10));
            }
        }
    }

    @Test
    void aToxicIsAddedShownChangedAndDeleted() throws Exception {
        create("echo");
        var added = ask(
                "POST",
                "/proxies/echo/toxics",
                "{\"type\": \"latency\", \"attributes\": {\"latency\": 20, \"jitter\": 5}}");
        assertEquals(200, added.status());
        assertEquals(new JsonObject("""
                        {"name": "latency_downstream", "type": "latency", "stream": "downstream", "toxicity": 1.0,
                         "attributes": {"latency": 20, "jitter": 5}}"""), added.json());
        assertEquals(
                added.json(),
                ask("GET", "/proxies/echo/toxics/latency_downstream", "").json());
        assertEquals(
                new JsonArray().add(added.json()),
                new JsonArray(ask("GET", "/proxies/echo/toxics", "").body()));
        assertEquals(
                new JsonArray().add(added.json()),
                ask("GET", "/proxies/echo", "").json().getJsonArray("toxics"));

        var changed = ask(
                "POST",
                "/proxies/echo/toxics/latency_downstream",
                "{\"attributes\": {\"latency\": 30}, \"toxicity\": 0.5}");
        assertEquals(200, changed.status());
        assertEquals(
                new JsonObject("{\"latency\": 30, \"jitter\": 5}"),
                changed.json().getJsonObject("attributes"));
        assertEquals(0.5, changed.json().getDouble("toxicity"));

        assertEquals(new Reply(204, ""), ask("DELETE", "/proxies/echo/toxics/latency_downstream", ""));
        assertEquals("[]\n", ask("GET", "/proxies/echo/toxics", "").body());
    }

    @Test
    void everyTypeComesBackAsItWasSent() throws Exception {
        create("echo");
        for (String toxic : List.of(
                "{'type': 'latency', 'attributes': {'latency': 1, 'jitter': 2}}",
                "{'type': 'bandwidth', 'attributes': {'rate': 1}}",
                "{'type': 'slow_close', 'attributes': {'delay': 1}}",
                "{'type': 'timeout', 'attributes': {'timeout': 1}}",
                "{'type': 'reset_peer', 'attributes': {'timeout': 1}}",
                "{'type': 'slicer', 'attributes': {'average_size': 3, 'size_variation': 2, 'delay': 1}}",
                "{'type': 'limit_data', 'attributes': {'bytes': 1}}",
                "{'type': 'blackhole', 'attributes': {}, 'callers': ['n1', 'n2']}")) {
            var sent = new JsonObject(toxic.replace('\'', '"')).put("stream", "upstream");
            var added = ask("POST", "/proxies/echo/toxics", sent.encode());
            assertEquals(200, added.status(), added::body);
            assertEquals(
                    sent.copy()
                            .put("name", sent.getString("type") + "_upstream")
                            .put("toxicity", 1.0),
                    added.json());
        }
    }

    @Test
    void aToxicOfTheApiStrikesAndItsCountsSaySo() throws Exception {
        var door = Endpoint.parse(create("echo").json().getString("listen"));
        ask("POST", "/proxies/echo/toxics", "{\"name\": \"hole\", \"type\": \"blackhole\"}");
        ask("POST", "/proxies/echo/toxics", "{\"type\": \"slow_close\", \"attributes\": {\"delay\": 1}}");
        try (var caller = new Caller(door)) {
            caller.say("hello");
            Await.until("held", () -> proxy.counts("echo").upstream().held() == 5);
            var counts = ask("GET", "/proxies/echo/counts", "").json();
            assertEquals(5, counts.getJsonObject("upstream").getInteger("held_bytes"));
            assertEquals(1, counts.getInteger("open"));
            assertEquals(1, counts.getJsonObject("open_by_caller").getInteger(CallerNames.UNKNOWN));

            assertEquals(new Reply(204, ""), ask("POST", "/reset", ""));
            assertEquals("hello", caller.hear(5));
            assertEquals("[]\n", ask("GET", "/proxies/echo/toxics", "").body());
        }
    }

    @Test
    void aResetEnablesWhatWasDown() throws Exception {
        var door = Endpoint.parse(create("echo").json().getString("listen"));
        ask("POST", "/proxies/echo", "{\"enabled\": false}");
        ask("POST", "/reset", "");
        try (var caller = new Caller(door)) {
            assertEquals("hello", caller.echo("hello"));
        }
    }

    @Test
    void populateMakesWhatIsMissingAndKeepsTheToxicsOfWhatIsThere() throws Exception {
        var listen = create("echo").json().getString("listen");
        ask("POST", "/proxies/echo/toxics", "{\"type\": \"slow_close\"}");
        var wanted = new JsonArray()
                .add(new JsonObject()
                        .put("name", "echo")
                        .put("listen", listen)
                        .put("upstream", server.endpoint().toString()))
                .add(new JsonObject().put("name", "more").put("upstream", "127.0.0.1:1"));
        var populated = ask("POST", "/populate", wanted.encode());
        assertEquals(201, populated.status());
        var proxies = populated.json().getJsonArray("proxies");
        assertEquals(2, proxies.size());
        assertEquals(1, proxies.getJsonObject(0).getJsonArray("toxics").size());
        assertEquals("more", proxies.getJsonObject(1).getString("name"));

        wanted.getJsonObject(0).put("upstream", "127.0.0.1:1");
        ask("POST", "/populate", wanted.encode());
        assertEquals("[]\n", ask("GET", "/proxies/echo/toxics", "").body());
        var incomplete = ask("POST", "/populate", "[{\"name\": \"a\"}]");
        assertEquals(
                "missing required field: upstream at proxy 1", incomplete.json().getString("error"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | /proxies/other | | 404 | proxy not found",
                "DELETE | /proxies/other | | 404 | proxy not found",
                "POST | /proxies/other/toxics | {} | 404 | proxy not found",
                "GET | /proxies/echo/toxics/other | | 404 | toxic not found",
                "DELETE | /proxies/echo/toxics/other | | 404 | toxic not found",
                "GET | /nowhere | | 404 | no such path",
                "DELETE | /proxies | | 405 | does not take DELETE",
                "POST | /proxies | { | 400 | bad request body",
                "POST | /proxies | {\"name\": \"a\"} | 400 | missing required field",
                "POST | /proxies | {\"name\": 1} | 400 | must be a string",
                "POST | /proxies | {\"name\": \"echo\", \"upstream\": \"a:1\"} | 409 | already exists",
                "POST | /proxies | {\"name\": \"b\", \"upstream\": \"a\"} | 400 | HOST:PORT",
                "POST | /proxies/echo/toxics | {\"type\": \"other\"} | 400 | invalid toxic type",
                "POST | /proxies/echo/toxics | {\"stream\": \"up\"} | 400 | stream was invalid",
                "POST | /proxies/echo/toxics | {\"type\": \"bandwidth\"} | 400 | rate is 0",
                "POST | /proxies/echo/toxics | {\"type\": \"timeout\", \"toxicity\": 2} | 400 | toxicity is 2.0",
                "POST | /proxies/echo/toxics | {\"type\": \"blackhole\", \"name\": \"there\"} | 409 | already exists",
                "POST | /populate | {} | 400 | no JSON array",
            })
    void whatCannotBeIsAnErrorThatSaysWhy(String verb, String path, String body, int status, String why)
            throws Exception {
        create("echo");
        ask("POST", "/proxies/echo/toxics", "{\"type\": \"slow_close\", \"name\": \"there\"}");
        var refused = ask(verb, path, body == null ? "" : body);
        assertEquals(status, refused.status(), refused::body);
        assertEquals(status, refused.json().getInteger("status"));
        assertTrue(refused.json().getString("error").contains(why), refused::body);
    }

    private Reply create(String name) throws Exception {
        var wanted = new JsonObject()
                .put("name", name)
                .put("listen", "localhost:0")
                .put("upstream", server.endpoint().toString());
        return ask("POST", "/proxies", wanted.encode());
    }

    private Reply ask(String verb, String path, String body) throws Exception {
        var publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create("http://" + api + path))
                .method(verb, publisher)
                .build();
        var reply = http.send(request, BodyHandlers.ofString());
        return new Reply(reply.statusCode(), reply.body());
    }
}
