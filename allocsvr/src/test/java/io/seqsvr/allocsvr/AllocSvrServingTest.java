package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An AllocSvr from its start to its numbers, with a StoreSvr that works. */
@Timeout(30)
class AllocSvrServingTest {
    /** No pause of a busy machine outlasts it. */
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);

    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 1_000, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);

    @AfterEach
    void close() {
        store.close();
    }

    private TestAllocSvr start() {
        return new TestAllocSvr("alloc-1", store.address());
    }

    private TestAllocSvr startServing() {
        var alloc = start();
        store.assignAll("alloc-1");
        alloc.awaitHealth(ServingStatus.SERVING);
        return alloc;
    }

    private static NextReply range(long uid, long first, long last, long epoch) {
        return NextReply.newBuilder()
                .setUid(uid)
                .setFirst(first)
                .setLast(last)
                .setEpoch(epoch)
                .build();
    }

    @Test
    void withoutStoreSvrItListensAndRefuses() {
        store.fallSilent();
        try (var alloc = start()) {
            assertEquals(ServingStatus.NOT_SERVING, alloc.health());
            var error = Outcome.errorOf(alloc.next("messages", 7, 1));
            assertEquals(GrpcStatus.UNAVAILABLE, error.status());
            assertEquals(ErrorReason.NOT_READY, error.reason());
            assertEquals(50, error.retryAfterMillis());
            assertEquals(
                    ErrorReason.NOT_READY,
                    Outcome.errorOf(alloc.current("messages", 7)).reason());
        }
    }

    @Test
    void withoutRoutesItRefusesAndThenServesOneTwoThreeOnceItHasSome() {
        try (var alloc = start()) {
            var session = store.awaitSession("alloc-1");
            assertEquals(alloc.address().toString(), session.address());
            assertEquals(ServingStatus.NOT_SERVING, alloc.health());
            var error = Outcome.errorOf(alloc.next("messages", 7, 1));
            assertTrue(
                    error.reason() == ErrorReason.NOT_OWNER || error.reason() == ErrorReason.NOT_READY, error::message);

            store.assignAll("alloc-1");
            alloc.awaitHealth(ServingStatus.SERVING);
            for (long seq = 1; seq <= 3; seq++) {
                assertEquals(range(7, seq, seq, 1), Outcome.replyOf(alloc.next("messages", 7, 1)));
            }
        }
    }

    @Test
    void usersCountEachOnTheirOwnAndCountsAreRanges() {
        try (var alloc = startServing()) {
            assertEquals(range(0, 1, 5, 1), Outcome.replyOf(alloc.next("messages", 0, 5)));
            assertEquals(range(999, 1, 1, 1), Outcome.replyOf(alloc.next("messages", 999, 1)));
            assertEquals(range(0, 6, 6, 1), Outcome.replyOf(alloc.next("messages", 0, 1)));
            assertEquals(range(1, 1, 1, 1), Outcome.replyOf(alloc.next("messages", 1, 1)));
        }
    }

    @Test
    void currentIsExactForWhomThisOwnerServedAndABoundForTheOthers() {
        // Segment 0 had another owner, who raised max_seq to 10.
        store.command(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "alloc-0", "127.0.0.1:1"));
        store.assignAll("alloc-0");
        store.command(
                new StoreCommand.CloseSession(store.awaitSession("alloc-0").id()));
        try (var alloc = startServing()) {
            assertEquals(11, alloc.take("messages", 7, 1));
            assertEquals(reading(7, 11, Exactness.EXACT), Outcome.replyOf(alloc.current("messages", 7)));
            assertEquals(reading(8, 10, Exactness.UPPER_BOUND), Outcome.replyOf(alloc.current("messages", 8)));
            assertEquals(11, Outcome.replyOf(alloc.current("messages", 7)).getSeq());
        }
    }

    private static CurrentReply reading(long uid, long seq, Exactness exactness) {
        return CurrentReply.newBuilder()
                .setUid(uid)
                .setSeq(seq)
                .setExactness(exactness)
                .setEpoch(2)
                .build();
    }

    @Test
    void neverHadASequenceIsExactlyZero() {
        try (var alloc = startServing()) {
            var reply = Outcome.replyOf(alloc.current("messages", 7));
            assertEquals(0, reply.getSeq());
            assertEquals(Exactness.EXACT, reply.getExactness());
        }
    }

    @Test
    void noSequenceEverLeavesThatIsNotDurable() {
        try (var alloc = startServing()) {
            long expected = 0;
            for (int count : new int[] {1, 4, 1, 7, 100, 1, 1_000, 3}) {
                expected += count;
                assertEquals(expected, alloc.take("messages", 42, count));
                assertTrue(store.maxSeq(MESSAGES, 0) >= expected, () -> "not durable: " + count);
            }
            assertEquals(10, store.maxSeq(MESSAGES, 1));
        }
    }

    @Test
    void callersAtTheSameTimeGetEachNumberOnce() {
        try (var alloc = startServing()) {
            var calls = new ArrayList<Future<NextReply>>();
            for (int i = 0; i < 500; i++) {
                calls.add(alloc.next("messages", 7, 1));
            }
            var taken = new TreeSet<Long>();
            calls.forEach(call -> taken.add(Outcome.replyOf(call).getLast()));
            assertEquals(500, taken.size());
            assertEquals(1, taken.first());
            assertEquals(500, taken.last());
        }
    }

    @Test
    void plainHttpIsServedToo() throws IOException, InterruptedException {
        try (var alloc = startServing()) {
            assertEquals(
                    "{\"uid\":\"7\",\"first\":\"1\",\"last\":\"2\",\"epoch\":\"1\"}\n",
                    post(alloc, "/users/7:next", "{\"count\":\"2\"}"));
            assertEquals(
                    "{\"uid\":\"7\",\"first\":\"40\",\"last\":\"40\",\"epoch\":\"1\"}\n",
                    post(alloc, "/users/7:next", "{\"atLeast\":\"40\",\"min_epoch\":\"1\"}"));
            assertEquals(
                    "{\"uid\":\"7\",\"seq\":\"900\",\"epoch\":\"1\"}\n",
                    post(alloc, "/users/7:raiseFloor", "{\"floor\":\"900\"}"));
            assertEquals(
                    "{\"results\":[{\"uid\":\"7\",\"taken\":{\"first\":\"901\",\"last\":\"902\",\"epoch\":\"1\"}},"
                            + "{\"uid\":\"8\",\"error\":{\"code\":9,\"reason\":\"NOT_OWNER\",\"message\":"
                            + "\"segment 1/0 is served in epoch 1 here; the caller knows 18446744073709551615\","
                            + "\"retryDelay\":\"0.050s\"}}]}\n",
                    post(
                            alloc,
                            ":nextMany",
                            "{\"items\":[{\"uid\":\"7\",\"count\":2},"
                                    + "{\"uid\":8,\"minEpoch\":\"18446744073709551615\"}]}"));
            assertEquals(
                    "{\"results\":[{\"uid\":\"7\","
                            + "\"last\":{\"seq\":\"902\",\"exactness\":\"EXACT\",\"epoch\":\"1\"}}]}\n",
                    post(alloc, ":currentMany", "{\"items\":[{\"uid\":\"7\"}]}"));
        }
    }

    private static String post(TestAllocSvr alloc, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://" + alloc.address() + "/v1/namespaces/messages" + path))
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
