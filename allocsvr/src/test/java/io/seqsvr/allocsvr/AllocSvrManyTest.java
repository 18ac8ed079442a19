package io.seqsvr.allocsvr;

import static io.seqsvr.allocsvr.Items.assertError;
import static io.seqsvr.allocsvr.Items.current;
import static io.seqsvr.allocsvr.Items.currentMany;
import static io.seqsvr.allocsvr.Items.last;
import static io.seqsvr.allocsvr.Items.next;
import static io.seqsvr.allocsvr.Items.nextMany;
import static io.seqsvr.allocsvr.Items.taken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.util.Durations;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls for many users at an AllocSvr: each item as if it came alone, all answers at once. */
@Timeout(30)
class AllocSvrManyTest {
    /** No pause of a busy machine outlasts it. */
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);

    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final Namespace QUORUM =
            new Namespace(2, "quorum", 1_000, 100, Keying.DIRECT, Order.QUORUM, 10, 50, 0, Long.MAX_VALUE);
    private static final Namespace HASHED =
            new Namespace(3, "hashed", 1, 1, Keying.HASHED, Order.LEASE, 10, 50, 100, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES, QUORUM, HASHED);
    private final TestAllocSvr alloc = new TestAllocSvr("alloc-1", store.address());

    @BeforeEach
    void serve() {
        store.assignAll("alloc-1");
        alloc.awaitHealth(ServingStatus.SERVING);
    }

    @AfterEach
    void close() {
        alloc.close();
        store.close();
    }

    @Test
    void eachItemHasItsResultInItsPlace() {
        var reply = Outcome.replyOf(nextMany(
                alloc,
                "messages",
                next(7, 3),
                NextItem.newBuilder().setUid(950).build(),
                next(7, 1),
                next(8, 50),
                next(7, 2)));
        assertEquals(
                List.of(taken(7, 1, 3), taken(950, 1, 1), taken(7, 4, 4), taken(8, 1, 50), taken(7, 5, 6)),
                reply.getResultsList());
        assertEquals(7, alloc.take("messages", 7, 1));
    }

    @Test
    void oneItemThatIsRefusedTakesNothingBackFromTheOthers() {
        var results = Outcome.replyOf(nextMany(
                        alloc,
                        "messages",
                        next(7, 1),
                        next(7, 0),
                        next(7, 51),
                        next(7, -1),
                        next(7, Long.MAX_VALUE),
                        next(1_000, 1),
                        next(-1, 1),
                        NextItem.newBuilder().setCount(1).build(),
                        next(7, 1).toBuilder().setMinEpoch(2).build(),
                        next(7, 1).toBuilder().setAtLeast(-1).build(),
                        next(7, 1)))
                .getResultsList();
        assertEquals(taken(7, 1, 1), results.get(0));
        long[] counts = {0, 51, -1, Long.MAX_VALUE};
        for (int i = 0; i < counts.length; i++) {
            assertError(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.COUNT_OUT_OF_BOUNDS,
                    "count is " + counts[i] + "; it must be from 1 to 50",
                    results.get(i + 1).getError());
            assertEquals(7, results.get(i + 1).getUid());
        }
        assertError(
                GrpcStatus.OUT_OF_RANGE,
                ErrorReason.UID_OUT_OF_RANGE,
                "uid is 1000; namespace 'messages' holds 0 to 999",
                results.get(5).getError());
        assertError(
                GrpcStatus.OUT_OF_RANGE,
                ErrorReason.UID_OUT_OF_RANGE,
                "uid is 18446744073709551615; namespace 'messages' holds 0 to 999",
                results.get(6).getError());
        assertFalse(results.get(6).getError().hasRetryDelay());
        assertError(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.FIELD_MISSING,
                "uid is missing; it must be given",
                results.get(7).getError());
        assertError(
                GrpcStatus.FAILED_PRECONDITION,
                ErrorReason.NOT_OWNER,
                "segment 1/0 is served in epoch 1 here; the caller knows 2",
                results.get(8).getError());
        assertEquals(Durations.fromMillis(50), results.get(8).getError().getRetryDelay());
        assertEquals(ErrorReason.JUMP_OUT_OF_BOUNDS, results.get(9).getError().getReason());
        assertEquals(taken(7, 2, 2), results.get(10));
        assertTrue(alloc.scrape().contains("seqsvr_sequences_total{tier=\"allocsvr\"} 2.0"), alloc::scrape);
    }

    @Test
    void lastSequencesOfManyUsers() {
        alloc.take("messages", 7, 3);
        var reply = Outcome.replyOf(currentMany(
                alloc,
                "messages",
                current(7),
                current(8),
                current(1_000),
                CurrentItem.getDefaultInstance(),
                current(7).toBuilder().setMinEpoch(2).build(),
                current(7)));
        assertEquals(last(7, 3, Exactness.EXACT), reply.getResults(0));
        assertEquals(last(8, 0, Exactness.EXACT), reply.getResults(1));
        assertEquals(
                ErrorReason.UID_OUT_OF_RANGE, reply.getResults(2).getError().getReason());
        assertEquals(ErrorReason.FIELD_MISSING, reply.getResults(3).getError().getReason());
        assertEquals(ErrorReason.NOT_OWNER, reply.getResults(4).getError().getReason());
        assertEquals(last(7, 3, Exactness.EXACT), reply.getResults(5));
    }

    @Test
    void whatIsWrongForAllItemsIsTheErrorOfTheCall() {
        var unknown = Outcome.errorOf(nextMany(alloc, "contacts", next(7, 1), next(8, 1)));
        assertEquals(GrpcStatus.NOT_FOUND, unknown.status());
        assertEquals("there is no namespace 'contacts'", unknown.message());
        assertEquals(
                ErrorReason.NAMESPACE_UNKNOWN,
                Outcome.errorOf(currentMany(alloc, "contacts", current(7))).reason());
        var missing = Outcome.errorOf(nextMany(alloc, "", next(7, 1)));
        assertEquals(Map.of("field", "namespace"), missing.metadata());
    }

    @Test
    void tenThousandItemsAreServedAndNotOneMore() {
        var request = NextManyRequest.newBuilder().setNamespace("messages");
        for (int i = 0; i < 10_000; i++) {
            request.addItems(next(i % 1_000, 1));
        }
        var results = Outcome.replyOf(alloc.call(SequencesRpc.NEXT_MANY, request.build()))
                .getResultsList();
        var seen = new HashMap<Long, Long>();
        for (var result : results) {
            long expected = seen.merge(result.getUid(), 1L, Long::sum);
            assertEquals(taken(result.getUid(), expected, expected), result);
        }
        assertEquals(10_000, results.size());

        var error = Outcome.errorOf(
                alloc.call(SequencesRpc.NEXT_MANY, request.addItems(next(7, 1)).build()));
        assertEquals(ErrorReason.TOO_MANY_ITEMS, error.reason());
        assertEquals("items are 10001; there must be at most 10000", error.message());
        assertEquals(11, alloc.take("messages", 7, 1), "a refused call took numbers");
        var readings = Collections.nCopies(10_001, current(7)).toArray(CurrentItem[]::new);
        assertEquals(
                ErrorReason.TOO_MANY_ITEMS,
                Outcome.errorOf(currentMany(alloc, "messages", readings)).reason());
    }

    @Test
    void nobodyIsAskedForAndNobodyAnswered() {
        assertEquals(0, Outcome.replyOf(nextMany(alloc, "messages")).getResultsCount());
        assertEquals(0, Outcome.replyOf(currentMany(alloc, "messages")).getResultsCount());
    }

    @Test
    void allWaitForTheSlowestAndNoneIsDeliveredBefore() {
        store.fallSilent();
        var waiting = nextMany(alloc, "messages", next(7, 1), next(7, 40), next(150, 1));
        // Served later on the same connection, so the call before was taken by then.
        assertEquals(1, alloc.take("messages", 350, 1));
        assertFalse(waiting.isComplete());
        store.speak();
        assertEquals(
                List.of(taken(7, 1, 1), taken(7, 2, 41), taken(150, 1, 1)),
                Outcome.replyOf(waiting).getResultsList());
        assertTrue(store.maxSeq(MESSAGES, 0) >= 41);
    }

    private static final String LATE = "it still waited for StoreSvr when its time was over; it may have used numbers";

    @Test
    void whenTheTimeOfTheirCallerIsOverWhatStoreSvrKeepsWaitingIsRefusedAndTheOthersAreAnswered() throws IOException {
        store.fallSilent();
        try (var hasty = new RawCaller(alloc.address())) {
            var request = NextManyRequest.newBuilder()
                    .setNamespace("messages")
                    .addItems(next(7, 1))
                    .addItems(next(7, 40))
                    .build();
            var results =
                    hasty.replyToHasty(SequencesRpc.NEXT_MANY, request, 300).getResultsList();
            assertEquals(taken(7, 1, 1), results.get(0));
            assertError(
                    GrpcStatus.DEADLINE_EXCEEDED,
                    ErrorReason.DEADLINE_PASSED,
                    LATE,
                    results.get(1).getError());
        }
        assertWhatWasRefusedIsAGap();
    }

    @Test
    void soIsACallOfItsOwn() {
        alloc.take("messages", 7, 1);
        store.fallSilent();
        try (var hasty = new RawCaller(alloc.address())) {
            var request = NextRequest.newBuilder()
                    .setNamespace("messages")
                    .setUid(7)
                    .setCount(40)
                    .build();
            assertEquals(LATE, hasty.errorOfHasty(SequencesRpc.NEXT, request, 300));
        }
        assertWhatWasRefusedIsAGap();
    }

    @Test
    void whatWaitsForACallerThatHangsUpWaitsNoLonger() {
        alloc.take("messages", 7, 1);
        store.fallSilent();
        try (var leaving = alloc.anotherCaller()) {
            leaving.next("messages", 7, 20);
            leaving.call(
                    SequencesRpc.NEXT_MANY,
                    NextManyRequest.newBuilder()
                            .setNamespace("messages")
                            .addItems(next(7, 15))
                            .addItems(next(7, 5))
                            .build());
            awaitWaiting(3);
        }
        awaitWaiting(0);
        assertWhatWasRefusedIsAGap();
    }

    /** 1,000 may wait, and of each of these calls one item does. */
    @Test
    void whatIsKeptOfCallsThatWaitIsBoundedByAllOfTheirItems() {
        alloc.take("messages", 7, 1);
        store.ignore(Command.KindCase.RAISE);
        var request = NextManyRequest.newBuilder().setNamespace("messages").addItems(next(7, 40));
        for (int i = 1; i < 10_000; i++) {
            request.addItems(next(7, 0));
        }
        var first = alloc.call(SequencesRpc.NEXT_MANY, request.build());
        var second = alloc.call(SequencesRpc.NEXT_MANY, request.build());
        var refused = Outcome.replyOf(nextMany(alloc, "messages", next(350, 1), next(7, 1)));
        for (var result : refused.getResultsList()) {
            assertError(
                    GrpcStatus.RESOURCE_EXHAUSTED,
                    ErrorReason.TOO_MANY_WAITING,
                    "20000 items of calls for many users are kept until the last of each has ended; at most 20000 may"
                            + " be: ask for fewer at a time, or again soon",
                    result.getError());
        }
        assertEquals(1, alloc.take("messages", 350, 1), "nothing was taken");
        store.hear();
        assertEquals(taken(7, 2, 41), Outcome.replyOf(first).getResults(0));
        assertEquals(taken(7, 42, 81), Outcome.replyOf(second).getResults(0));
        assertEquals(
                taken(350, 2, 2),
                Outcome.replyOf(nextMany(alloc, "messages", next(350, 1))).getResults(0));
    }

    private void awaitWaiting(int requests) {
        var line = "seqsvr_requests_waiting{tier=\"allocsvr\"} " + (double) requests + "\n";
        long startedAt = System.nanoTime();
        while (!alloc.scrape().contains(line)) {
            assertTrue(Outcome.isInTime(startedAt), alloc::scrape);
        }
    }

    /** The raise comes in the end, and nobody is there for whom the numbers were. */
    private void assertWhatWasRefusedIsAGap() {
        store.speak();
        assertEquals(42, alloc.take("messages", 7, 1));
        assertTrue(alloc.scrape().contains("seqsvr_sequences_total{tier=\"allocsvr\"} 2.0"), alloc::scrape);
    }

    @Test
    void inQuorumOrderEachSegmentIsConfirmedAfterItsNumbers() {
        store.fallSilent();
        var waiting = nextMany(alloc, "quorum", next(7, 1), next(150, 2), next(7, 1), next(5_000, 1));
        assertEquals(1, store.awaitIgnoredConfirmation().get(0).getEpoch());
        assertFalse(waiting.isComplete());
        store.speak();
        var reply = Outcome.replyOf(waiting);
        assertEquals(
                List.of(taken(7, 1, 1), taken(150, 1, 2), taken(7, 2, 2)),
                reply.getResultsList().subList(0, 3));
        assertEquals(
                ErrorReason.UID_OUT_OF_RANGE, reply.getResults(3).getError().getReason());
        assertEquals(
                List.of(last(7, 2, Exactness.EXACT), last(150, 2, Exactness.EXACT)),
                Outcome.replyOf(currentMany(alloc, "quorum", current(7), current(150)))
                        .getResultsList());
    }

    @Test
    void keysThatShareACounterTakeInTurnAndReadBounds() {
        var reply = Outcome.replyOf(nextMany(alloc, "hashed", next(-1, 1), next(7, 2), next(-1, 1)));
        assertEquals(List.of(taken(-1, 1, 1), taken(7, 2, 3), taken(-1, 4, 4)), reply.getResultsList());
        var readings = Outcome.replyOf(currentMany(alloc, "hashed", current(-1), current(7)));
        assertEquals(
                List.of(last(-1, 4, Exactness.UPPER_BOUND), last(7, 4, Exactness.UPPER_BOUND)),
                readings.getResultsList());
    }

    @Test
    void withoutASessionEachItemIsNotReady() {
        store.fallSilent();
        try (var starting = new TestAllocSvr("alloc-2", store.address())) {
            var result =
                    Outcome.replyOf(nextMany(starting, "messages", next(7, 1))).getResults(0);
            assertEquals(ErrorReason.NOT_READY, result.getError().getReason());
            assertEquals(GrpcStatus.UNAVAILABLE.code, result.getError().getCode());
        }
    }
}
