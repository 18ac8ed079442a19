package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The standard health service: SERVING exactly while the node says so, to those who ask and to those who watch. */
@Timeout(20)
class HealthTest {
    private static final String CHECK = "/grpc.health.v1.Health/Check";
    private static final String WATCH = "/grpc.health.v1.Health/Watch";
    /** Longer than the pause between two looks of a watch. */
    private static final long TWO_LOOKS_MILLIS = 600;

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);
    private final Semaphore asked = new Semaphore(0);
    private volatile boolean well = true;

    HealthTest() {
        port.onHealth(() -> {
            asked.release();
            return Future.succeededFuture(well);
        });
    }

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static HealthCheckRequest about(String service) {
        return HealthCheckRequest.newBuilder().setService(service).build();
    }

    private GrpcAnswer check(String service) {
        return client.post(CHECK, TestClient.frame(about(service)));
    }

    private ServingStatus checked(String service) {
        return check(service).only(HealthRpc.CHECK).getStatus();
    }

    private GrpcStream watch(String service) {
        var stream = GrpcStream.open(client, WATCH);
        stream.send(about(service));
        stream.halfClose();
        return stream;
    }

    private static void assertNext(ServingStatus status, GrpcStream stream) {
        assertEquals(status, stream.take(HealthCheckResponse.parser()).getStatus());
    }

    private void assertAskedAgain(int times) throws InterruptedException {
        assertTrue(asked.tryAcquire(times, TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void assertAskedNoMore() throws InterruptedException {
        asked.drainPermits();
        assertFalse(asked.tryAcquire(TWO_LOOKS_MILLIS, TimeUnit.MILLISECONDS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seqsvr.v1.Sequences"})
    void nodeAndItsServiceServeWhileTheNodeSaysSo(String service) {
        assertEquals(ServingStatus.SERVING, checked(service));
        well = false;
        assertEquals(ServingStatus.NOT_SERVING, checked(service));
        well = true;
        assertEquals(ServingStatus.SERVING, checked(service));
    }

    @Test
    void serviceThatTheNodeDoesNotHaveIsNotFound() {
        check("seqsvr.v1.Numbers")
                .assertError(
                        GrpcStatus.NOT_FOUND, ErrorReason.PATH_UNKNOWN, "this node has no service 'seqsvr.v1.Numbers'");
    }

    @Test
    void nodeThatCannotTellDoesNotServe() {
        port.onHealth(() -> Future.failedFuture("no answer"));
        assertEquals(ServingStatus.NOT_SERVING, checked(""));
        port.onHealth(() -> {
            throw new IllegalStateException("a defect");
        });
        assertEquals(ServingStatus.NOT_SERVING, checked(""));
    }

    @Test
    void watchTellsTheStateAtOnceAndThenEachChangeOnce() throws InterruptedException {
        var stream = watch("");
        assertNext(ServingStatus.SERVING, stream);
        asked.drainPermits();
        assertAskedAgain(2);
        assertTrue(stream.nothingCame());
        well = false;
        assertNext(ServingStatus.NOT_SERVING, stream);
        assertAskedAgain(2);
        assertTrue(stream.nothingCame());
        well = true;
        assertNext(ServingStatus.SERVING, stream);
        assertFalse(stream.ended().isComplete());
    }

    /** A node whose state is another one each time that it is asked. */
    @Test
    void allWhoWatchShareEachLook() {
        port.onHealth(() -> {
            well = !well;
            return Future.succeededFuture(well);
        });
        var first = watch("");
        assertNext(ServingStatus.NOT_SERVING, first);
        var second = watch("seqsvr.v1.Sequences");
        var next = second.take(HealthCheckResponse.parser()).getStatus();
        for (int i = 0; i < 4; i++) {
            next = next == ServingStatus.SERVING ? ServingStatus.NOT_SERVING : ServingStatus.SERVING;
            // Where each looked for itself, the node would be well each time that this one looks, or ill.
            assertNext(next, second);
        }
    }

    @Test
    void watchOfAnUnknownServiceSaysSoAndStaysOpen() {
        var stream = watch("seqsvr.v1.Numbers");
        assertNext(ServingStatus.SERVICE_UNKNOWN, stream);
        assertFalse(stream.ended().isComplete());
    }

    @Test
    void watchThatIsNoMessageIsRefused() {
        var stream = GrpcStream.open(client, WATCH);
        stream.send(TestClient.frame((byte) 0x0a, (byte) 0x7f));
        stream.halfClose();
        assertEquals(GrpcStatus.INVALID_ARGUMENT, TestClient.await(stream.ended()));
        assertEquals(ServingStatus.SERVING, checked(""));
    }

    @Test
    void watcherThatTakesItsCallBackIsForgotten() throws InterruptedException {
        var stream = watch("");
        assertNext(ServingStatus.SERVING, stream);
        stream.cancel();
        check("");
        assertAskedNoMore();
    }

    @Test
    void watchersWhoseConnectionBreaksAreAllForgotten() throws InterruptedException {
        var first = watch("");
        var second = watch("seqsvr.v1.Sequences");
        assertNext(ServingStatus.SERVING, first);
        assertNext(ServingStatus.SERVING, second);
        first.closeConnection();
        // The connection is gone for the port when another one, made after it, is served.
        check("");
        assertAskedNoMore();
    }

    @Test
    void watcherThatGoesAwayWhileTheNodeThinksDoesNoHarm() throws InterruptedException {
        var stream = watch("");
        assertNext(ServingStatus.SERVING, stream);
        var thinking = new LinkedBlockingQueue<Promise<Boolean>>();
        port.onHealth(() -> {
            Promise<Boolean> answer = Promise.promise();
            thinking.add(answer);
            return answer.future();
        });
        var answer = thinking.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        stream.cancel();
        client.post("/unknown", TestClient.frame());
        answer.fail("no answer");
    }
}
