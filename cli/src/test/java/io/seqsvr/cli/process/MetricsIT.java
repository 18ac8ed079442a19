package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What /metrics shows of a running cluster, and that operators can look every name up. */
@Timeout(120)
final class MetricsIT {
    private static final Pattern NAME = Pattern.compile("(?m)^# TYPE (seqsvr_\\w+) ");
    private static final String UID = "987654321";
    private static final Pattern RAISED =
            Pattern.compile("(?m)^seqsvr_raises_total\\{result=\"answered\",tier=\"allocsvr\"} [1-9]");
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @Test
    void everyNameIsDocumentedAndEveryDocumentedOneIsThere() throws IOException, InterruptedException {
        try (var cluster = DevCluster.startUnhurried(directory.resolve("data"))) {
            var endpoint = cluster.endpoint().toString();
            assertEquals(
                    0,
                    Cli.find()
                            .run("next", UID, "--count", "10000", "--endpoint", endpoint)
                            .exitCode());
            var text = scrapeWithTheRaise(endpoint);
            var documented = Files.readString(Launcher.find().home().resolve("docs/operations.md"));

            var shown = namesIn(NAME, text);
            shown.forEach(name -> assertTrue(documented.contains("`" + name + "`"), name + " is not documented"));
            // Those of the client library are shown by the application that it is part of.
            var promised = namesIn(Pattern.compile("(?m)^\\| `(seqsvr_(?!client_)\\w+)` \\|"), documented);
            assertEquals(promised, shown);

            assertTrue(text.contains("seqsvr_sequences_total{tier=\"allocsvr\"} 10000.0"), text);
            assertFalse(text.contains(UID), "a uid in the metrics");
        }
    }

    /** An answer does not wait for the raise that it set going. */
    private String scrapeWithTheRaise(String endpoint) throws IOException, InterruptedException {
        long start = System.nanoTime();
        var text = scrape(endpoint);
        while (!RAISED.matcher(text).find()) {
            var last = text;
            assertTrue(System.nanoTime() - start < WITHIN.toNanos(), () -> "no raise was answered: " + last);
            text = scrape(endpoint);
        }
        return text;
    }

    private static SortedSet<String> namesIn(Pattern pattern, String text) {
        var names = new TreeSet<String>();
        pattern.matcher(text).results().forEach(match -> names.add(match.group(1)));
        return names;
    }

    private String scrape(String endpoint) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://" + endpoint + "/metrics"))
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }
}
