package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a caller makes of servers that are away, go away or keep silent: a typed error in time, and the next call works.
 */
@Timeout(20)
class UnaryCallerFaultTest {
    private static final NextReply REPLY =
            NextReply.newBuilder().setUid(7).setFirst(5).setLast(5).setEpoch(1).build();

    /** Nobody listens there, and no system gives it to anybody who asks for a free one. */
    private static final int NOBODYS_PORT = 1;

    private final TestCaller caller = new TestCaller();

    @AfterEach
    void close() {
        caller.close();
    }

    private static void answer(HttpServerRequest request) {
        var response = BadServer.reply(request);
        response.write(BadServer.frame(REPLY));
        BadServer.end(response, 0);
    }

    private static void assertUnreachable(RpcException error) {
        assertEquals(GrpcStatus.UNAVAILABLE, error.status(), error::message);
        assertEquals(ErrorReason.OWNER_UNREACHABLE, error.reason());
        assertEquals(0, error.retryAfterMillis());
        assertTrue(error.message().startsWith("no answer from 127.0.0.1:"), error::message);
    }

    /** The request was under way, so that it may have had its effect. */
    private static void assertLost(RpcException error) {
        assertUnreachable(error);
        assertFalse(error.isUnsent(), error::message);
    }

    @Test
    void nobodyListensThereAndNothingWasSent() {
        var error = caller.errorOf(caller.call(
                SocketAddress.inetSocketAddress(NOBODYS_PORT, "127.0.0.1"),
                SequencesRpc.NEXT,
                SequencesRpc.NEXT.defaultRequest(),
                TestCaller.GENEROUS_MILLIS));
        assertUnreachable(error);
        assertTrue(error.isUnsent(), error::message);
    }

    @Test
    void serversThatNobodyCallsAnyMoreAreForgotten() {
        try (var forgetful = new TestCaller(vertx -> new UnaryCaller(vertx, true, 0, 0));
                var server = BadServer.http(UnaryCallerFaultTest::answer)) {
            for (int host = 1; host <= 50; host++) {
                assertUnreachableAt(forgetful, SocketAddress.inetSocketAddress(NOBODYS_PORT, "127.0.0." + host));
            }
            assertEquals(REPLY, forgetful.replyOf(forgetful.next(server, TestCaller.GENEROUS_MILLIS)));
            assertEquals(1, forgetful.servers());
        }
        assertUnreachableAt(caller, SocketAddress.inetSocketAddress(NOBODYS_PORT, "127.0.0.1"));
        assertUnreachableAt(caller, SocketAddress.inetSocketAddress(NOBODYS_PORT, "127.0.0.2"));
        assertEquals(2, caller.servers());
    }

    private static void assertUnreachableAt(TestCaller caller, SocketAddress nobody) {
        var error = caller.errorOf(
                caller.call(nobody, SequencesRpc.NEXT, SequencesRpc.NEXT.defaultRequest(), TestCaller.GENEROUS_MILLIS));
        assertEquals(ErrorReason.OWNER_UNREACHABLE, error.reason());
    }

    @Test
    void connectionIsClosedAtOnce() {
        try (var server = BadServer.tcp(socket -> socket.close())) {
            assertUnreachable(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    /** Whoever connects is sent away; how often anybody did. */
    private static int triesOf(int calls, long pauseNanos) {
        var tries = new AtomicInteger();
        try (var hasty = new TestCaller(vertx -> new UnaryCaller(vertx, true, Long.MAX_VALUE, pauseNanos));
                var server = BadServer.tcp(socket -> {
                    tries.incrementAndGet();
                    socket.close();
                })) {
            for (int call = 0; call < calls; call++) {
                var error = hasty.errorOf(hasty.next(server, TestCaller.GENEROUS_MILLIS));
                assertUnreachable(error);
                assertTrue(error.isUnsent(), error::message);
            }
        }
        return tries.get();
    }

    /** Many callers of one that is away would try one after the other, and wait for each other's tries. */
    @Test
    void afterAConnectionThatCouldNotBeHadNobodyTriesForAWhile() {
        assertEquals(1, triesOf(10, Long.MAX_VALUE));
        assertEquals(10, triesOf(10, 0));
    }

    @Test
    void serverSpeaksAnotherProtocol() {
        try (var server = BadServer.tcp(socket -> socket.write("220 mail.example.org ESMTP\r\n"))) {
            assertUnreachable(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void connectionDropsBeforeTheReplyBegins() {
        try (var server = BadServer.http(request -> request.connection().close())) {
            assertLost(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void connectionDropsInTheMiddleOfTheReply() {
        try (var server = BadServer.http(request -> BadServer.reply(request)
                .write(BadServer.frame(REPLY))
                .onComplete(written -> request.connection().close()))) {
            assertLost(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void streamIsResetBeforeTheReplyBegins() {
        try (var server = BadServer.http(request -> request.response().reset(8))) {
            assertLost(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void streamIsResetInTheMiddleOfTheReply() {
        try (var server = BadServer.http(request -> BadServer.reply(request)
                .write(BadServer.frame(REPLY))
                .onComplete(written -> request.response().reset(8)))) {
            assertLost(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void serverThatKeepsSilentEndsWithTheDeadline() {
        for (var silent : List.of(BadServer.tcp(socket -> {}), BadServer.http(request -> {}))) {
            try (silent) {
                long startedAt = System.nanoTime();
                var error = caller.errorOf(caller.next(silent, 150));
                long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
                assertEquals(GrpcStatus.DEADLINE_EXCEEDED, error.status());
                assertEquals(ErrorReason.DEADLINE_PASSED, error.reason());
                assertTrue(error.message().endsWith(" within 150 ms"), error::message);
                assertTrue(tookMillis >= 149, () -> "after " + tookMillis + " ms");
            }
        }
    }

    @Test
    void replyAfterTheDeadlineDoesNoHarmAndTheConnectionServesOn() throws Exception {
        var requests = new LinkedBlockingQueue<HttpServerRequest>();
        try (var server = BadServer.http(requests::add)) {
            assertEquals(
                    GrpcStatus.DEADLINE_EXCEEDED,
                    caller.errorOf(caller.next(server, 100)).status());
            var next = caller.next(server, TestCaller.GENEROUS_MILLIS);
            var late = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            var punctual = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            answer(late);
            answer(punctual);
            assertEquals(REPLY, caller.replyOf(next));
            assertEquals(late.connection(), punctual.connection());
        }
        assertEquals(List.of(), List.copyOf(caller.uncaught()));
    }

    @Test
    void aConnectionThatIsSilentForASecondIsGivenUpAndTheNextCallHasAnotherOne() throws Exception {
        var requests = new LinkedBlockingQueue<HttpServerRequest>();
        try (var server = BadServer.http(requests::add)) {
            assertEquals(
                    GrpcStatus.DEADLINE_EXCEEDED,
                    caller.errorOf(caller.next(server, 1_000)).status());
            var next = caller.next(server, TestCaller.GENEROUS_MILLIS);
            var unheard = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            var heard = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            assertNotEquals(unheard.connection(), heard.connection());
            answer(heard);
            assertEquals(REPLY, caller.replyOf(next));
        }
        assertEquals(List.of(), List.copyOf(caller.uncaught()));
    }

    /** Whoever accepts a connection may be cut off before it says a word: then there is none that could be closed. */
    @Test
    void aConnectionThatNeverComesAboutIsGivenUpAndTheNextCallHasAnotherOne() {
        int kept = caller.keptByVertx();
        try (var server = BadServer.deafAtFirst(UnaryCallerFaultTest::answer)) {
            int inVain = 0;
            var call = caller.next(server, 400);
            // It is given up after a second: by the third call, or by the second if that is late.
            while (!caller.isAnswered(call)) {
                assertEquals(GrpcStatus.DEADLINE_EXCEEDED, caller.errorOf(call).status());
                inVain++;
                call = caller.next(server, 400);
            }
            assertEquals(REPLY, caller.replyOf(call));
            assertTrue(inVain > 0, "the connection came about");
        }
        assertEquals(kept, caller.keptByVertx(), "what was given up stays in memory");
        assertEquals(List.of(), List.copyOf(caller.uncaught()));
    }

    /** What a server that stood still says when it wakes is what the chaos runs want to hear. */
    @Test
    void aPatientCallerKeepsASilentConnection() throws Exception {
        var requests = new LinkedBlockingQueue<HttpServerRequest>();
        try (var patient = new TestCaller(UnaryCaller::patient);
                var server = BadServer.http(requests::add)) {
            var unheard = patient.next(server, 1_000);
            var first = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            assertEquals(GrpcStatus.DEADLINE_EXCEEDED, patient.errorOf(unheard).status());
            var next = patient.next(server, TestCaller.GENEROUS_MILLIS);
            var heard = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            assertEquals(first.connection(), heard.connection());
            answer(heard);
            assertEquals(REPLY, patient.replyOf(next));
        }
    }

    @Test
    void oneSlowCallAmongOthersThatAreAnsweredKeepsItsConnection() throws Exception {
        var requests = new LinkedBlockingQueue<HttpServerRequest>();
        try (var server = BadServer.http(requests::add)) {
            var slow = caller.next(server, 1_000);
            var first = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            var quick = caller.next(server, TestCaller.GENEROUS_MILLIS);
            answer(requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS));
            assertEquals(REPLY, caller.replyOf(quick));
            assertEquals(GrpcStatus.DEADLINE_EXCEEDED, caller.errorOf(slow).status());
            var next = caller.next(server, TestCaller.GENEROUS_MILLIS);
            var last = requests.poll(TestCaller.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            assertEquals(first.connection(), last.connection());
            answer(last);
            assertEquals(REPLY, caller.replyOf(next));
        }
    }

    @Test
    void serverThatCameBackIsReachedAgain() {
        var requests = new AtomicInteger();
        try (var server = BadServer.http(request -> {
            if (requests.incrementAndGet() == 1) {
                request.connection().close();
            } else {
                answer(request);
            }
        })) {
            assertUnreachable(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
            assertEquals(REPLY, caller.replyOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void headersBeyondTheBoundOfThisSideAreATypedError() {
        try (var server = BadServer.http(request -> BadServer.reply(request)
                .putHeader("grpc-status", "5")
                .putHeader("grpc-message", "x".repeat(20_000))
                .end())) {
            assertUnreachable(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }

    @Test
    void callAfterTheCallerWasClosedFailsAtOnce() {
        try (var server = BadServer.http(UnaryCallerFaultTest::answer)) {
            assertEquals(REPLY, caller.replyOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
            caller.closeCaller().await();
            assertUnreachable(caller.errorOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
        }
    }
}
