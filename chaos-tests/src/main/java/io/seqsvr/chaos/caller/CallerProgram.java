package io.seqsvr.chaos.caller;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import io.seqsvr.client.SequenceRange;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * An application with the Java client that can be killed, stopped or cut off. Whoever watches it has it ask by HTTP, so
 * that a call is known before it leaves and an answer is known only after it came, whatever is done to the application
 * meanwhile:
 *
 * <ul>
 *   <li>{@code POST /next?uid=5} takes the next number of a user; the body of the answer is {@code FIRST LAST EPOCH},
 *       or, with status 503, what the client said. The header {@value #BACKWARD} tells how many answers the client has
 *       held back as they stepped back
 *   <li>{@code GET /healthz} answers 200
 * </ul>
 */
public final class CallerProgram implements AutoCloseable {
    /** Of how many answers the client has held back. */
    public static final String BACKWARD = "backward";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int REFUSED = 503;
    private static final int DEFECT = 500;

    private final String namespace;
    private final SequenceClient client;
    private final Vertx vertx;
    private final HttpServer server;

    /**
     * Begins to listen.
     *
     * @param settings {@code listen}, the {@code routers}, each HOST:PORT, and the {@code namespace}
     * @throws IllegalStateException if it cannot; nothing is left open
     */
    CallerProgram(JsonObject settings) {
        this.namespace = settings.getString("namespace");
        var builder = SequenceClient.builder().timeout(TIMEOUT);
        settings.getJsonArray("routers").forEach(router -> builder.endpoint(router.toString()));
        var listen = settings.getString("listen");
        int colon = listen.lastIndexOf(':');
        int port = Integer.parseInt(listen.substring(colon + 1));
        this.client = builder.build();
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            this.server = vertx.createHttpServer()
                    .requestHandler(this::serve)
                    .listen(port, listen.substring(0, colon))
                    .await();
        } catch (Exception refused) { // await() throws checked causes undeclared
            // With either of them its process would never end.
            close();
            throw new IllegalStateException(
                    "an application cannot listen on " + listen + ": " + refused.getMessage()
                            + "; stop what uses it or choose another",
                    refused);
        }
    }

    /**
     * Settings of an application.
     *
     * @param listen where it is to be told what to ask, HOST:PORT
     * @param routers of whom it asks, each HOST:PORT
     * @param namespace of whose users
     */
    public static JsonObject settings(String listen, Iterable<String> routers, String namespace) {
        var all = new JsonArray();
        routers.forEach(all::add);
        return new JsonObject().put("listen", listen).put("routers", all).put("namespace", namespace);
    }

    /** Runs one until the process ends; the one argument is the file of its settings. */
    @SuppressWarnings("resource") // it goes on until its process ends
    public static void main(String[] arguments) throws IOException {
        var unused = new CallerProgram(new JsonObject(Files.readString(Path.of(arguments[0]))));
    }

    private void serve(HttpServerRequest request) {
        switch (request.path()) {
            case "/healthz" -> end(request, OK, "");
            case "/next" -> next(request);
            default -> end(request, NOT_FOUND, "there is " + request.path() + " nowhere here");
        }
    }

    private void next(HttpServerRequest request) {
        long uid = Long.parseLong(request.getParam("uid"));
        var context = vertx.getOrCreateContext();
        var unused = client.next(namespace, uid, 1).handle((range, failure) -> {
            context.runOnContext(here -> answer(request, range, failure));
            return uid;
        });
    }

    private void answer(HttpServerRequest request, @Nullable SequenceRange range, @Nullable Throwable failure) {
        request.response().putHeader(BACKWARD, Long.toString(client.backward()));
        if (range != null) {
            end(request, OK, range.first() + " " + range.last() + " " + range.epoch());
        } else {
            end(request, failure instanceof SequenceException ? REFUSED : DEFECT, String.valueOf(failure));
        }
    }

    private static void end(HttpServerRequest request, int status, String body) {
        // An application that looks at no clock could not be harmed by one that is set.
        var now = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        var unused =
                request.response().setStatusCode(status).putHeader("date", now).end(body);
    }

    /** Where it listens. */
    int port() {
        return server.actualPort();
    }

    @Override
    public void close() {
        try {
            client.close();
        } finally {
            vertx.close().await();
        }
    }
}
