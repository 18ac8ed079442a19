package io.seqsvr.chaos.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a server tells at a path, whole and in time: the timeout of a request of Java's is over when headers have come,
 * and whoever waits for the rest waits for ever.
 */
public record WebPage(int status, String body) {
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(2);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(CONNECTS_WITHIN).build();

    /**
     * Asks for it.
     *
     * @param path begins with a slash
     * @param within how long all of it may take
     * @throws IOException if it did not come, or not all of it in time
     * @throws IllegalStateException if this thread is interrupted meanwhile, as it is still afterwards
     */
    public static WebPage of(Endpoint server, String path, Duration within) throws IOException {
        var uri = URI.create("http://" + server + path);
        var asked = HTTP.sendAsync(HttpRequest.newBuilder(uri).timeout(within).build(), BodyHandlers.ofString());
        try {
            return of(asked.get(within.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException lost) {
            throw new IOException("no answer from " + uri + ": " + lost.getCause(), lost);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("no whole answer from " + uri + " within " + within.toMillis() + " ms");
        } catch (InterruptedException interrupted) {
            throw Interruption.of("an answer from " + uri);
        } finally {
            // What has not come is waited for no longer.
            asked.cancel(true);
        }
    }

    private static WebPage of(HttpResponse<String> answer) {
        return new WebPage(answer.statusCode(), answer.body());
    }
}
