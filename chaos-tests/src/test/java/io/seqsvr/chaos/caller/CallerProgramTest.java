package io.seqsvr.chaos.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    /** Whoever started it waits for it, and reads what it says. */
    @Test
    void whereItCannotListenItsProcessEndsAndSaysWhy(@TempDir Path directory) throws IOException {
        var taken = "127.0.0.1:" + program.port();
        var settings = directory.resolve("caller.json");
        Files.writeString(
                settings,
                CallerProgram.settings(taken, List.of("127.0.0.1:1"), "default").encode());
        var command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CallerProgram.class.getName(),
                settings.toString());
        var ended = Finished.run(command, Duration.ofSeconds(40));
        assertEquals(1, ended.exitCode());
        assertTrue(ended.stderr().contains("cannot listen on " + taken), ended::stderr);
    }
}
