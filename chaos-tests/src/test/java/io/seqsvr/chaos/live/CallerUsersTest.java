package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.process.Endpoint;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an application says is told to the record, and what it must not say is a broken promise. */
@Timeout(60)
final class CallerUsersTest {
    private static final long ANN = 7;

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<HttpServerRequest> asked = new LinkedBlockingQueue<>();
    private final HttpServer application = vertx.createHttpServer()
            .requestHandler(asked::add)
            .listen(0, "127.0.0.1")
            .await();
    private final History history = new History();
    private final List<String> violated = Collections.synchronizedList(new ArrayList<>());
    private final CallerUsers users = new CallerUsers(
            List.of(new Endpoint("127.0.0.1", application.actualPort())),
            history,
            (rule, words) -> violated.add(rule + ": " + words));

    @AfterEach
    void end() {
        users.close();
        vertx.close().await();
    }

    private HttpServerRequest next() throws InterruptedException {
        var request = asked.poll(30, TimeUnit.SECONDS);
        assertEquals("/next?uid=" + ANN, request == null ? "" : request.uri());
        return request;
    }

    private static void answer(HttpServerRequest request, int status, String body) {
        request.response().setStatusCode(status).end(body).await();
    }

    @Test
    void eachAnswerIsRecordedAndWhoIsAnsweredIsServed() throws InterruptedException {
        long before = System.nanoTime();
        users.start(List.of(ANN));
        var first = next();
        assertFalse(users.areServedSince(before));
        answer(first, 200, "5 5 2");
        var second = next();
        assertTrue(users.areServedSince(before));
        assertFalse(users.areServedSince(System.nanoTime()), "nothing that began since was answered");
        assertEquals(1, history.counts().answered());
        answer(second, 503, "UNAVAILABLE");
        next();
        assertEquals(1, history.counts().unknown(), "what the client gave up may have taken a number");
        assertEquals(List.of(), violated);
    }

    @Test
    void anApplicationThatIsGoneLeavesItsCallUnknownAndIsAskedAgain() throws InterruptedException {
        users.start(List.of(ANN));
        next().connection().close().await();
        next();
        assertEquals(1, history.counts().unknown());
        assertEquals(List.of(), violated);
    }

    @Test
    void whatTheClientMustNotSayBreaksAPromise() throws InterruptedException {
        users.start(List.of(ANN));
        answer(next(), 500, "java.lang.IllegalStateException");
        answer(next(), 200, "5 5");
        answer(next(), 200, "6 5 1");
        var fourth = next();
        fourth.response().putHeader("backward", "2");
        answer(fourth, 503, "UNAVAILABLE");
        next();
        assertEquals(
                List.of(
                        "TYPED_FAILURE: the Java client failed otherwise than it says: java.lang.IllegalStateException",
                        "SENSE: a reply made no sense: 5 5",
                        "SENSE: a reply made no sense: user 7 was answered from 6 to 5, which is no range of sequences",
                        "ORDERED: the Java client of an application held back 2 answers that step back"),
                violated);
    }

    @Test
    void whereThereIsNoApplicationNobodyWaitsForOne() {
        try (var none = new CallerUsers(List.of(), history, (rule, words) -> {})) {
            none.start(List.of(ANN));
            assertTrue(none.areServedSince(System.nanoTime()));
        }
    }
}
