package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in the Javadoc of {@link SequenceClient} is this code, line by line, and does what it says. */
@Timeout(60)
class SequenceClientExampleTest {
    private static final String SOURCES = "java/io/seqsvr/client/";

    private final LinkedBlockingQueue<Long> delivered = new LinkedBlockingQueue<>();

    private void deliver(long first, long last) {
        delivered.add(first);
        delivered.add(last);
    }

    @Test
    void itRuns() throws InterruptedException {
        try (var owner = new FakeOwner(FakeOwner.MESSAGES).byItself()) {
            var endpoint = owner.address();
            // The example.
            try (var client = SequenceClient.builder()
                    .endpoint(endpoint)
                    .namespace("messages")
                    .build()) {
                SequenceRange one = client.blocking().next(471);
                client.next(471, 3).thenAccept(three -> deliver(three.first(), three.last()));
                assertEquals(1, one.first());
            }
            assertEquals(2, delivered.poll(10, TimeUnit.SECONDS));
            assertEquals(4, delivered.poll(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void itIsWhatTheJavadocShows() throws IOException {
        var code = withoutSpace(Files.readString(Path.of("src/test", SOURCES, "SequenceClientExampleTest.java")))
                .replace(".endpoint(endpoint)", ".endpoint(\"127.0.0.1:7700\")");
        var javadoc = Files.readString(Path.of("src/main", SOURCES, "SequenceClient.java"));
        var example = javadoc.substring(javadoc.indexOf("<pre>{@code") + 11, javadoc.indexOf("}</pre>"));
        var lines = List.of(example.replace(" * ", "").strip().split("\n"));
        assertTrue(lines.size() > 3, example);
        for (var line : lines) {
            assertTrue(code.contains(withoutSpace(line)), line);
        }
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }
}
