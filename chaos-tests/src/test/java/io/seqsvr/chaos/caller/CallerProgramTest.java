package io.seqsvr.chaos.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application answers whoever watches it, whether anybody answers it or not. */
@Timeout(60)
final class CallerProgramTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @AutoClose
    private final CallerProgram program =
            new CallerProgram(CallerProgram.settings("127.0.0.1:0", List.of("127.0.0.1:1"), "default"));

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + program.port() + path);
        return http.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void itTellsThatItRunsAndWhatTheClientSaid() throws Exception {
        assertEquals(200, send("GET", "/healthz").statusCode());
        assertEquals(404, send("GET", "/elsewhere").statusCode());
        var refused = send("POST", "/next?uid=5");
        assertEquals(503, refused.statusCode());
        assertTrue(refused.body().contains("SequenceException"), refused::body);
    }
}
