package io.seqsvr.router;

import static io.seqsvr.storeclient.fixture.FrameCaller.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.seqsvr.storeclient.fixture.Outcome;
import io.seqsvr.storeclient.fixture.TestCaller;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers at a router while no owner answers: who hangs up, and who wants all of the room for itself. */
@Timeout(30)
class RouterCallersTest {
    /** No deadline of a caller ends anything here before the test is over. */
    private static final long LONGEST_MILLIS = 60_000;

    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc = new FakeAllocSvr(1_001);
    private final TestRouter router = new TestRouter(store.address());

    @BeforeEach
    void loseTheOwner() {
        long session = store.open("alloc-1", alloc.address());
        router.awaitHealth(ServingStatus.SERVING);
        Outcome.replyOf(router.next("messages", 1));
        store.end(session);
        router.awaitHealth(ServingStatus.NOT_SERVING);
        alloc.asked().clear();
    }

    @AfterEach
    void close() {
        router.close();
        alloc.close();
        store.close();
    }

    private static Future<NextReply> next(TestCaller caller, long uid) {
        var request = NextRequest.newBuilder().setNamespace("messages").setUid(uid);
        return caller.call(SequencesRpc.NEXT, request.build(), LONGEST_MILLIS);
    }

    private static Future<NextManyReply> nextMany(TestCaller caller, int items) {
        var request = NextManyRequest.newBuilder().setNamespace("messages");
        IntStream.range(0, items)
                .forEach(i -> request.addItems(NextItem.newBuilder().setUid(i % 500)));
        return caller.call(SequencesRpc.NEXT_MANY, request.build(), LONGEST_MILLIS);
    }

    private static long[] users(int most) {
        return LongStream.range(0, most).map(i -> i % 500).toArray();
    }

    private void awaitOpen(int calls) {
        var line = "seqsvr_proxy_open{tier=\"router\"} " + (double) calls + "\n";
        long startedAt = System.nanoTime();
        while (!router.scrape().contains(line)) {
            assertTrue(Outcome.isInTime(startedAt), router::scrape);
        }
    }

    /** An owner comes, is asked by whoever still waits, and has not heard of the others after that. */
    private void assertOnlyAskedFor(long uid, Future<NextReply> byWhoStays) {
        store.open("alloc-1", alloc.address());
        assertEquals(1_001, Outcome.replyOf(byWhoStays).getFirst());
        Outcome.replyOf(router.next("messages", uid));
        assertEquals(
                List.of(uid, uid),
                alloc.asked().stream().map(FakeAllocSvr.Asked::uid).toList());
    }

    @Test
    void callsOfACallerThatHangsUpLeaveTheirRoomAndAreNotSent() {
        var staying = router.next("messages", 999);
        var leaving = new TestCaller(router.address());
        IntStream.range(0, 5).forEach(i -> next(leaving, i * 100L));
        awaitOpen(6);
        leaving.close();
        awaitOpen(1);
        assertOnlyAskedFor(999, staying);
    }

    @Test
    void soDoThoseOfACallForManyAndNobodyIsToldThatTheyAreRefused() {
        var staying = router.next("messages", 999);
        var leaving = new TestCaller(router.address());
        nextMany(leaving, 100);
        awaitOpen(101);
        leaving.close();
        awaitOpen(1);
        assertOnlyAskedFor(999, staying);
        var scraped = router.scrape();
        assertTrue(scraped.contains("{code=\"CANCELLED\",tier=\"router\",verb=\"nextmany\"} 1"), scraped);
        assertTrue(
                scraped.lines()
                        .filter(line -> line.startsWith("seqsvr_calls_refused_total{"))
                        .allMatch(line -> line.endsWith(" 0.0")),
                scraped);
    }

    @Test
    void soDoThoseOfAFrameWhoseStreamIsReset() {
        var staying = router.next("messages", 999);
        try (var leaving = new FrameCaller(router.address())) {
            leaving.send(calls(1, users(100)).timeoutMillis(LONGEST_MILLIS));
            awaitOpen(101);
            leaving.reset();
            awaitOpen(1);
            assertOnlyAskedFor(999, staying);
        }
    }

    /** Of the 65,536 that one namespace may have open where nobody answers. */
    @Test
    void oneConnectionLeavesAsMuchRoomAsItTakes() {
        var greedy = new TestCaller(router.address());
        IntStream.range(0, 4).forEach(i -> nextMany(greedy, 10_000));
        awaitOpen(32_768);
        var error = Outcome.errorOf(next(greedy, 7));
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, error.status());
        assertEquals(ErrorReason.TOO_MANY_WAITING, error.reason());
        assertEquals(
                "32768 calls of this connection are open, and there is room for 32768 more of all; a connection may"
                        + " have no more than it leaves to others: wait for answers first",
                error.message());
        assertEquals(50, error.retryAfterMillis());
        var modest = router.next("messages", 999);
        awaitOpen(32_769);
        try (var framed = new FrameCaller(router.address())) {
            framed.send(calls(1, users(10_000)).timeoutMillis(LONGEST_MILLIS));
            framed.send(calls(2, users(10_000)).timeoutMillis(LONGEST_MILLIS));
            awaitOpen(32_769 + 16_384);
            greedy.close();
            awaitOpen(16_385);
        }
        awaitOpen(1);
        assertFalse(modest.isComplete());
    }
}
