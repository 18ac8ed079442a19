package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that take back what they have just sent (CVE-2023-44487), with and without a reason. */
@Timeout(120)
class RapidResetTest {
    private static final long CANCEL = 8;
    private static final NextRequest REQUEST =
            NextRequest.newBuilder().setNamespace("messages").setUid(7).build();

    private final TestPort port = new TestPort();
    private final TestClient hasty = new TestClient(port);
    private final TestClient other = new TestClient(port);

    @AfterEach
    void close() {
        hasty.close();
        other.close();
        port.close();
    }

    /** Sends the head of a call and takes it back, one after the other; ends sooner if a connection cannot be had. */
    private Future<Void> takeBack(int times, AtomicInteger taken) {
        Promise<Void> done = Promise.promise();
        takeBack(times, taken, done);
        return done.future();
    }

    private void takeBack(int left, AtomicInteger taken, Promise<Void> done) {
        if (left == 0) {
            done.complete();
            return;
        }
        hasty.onLoop(() -> hasty.open(TestClient.NEXT)
                        .compose(request -> headOf(request).compose(sent -> request.reset(CANCEL))))
                .onSuccess(reset -> {
                    taken.incrementAndGet();
                    takeBack(left - 1, taken, done);
                })
                .onFailure(done::tryFail);
    }

    private static Future<Void> headOf(HttpClientRequest request) {
        // What is taken back ends by an error, of which nobody needs to hear.
        return request.setChunked(true).exceptionHandler(reset -> {}).sendHead();
    }

    private HttpConnection connection() {
        return TestClient.await(hasty.onLoop(() ->
                hasty.open(TestClient.NEXT).compose(request -> headOf(request).map(request.connection()))));
    }

    private static void assertServed(TestClient client) {
        var answer = client.post(TestClient.NEXT, TestClient.frame(REQUEST));
        assertEquals(TestPort.reply(REQUEST), answer.only(SequencesRpc.NEXT));
    }

    @Test
    void whoTakesBackAThousandCallsWhoseDeadlinesPassedIsServedOn() {
        var taken = new AtomicInteger();
        var connection = connection();
        Promise<Void> closed = Promise.promise();
        connection.closeHandler(closed::tryComplete);
        TestClient.await(takeBack(1_000, taken));
        assertEquals(1_000, taken.get());
        assertFalse(closed.future().isComplete(), "the library's own limit is 200");
        assertServed(hasty);
    }

    /** So do callers of an outage, each at its deadline, for as long as that lasts. */
    @Test
    void whoTakesBackSomeHundredASecondIsServedOnHoweverLong() {
        var taken = new AtomicInteger();
        var connection = connection();
        Promise<Void> closed = Promise.promise();
        connection.closeHandler(closed::tryComplete);
        long beganNanos = System.nanoTime();
        TestClient.await(takeBack(5_500, taken));
        while (System.nanoTime() - beganNanos <= TimeUnit.SECONDS.toNanos(PortOptions.RESET_WINDOW_SECONDS)) {
            assertServed(other);
        }
        TestClient.await(takeBack(5_500, taken));
        assertFalse(closed.future().isComplete(), "the library's own window is 30 s");
        assertServed(hasty);
    }

    @Test
    void whoTakesBackEverythingLosesItsConnectionAndNobodyElseNoticesIt() throws TimeoutException {
        var connection = connection();
        Promise<Void> closed = Promise.promise();
        connection.closeHandler(closed::tryComplete);
        var taken = new AtomicInteger();
        // Goes on over its next connections until the client is closed.
        var unused = takeBack(1_000_000, taken);
        assertServed(other);
        closed.future().await(60, TimeUnit.SECONDS);
        assertTrue(taken.get() >= 10_000, taken + " were taken back before");
        assertServed(other);
    }
}
