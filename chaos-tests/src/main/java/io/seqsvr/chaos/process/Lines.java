package io.seqsvr.chaos.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Reads a stream of a process to its end on a thread of its own, so that the process never waits for a reader. */
final class Lines {
    private Lines() {}

    /** Completes after the last line; a stream that breaks ends there. */
    static CompletableFuture<Void> readAll(InputStream stream, String name, Consumer<String> each) {
        var ended = new CompletableFuture<Void>();
        var thread = new Thread(
                () -> {
                    try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        reader.lines().forEach(each);
                    } catch (IOException | UncheckedIOException broken) {
                        each.accept("(" + name + " broke: " + broken.getMessage() + ")");
                    } finally {
                        ended.complete(null);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return ended;
    }
}
