package io.seqsvr.cli;

import io.seqsvr.proto.rpc.HostPort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks processes for their health, all at once. */
final class NodeHealth implements Function<List<HostPort>, Map<HostPort, NodeHealth.Said>> {
    private static final int SERVING = 200;

    /** What a process said. */
    enum Said {
        /** It can answer. */
        SERVING,
        /** It runs, and cannot answer now. */
        NOT_SERVING,
        /** Nothing, in time. */
        SILENT
    }

    private final HttpClient http;
    private final Duration timeout;

    /**
     * Asks nobody yet.
     *
     * @param timeout how long each may take
     */
    NodeHealth(Duration timeout) {
        this.http = HttpClient.newBuilder().connectTimeout(timeout).build();
        this.timeout = timeout;
    }

    @Override
    public Map<HostPort, Said> apply(List<HostPort> addresses) {
        var asked = addresses.stream().distinct().collect(Collectors.toMap(Function.identity(), this::ask));
        return asked.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().join()));
    }

    private CompletableFuture<Said> ask(HostPort address) {
        var request = HttpRequest.newBuilder(URI.create("http://" + address + "/healthz"))
                .timeout(timeout)
                .build();
        var asked = http.sendAsync(request, BodyHandlers.discarding());
        return asked.thenApply(answer -> answer.statusCode() == SERVING ? Said.SERVING : Said.NOT_SERVING)
                // That of the request is over when headers have come.
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(nobody -> {
                    asked.cancel(true);
                    return Said.SILENT;
                });
    }
}
