package io.seqsvr.router;

import static io.seqsvr.storeclient.fixture.FrameCaller.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.router.FakeAllocSvr.Asked;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The router as front door: each request reaches the owner of its user, each answer comes back as it was. */
@Timeout(30)
class RouterProxyTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc1 = new FakeAllocSvr(1_001);
    private final FakeAllocSvr alloc2 = new FakeAllocSvr(2_002);

    @AfterEach
    void close() {
        alloc1.close();
        alloc2.close();
        store.close();
    }

    /** A router in front of one allocator that owns everything. */
    private TestRouter inFrontOfOne() {
        store.open("alloc-1", alloc1.address());
        var router = new TestRouter(store.address());
        router.awaitHealth(ServingStatus.SERVING);
        return router;
    }

    private static NextRequest.Builder user7() {
        return NextRequest.newBuilder().setNamespace("messages").setUid(7);
    }

    @Test
    void anyUidFindsItsOwnerWhereUidsAreHashed() {
        var hashed = new Namespace(1, "messages", 10, 1, Keying.HASHED, Order.LEASE, 10, 50, 0, Long.MAX_VALUE);
        try (var hashedStore = new FakeStoreSvr(LEASE, hashed)) {
            hashedStore.open("alloc-1", alloc1.address());
            try (var router = new TestRouter(hashedStore.address())) {
                router.awaitHealth(ServingStatus.SERVING);
                Outcome.replyOf(router.next("messages", -1));
                Outcome.replyOf(router.next("messages", 1L << 40));
                assertEquals(2, alloc1.asked().size());
            }
        }
    }

    @Test
    void whatIsWantedReachesTheOwnerAndItsAnswerTheCaller() {
        alloc1.onFrame(calls -> FakeAllocSvr.reply(calls, 11, 100));
        try (var router = inFrontOfOne()) {
            var three = Outcome.replyOf(
                    router.call(SequencesRpc.NEXT, user7().setCount(5).build()));
            assertEquals(
                    NextReply.newBuilder()
                            .setUid(7)
                            .setFirst(11)
                            .setLast(15)
                            .setEpoch(100)
                            .build(),
                    three);
            var one = Outcome.replyOf(
                    router.call(SequencesRpc.NEXT, user7().setAtLeast(9).build()));
            assertEquals(11, one.getLast());
            assertEquals(
                    List.of(new Asked(FrameVerb.NEXT, 7, 5, 0), new Asked(FrameVerb.NEXT, 7, 1, 9)),
                    List.copyOf(alloc1.asked()));
        }
    }

    @Test
    void anAnswerOfAFormerOwnerIsNotPassedOnAndTheCallTriedAgain() {
        try (var router = inFrontOfOne()) {
            Outcome.replyOf(router.next("messages", 7));
            alloc1.onFrame(calls -> FakeAllocSvr.reply(calls, 3, FakeAllocSvr.EPOCH - 1));
            TestRouter.awaitRefusal(() -> router.hastyNext("messages", 7), ErrorReason.NOT_OWNER);
            assertTrue(alloc1.asked().size() > 2, alloc1.asked()::toString);
            assertTrue(router.scrape().contains("seqsvr_proxy_disbelieved_total{tier=\"router\"} "), router::scrape);
            assertFalse(router.scrape().contains("seqsvr_proxy_disbelieved_total{tier=\"router\"} 0.0"));
        }
    }

    @Test
    void aRefusalThatPassesCostsTheCallerTimeOnly() {
        var frames = new AtomicInteger();
        alloc1.onFrame(calls -> frames.incrementAndGet() < 4
                ? FakeAllocSvr.refusal(ErrorReason.LEASE_EXPIRED, "the lease is over")
                : FakeAllocSvr.reply(calls, 12, FakeAllocSvr.EPOCH));
        try (var router = inFrontOfOne()) {
            assertEquals(12, Outcome.replyOf(router.next("messages", 7)).getFirst());
            assertEquals(4, frames.get());
        }
    }

    @Test
    void aCallThatHasSeenANewerEpochIsNotSentBeforeThatIsKnown() {
        try (var router = inFrontOfOne()) {
            var newer = user7().setMinEpoch(FakeAllocSvr.EPOCH).build();
            var refused = TestRouter.errorOfHasty(() -> router.call(SequencesRpc.NEXT, newer, TestRouter.HASTY_MILLIS));
            assertEquals(ErrorReason.NOT_OWNER, refused.reason());
            assertTrue(refused.message().endsWith("older than min_epoch 100"), refused::message);
            assertTrue(alloc1.asked().isEmpty());
            Outcome.replyOf(router.next("messages", 8));
            assertEquals(
                    1_001,
                    Outcome.replyOf(router.call(SequencesRpc.NEXT, newer)).getFirst());
        }
    }

    @Test
    void callsOfSeveralConnectionsShareAFrame() {
        var release = new CompletableFuture<Void>();
        try (var router = inFrontOfOne()) {
            Outcome.replyOf(router.next("messages", 7));
            alloc1.frames().clear();
            alloc1.onFrame(calls -> {
                release.join();
                return FakeAllocSvr.reply(calls, 5, FakeAllocSvr.EPOCH);
            });
            var calls = new ArrayList<Future<NextReply>>();
            for (long uid = 0; uid < 200; uid++) {
                calls.add(router.next("messages", uid));
            }
            release.complete(null);
            calls.forEach(Outcome::replyOf);
            assertTrue(alloc1.frames().size() < 100, () -> alloc1.frames().size() + " frames");
        }
    }

    @Test
    void currentPassesToo() {
        try (var router = inFrontOfOne()) {
            var reply = Outcome.replyOf(router.call(
                    SequencesRpc.CURRENT,
                    CurrentRequest.newBuilder()
                            .setNamespace("messages")
                            .setUid(7)
                            .build()));
            assertEquals(1_001, reply.getSeq());
            assertEquals(Exactness.UPPER_BOUND, reply.getExactness());
            assertEquals(List.of(new Asked(FrameVerb.CURRENT, 7, 1, 0)), List.copyOf(alloc1.asked()));
        }
    }

    @Test
    void aRaisedFloorPassesToo() {
        try (var router = inFrontOfOne()) {
            var request = RaiseFloorRequest.newBuilder()
                    .setNamespace("messages")
                    .setUid(7)
                    .setFloor(700)
                    .build();
            assertEquals(
                    700,
                    Outcome.replyOf(router.call(SequencesRpc.RAISE_FLOOR, request))
                            .getSeq());
            assertEquals(List.of(new Asked(FrameVerb.RAISE_FLOOR, 7, 1, 700)), List.copyOf(alloc1.asked()));
            assertRefused(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.FIELD_MISSING,
                    "floor",
                    "floor is missing; it must be given",
                    router.call(
                            SequencesRpc.RAISE_FLOOR,
                            request.toBuilder().clearFloor().build()));
        }
    }

    @Test
    void whatAnOwnerRefusesForGoodIsRefusedAtOnce() {
        try (var router = inFrontOfOne()) {
            for (var reason : List.of(
                    ErrorReason.COUNT_OUT_OF_BOUNDS,
                    ErrorReason.JUMP_OUT_OF_BOUNDS,
                    ErrorReason.SEQUENCE_EXHAUSTED,
                    ErrorReason.TOO_MANY_WAITING,
                    ErrorReason.TOO_MANY_USERS)) {
                alloc1.asked().clear();
                alloc1.onFrame(calls -> FakeAllocSvr.refusal(reason, "the words of the owner"));
                var error = Outcome.errorOf(router.next("messages", 7));
                assertEquals(reason, error.reason());
                assertEquals("the words of the owner", error.message());
                assertEquals(1, alloc1.asked().size());
            }
        }
    }

    @Test
    void eachUserIsAskedForAtItsOwner() {
        store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            for (int segment = 0; segment < MESSAGES.segmentCount(); segment++) {
                var owner = store.view()
                        .routes()
                        .find(MESSAGES.id(), segment)
                        .orElseThrow()
                        .owner();
                var name = store.view().session(owner).orElseThrow().name();
                long expected = name.equals("alloc-1") ? 1_001 : 2_002;
                for (long uid : new long[] {segment * 100L, segment * 100L + 99}) {
                    assertEquals(
                            expected,
                            Outcome.replyOf(router.next("messages", uid)).getFirst());
                }
            }
            assertEquals(10, alloc1.asked().size());
            assertEquals(10, alloc2.asked().size());
        }
    }

    @Test
    void anOwnerThatNeverAnswersIsAnUnknownOutcomeBeforeTheCallersTimeIsOver() {
        alloc1.onFrame(calls -> null);
        try (var router = inFrontOfOne()) {
            var error = TestRouter.errorOfHasty(() -> router.hastyNext("messages", 7));
            assertEquals(GrpcStatus.UNAVAILABLE, error.status());
            assertEquals(ErrorReason.OWNER_UNREACHABLE, error.reason());
        }
    }

    /** What waits for the first picture keeps its name meanwhile, and a name may come as megabytes. */
    @Test
    void aNameThatIsTooLongForAnyNamespaceWaitsForNoPicture() {
        var endless = "x".repeat(1 << 20);
        try (var router = new TestRouter(new HostPort("127.0.0.1", 1));
                var stream = new FrameCaller(router.address())) {
            var error = Outcome.errorOf(router.next(endless, 7));
            assertEquals(ErrorReason.NAMESPACE_UNKNOWN, error.reason());
            var items = NextManyRequest.newBuilder()
                    .setNamespace(endless)
                    .addItems(NextItem.newBuilder().setUid(7))
                    .build();
            var ofMany = Outcome.errorOf(router.call(SequencesRpc.NEXT_MANY, items));
            assertEquals(ErrorReason.NAMESPACE_UNKNOWN, ofMany.reason());
            var refusal = stream.ask(
                            calls(1, 7).namespaceName("x".repeat(100_000)).timeoutMillis(20_000))
                    .getRefusals(0);
            assertEquals(ErrorReason.NAMESPACE_UNKNOWN, refusal.getReason());
        }
    }

    @Test
    void whatNobodyCanAnswerIsRefusedByNameAndValueWithoutAskingAnOwner() {
        try (var router = inFrontOfOne()) {
            assertRefused(
                    GrpcStatus.NOT_FOUND,
                    ErrorReason.NAMESPACE_UNKNOWN,
                    "namespace",
                    "there is no namespace 'contacts'",
                    router.next("contacts", 7));
            assertRefused(
                    GrpcStatus.OUT_OF_RANGE,
                    ErrorReason.UID_OUT_OF_RANGE,
                    "uid",
                    "uid is 1000; namespace 'messages' holds 0 to 999",
                    router.next("messages", 1_000));
            assertRefused(
                    GrpcStatus.OUT_OF_RANGE,
                    ErrorReason.UID_OUT_OF_RANGE,
                    "uid",
                    "uid is 18446744073709551615; namespace 'messages' holds 0 to 999",
                    router.next("messages", -1));
            assertRefused(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.FIELD_MISSING,
                    "uid",
                    "uid is missing; it must be given",
                    router.call(SequencesRpc.NEXT, user7().clearUid().build()));
            assertRefused(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.FIELD_MISSING,
                    "namespace",
                    "namespace is missing; it must be given",
                    router.call(
                            SequencesRpc.CURRENT,
                            CurrentRequest.newBuilder().setUid(7).build()));
            assertTrue(alloc1.asked().isEmpty());
        }
    }

    private static void assertRefused(
            GrpcStatus status, ErrorReason reason, String field, String message, Future<? extends Message> call) {
        var error = Outcome.errorOf(call);
        assertEquals(message, error.message());
        assertEquals(status, error.status());
        assertEquals(reason, error.reason());
        assertEquals(Map.of("field", field), error.metadata());
    }

    @Test
    void plainHttpPassesToo() throws Exception {
        try (var router = inFrontOfOne()) {
            var request = HttpRequest.newBuilder(
                            URI.create("http://" + router.address() + "/v1/namespaces/messages/users/7:next"))
                    .POST(BodyPublishers.noBody())
                    .build();
            assertEquals(
                    "{\"uid\":\"7\",\"first\":\"1001\",\"last\":\"1001\",\"epoch\":\"100\"}\n",
                    HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .body());
        }
    }

    @Test
    void metersShowTableAndAllocatorsAndNoUser() {
        try (var router = inFrontOfOne()) {
            Outcome.replyOf(router.next("messages", 937));
            var scraped = router.scrape();
            long version = store.view().routes().version();
            assertTrue(scraped.contains("seqsvr_routes_version{tier=\"router\"} " + (double) version + "\n"), scraped);
            assertTrue(scraped.contains("seqsvr_incarnation{tier=\"router\"} 0.0\n"), scraped);
            assertTrue(scraped.contains("seqsvr_allocators{tier=\"router\"} 1.0\n"), scraped);
            assertTrue(
                    scraped.contains("seqsvr_requests_seconds_count{code=\"OK\",tier=\"router\",verb=\"next\"} 1\n"),
                    scraped);
            // As the value of a label: the digits of a time may be the same.
            assertFalse(scraped.contains("\"937\""), scraped);
        }
    }
}
