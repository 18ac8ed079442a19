package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextResult;
import io.seqsvr.router.FakeAllocSvr.Asked;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls for many users at a router: every owner is asked once, and every item has its result in its place. */
@Timeout(30)
class RouterManyTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final long OF_ALLOC_1 = 1_001;
    private static final long OF_ALLOC_2 = 2_002;

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc1 = new FakeAllocSvr(OF_ALLOC_1);
    private final FakeAllocSvr alloc2 = new FakeAllocSvr(OF_ALLOC_2);

    @AfterEach
    void close() {
        alloc1.close();
        alloc2.close();
        store.close();
    }

    /** A router in front of two allocators that own some segments each. */
    private TestRouter inFrontOfTwo() {
        store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        var router = new TestRouter(store.address());
        router.awaitHealth(ServingStatus.SERVING);
        return router;
    }

    /** By which sequence the owner of a user is known. */
    private long ownerOf(long uid) {
        var owner = store.view()
                .routes()
                .find(MESSAGES.id(), MESSAGES.segmentOf(uid))
                .orElseThrow()
                .owner();
        return store.view().session(owner).orElseThrow().name().equals("alloc-1") ? OF_ALLOC_1 : OF_ALLOC_2;
    }

    /** A user of each segment, there and back: each comes twice, and both owners are mixed. */
    private static long[] thereAndBack() {
        return IntStream.range(0, 20)
                .mapToLong(i -> (i < 10 ? i : 19 - i) * 100L + 7)
                .toArray();
    }

    private static NextManyRequest.Builder wanted(long... uids) {
        var request = NextManyRequest.newBuilder().setNamespace("messages");
        for (long uid : uids) {
            request.addItems(NextItem.newBuilder().setUid(uid));
        }
        return request;
    }

    private static Future<NextManyReply> hastyNext(TestRouter router, NextManyRequest.Builder request) {
        return router.call(SequencesRpc.NEXT_MANY, request.build(), TestRouter.HASTY_MILLIS);
    }

    private static Future<NextManyReply> next(TestRouter router, NextManyRequest.Builder request) {
        return router.call(SequencesRpc.NEXT_MANY, request.build());
    }

    private static List<ErrorReason> reasons(NextManyReply reply) {
        return reply.getResultsList().stream()
                .map(result -> result.getError().getReason())
                .toList();
    }

    @Test
    void eachOwnerIsAskedOnceAndResultsComeInTheOrderOfTheItems() {
        try (var router = inFrontOfTwo()) {
            var uids = thereAndBack();
            var results = Outcome.replyOf(next(router, wanted(uids))).getResultsList();
            for (int i = 0; i < uids.length; i++) {
                assertEquals(uids[i], results.get(i).getUid());
                assertEquals(ownerOf(uids[i]), results.get(i).getTaken().getFirst());
            }
            assertEquals(uids.length, results.size());
            assertEquals(1, alloc1.frames().size());
            assertEquals(1, alloc2.frames().size());
            assertEquals(10, alloc1.asked().size());
            assertTrue(router.scrape().contains("verb=\"nextmany\""), router::scrape);
        }
    }

    @Test
    void itemsPassAsTheyAre() {
        try (var router = inFrontOfTwo()) {
            var owner = ownerOf(7) == OF_ALLOC_1 ? alloc1 : alloc2;
            owner.onFrame(calls -> FakeAllocSvr.refusal(ErrorReason.COUNT_OUT_OF_BOUNDS, "count is -1"));
            var item = NextItem.newBuilder().setUid(7).setCount(-1).setAtLeast(-1);
            var reply = Outcome.replyOf(next(router, wanted().addItems(item)));
            assertEquals(List.of(new Asked(FrameVerb.NEXT, 7, -1, -1)), List.copyOf(owner.asked()));
            assertEquals("count is -1", reply.getResults(0).getError().getMessage());
            var counted = "seqsvr_calls_refused_total{reason=\"COUNT_OUT_OF_BOUNDS\",tier=\"router\"} 1.0";
            assertTrue(router.scrape().contains(counted), router::scrape);
        }
    }

    @Test
    void readingsAreSplitToo() {
        try (var router = inFrontOfTwo()) {
            var request = CurrentManyRequest.newBuilder().setNamespace("messages");
            for (long uid : thereAndBack()) {
                request.addItems(CurrentItem.newBuilder().setUid(uid));
            }
            request.addItems(CurrentItem.newBuilder().setUid(1_000));
            var results = Outcome.replyOf(router.call(SequencesRpc.CURRENT_MANY, request.build()))
                    .getResultsList();
            var read = new ArrayList<Long>();
            for (CurrentResult result : results.subList(0, 20)) {
                assertEquals(ownerOf(result.getUid()), result.getLast().getSeq());
                read.add(result.getUid());
            }
            assertEquals(IntStream.range(0, 20).mapToObj(i -> thereAndBack()[i]).toList(), read);
            assertEquals(
                    ErrorReason.UID_OUT_OF_RANGE, results.get(20).getError().getReason());
        }
    }

    @Test
    void whatNobodyCanAnswerIsRefusedHereAndTheRestIsServed() {
        try (var router = inFrontOfTwo()) {
            var request = wanted(7, 1_000, -1)
                    .addItems(NextItem.newBuilder().setCount(1))
                    .addItems(NextItem.newBuilder().setUid(8));
            var reply = Outcome.replyOf(next(router, request));
            assertEquals(
                    List.of(
                            ErrorReason.ERROR_REASON_UNSPECIFIED,
                            ErrorReason.UID_OUT_OF_RANGE,
                            ErrorReason.UID_OUT_OF_RANGE,
                            ErrorReason.FIELD_MISSING,
                            ErrorReason.ERROR_REASON_UNSPECIFIED),
                    reasons(reply));
            assertEquals(
                    "uid is 18446744073709551615; namespace 'messages' holds 0 to 999",
                    reply.getResults(2).getError().getMessage());
            assertEquals(
                    "uid is missing; it must be given",
                    reply.getResults(3).getError().getMessage());
        }
    }

    @Test
    void whatIsWrongForAllItemsIsTheErrorOfTheCall() {
        try (var router = inFrontOfTwo()) {
            var unknown = Outcome.errorOf(next(router, wanted(7, 8).setNamespace("contacts")));
            assertEquals(GrpcStatus.NOT_FOUND, unknown.status());
            assertEquals(ErrorReason.NAMESPACE_UNKNOWN, unknown.reason());
            assertEquals(
                    Map.of("field", "namespace"),
                    Outcome.errorOf(next(router, wanted(7).clearNamespace())).metadata());
            assertEquals(
                    ErrorReason.TOO_MANY_ITEMS,
                    Outcome.errorOf(next(router, wanted(new long[10_001]))).reason());
            assertTrue(alloc1.asked().isEmpty());
            assertTrue(alloc2.asked().isEmpty());
        }
    }

    @Test
    void anOwnerThatIsGoneCostsItsOwnItemsOnly() {
        try (var router = inFrontOfTwo()) {
            alloc2.close();
            for (var result : ofTwo(router, ErrorReason.OWNER_UNREACHABLE).getResultsList()) {
                if (ownerOf(result.getUid()) == OF_ALLOC_2) {
                    assertEquals(GrpcStatus.UNAVAILABLE.code, result.getError().getCode());
                    assertTrue(result.getError().hasRetryDelay());
                }
            }
        }
    }

    /** The first owner answers its items, and those of the second are refused so. */
    private static NextManyReply ofTwo(TestRouter router, ErrorReason reason) {
        return TestRouter.replyOfHasty(
                () -> hastyNext(router, wanted(thereAndBack())),
                reply -> ofAlloc1(reply.getResultsList()) == 10
                        && reasons(reply).stream().filter(reason::equals).count() == 10);
    }

    private static long ofAlloc1(List<NextResult> results) {
        return results.stream()
                .filter(result -> result.getTaken().getFirst() == OF_ALLOC_1)
                .count();
    }

    @Test
    void anOwnerThatHangsCostsItsOwnItemsOnly() {
        alloc2.onFrame(calls -> null);
        try (var router = inFrontOfTwo()) {
            var unused = ofTwo(router, ErrorReason.OWNER_UNREACHABLE);
        }
    }

    @Test
    void whatAnOwnerSaysOfItsWholePartIsSaidOfEachOfItsItems() {
        alloc2.onFrame(calls -> FakeAllocSvr.refusal(ErrorReason.NOT_READY, "starting"));
        try (var router = inFrontOfTwo()) {
            var unused = ofTwo(router, ErrorReason.NOT_READY);
        }
    }

    /** Else the numbers that the other one has taken would be told to nobody. */
    @Test
    void anOwnerThatHasNotHeardOfTheNamespaceCostsItsOwnItemsOnlyAlsoWhereItsItemIsTheFirst() {
        try (var router = inFrontOfTwo()) {
            var ofFirstItem = ownerOf(7) == OF_ALLOC_1 ? alloc1 : alloc2;
            ofFirstItem.onFrame(calls -> FakeAllocSvr.refusal(ErrorReason.NAMESPACE_UNKNOWN, "not heard of"));
            var uids = thereAndBack();
            var reply = TestRouter.replyOfHasty(
                    () -> hastyNext(router, wanted(uids)),
                    each -> reasons(each).stream()
                                    .filter(ErrorReason.NAMESPACE_UNKNOWN::equals)
                                    .count()
                            == 10);
            for (var result : reply.getResultsList()) {
                assertEquals(ownerOf(result.getUid()) != ownerOf(7), result.hasTaken(), result::toString);
            }
        }
    }

    @Test
    void resultsThatDoNotFitTheItemsAreNoAnswer() {
        alloc2.onFrame(calls -> {
            var reply = FakeAllocSvr.reply(calls, OF_ALLOC_2, FakeAllocSvr.EPOCH);
            reply.seqs().add(OF_ALLOC_2);
            return reply;
        });
        alloc1.onFrame(calls -> {
            var reply = FakeAllocSvr.reply(calls, OF_ALLOC_1, FakeAllocSvr.EPOCH);
            reply.epochs().clear();
            return reply;
        });
        try (var router = inFrontOfTwo()) {
            var reply = TestRouter.replyOfHasty(() -> hastyNext(router, wanted(thereAndBack())));
            assertEquals(
                    20,
                    reasons(reply).stream()
                            .filter(ErrorReason.OWNER_UNREACHABLE::equals)
                            .count());
        }
    }

    @Test
    void anAnswerOfAFormerOwnerIsNotPassedOn() {
        try (var router = inFrontOfTwo()) {
            Outcome.replyOf(next(router, wanted(7)));
            for (var alloc : new FakeAllocSvr[] {alloc1, alloc2}) {
                alloc.onFrame(calls -> FakeAllocSvr.reply(calls, 3, FakeAllocSvr.EPOCH - 1));
            }
            // Of the segment between them no newer epoch is known.
            var unused = TestRouter.replyOfHasty(
                    () -> hastyNext(router, wanted(7, 107, 8)),
                    reply -> reply.getResults(0).getError().getReason() == ErrorReason.NOT_OWNER
                            && reply.getResults(1).getTaken().getFirst() == 3
                            && reply.getResults(2).getError().getReason() == ErrorReason.NOT_OWNER);
        }
    }
}
