package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tester makes and breaks proxies by the HTTP API of Toxiproxy. */
@Timeout(300)
final class ChaosProxyIT {
    private static final String LISTENS = "the API listens on ";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path said;

    @Test
    void aProxyIsMadeBrokenAndHealed() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try (var command = new WatchedProcess(said, List.of("chaos", "proxy", "--port", "0"))) {
            command.awaitOut(LISTENS);
            var api = "http://" + command.out().strip().substring(LISTENS.length());
            var plan = new JsonObject()
                    .put("name", "door")
                    .put("upstream", "127.0.0.1:" + server.getAddress().getPort());
            var made = post(api + "/proxies", plan);
            var door = "http://" + made.getString("listen") + "/";
            assertEquals(204, get(door));

            post(api + "/proxies/door", new JsonObject().put("enabled", false));
            assertThrows(IOException.class, () -> get(door));
            post(api + "/proxies/door", new JsonObject().put("enabled", true));
            assertEquals(204, get(door));
            assertEquals(200, get(api + "/proxies/door/counts"));

            command.terminate();
            assertTrue(command.awaitEnd() == 0 || command.awaitEnd() == 128 + 15, command::toString);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var port = Integer.toString(server.getAddress().getPort());
        try (var command = new WatchedProcess(said, List.of("chaos", "proxy", "--port", port))) {
            assertEquals(1, command.awaitEnd(), command::toString);
            assertTrue(command.err().contains("the API cannot listen on 127.0.0.1:" + port), command::toString);
        } finally {
            server.stop(0);
        }
    }

    private int get(String uri) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private JsonObject post(String uri, JsonObject body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(uri))
                .POST(BodyPublishers.ofString(body.encode()))
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertTrue(answer.statusCode() < 300, answer::body);
        return new JsonObject(answer.body());
    }
}
