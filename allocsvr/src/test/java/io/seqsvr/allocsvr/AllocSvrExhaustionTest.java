package io.seqsvr.allocsvr;

import static io.seqsvr.allocsvr.Items.next;
import static io.seqsvr.allocsvr.Items.nextMany;
import static io.seqsvr.allocsvr.Items.taken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Namespaces whose sequences come to an end: refused at the very last one, and announced long before. */
@Timeout(30)
class AllocSvrExhaustionTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final long INT_32 = Integer.MAX_VALUE;
    private static final long DOUBLE = (1L << 53) - 1;

    private final FakeStoreSvr store = new FakeStoreSvr(
            LEASE, ending(1, "int32", INT_32), ending(2, "javascript", DOUBLE), ending(3, "int64", Long.MAX_VALUE));
    private final TestAllocSvr alloc = new TestAllocSvr("alloc-1", store.address());

    private static Namespace ending(int id, String name, long maxSequence) {
        return new Namespace(
                id, name, 1_000, 100, Keying.DIRECT, Order.LEASE, 10_000, 10_000, Long.MAX_VALUE, maxSequence);
    }

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

    private void lift(String namespace, long uid, long floor) {
        Outcome.replyOf(alloc.call(
                SequencesRpc.RAISE_FLOOR,
                RaiseFloorRequest.newBuilder()
                        .setNamespace(namespace)
                        .setUid(uid)
                        .setFloor(floor)
                        .build()));
    }

    @ParameterizedTest
    @CsvSource({"int32, 2147483647", "javascript, 9007199254740991", "int64, 9223372036854775807"})
    void theLastSequenceIsHandedOutAndNoneAfterIt(String namespace, long end) {
        lift(namespace, 7, end - 10);
        assertEquals(end - 5, alloc.take(namespace, 7, 5));
        var tooMany = Outcome.errorOf(alloc.next(namespace, 7, 6));
        assertEquals(GrpcStatus.OUT_OF_RANGE, tooMany.status());
        assertEquals(ErrorReason.SEQUENCE_EXHAUSTED, tooMany.reason());
        assertEquals("user 7 stands at " + (end - 5) + "; 6 more would pass max_sequence " + end, tooMany.message());
        assertTrue(tooMany.retryAfterMillis() < 0, "no retry helps");

        var results = Outcome.replyOf(
                        nextMany(alloc, namespace, next(7, 4), next(7, 2), next(7, 1), next(7, 1), next(8, 1)))
                .getResultsList();
        assertEquals(taken(7, end - 4, end - 1), results.get(0));
        assertEquals(ErrorReason.SEQUENCE_EXHAUSTED, results.get(1).getError().getReason());
        assertEquals(GrpcStatus.OUT_OF_RANGE.code, results.get(1).getError().getCode());
        assertEquals(taken(7, end, end), results.get(2));
        assertEquals(ErrorReason.SEQUENCE_EXHAUSTED, results.get(3).getError().getReason());
        assertEquals(taken(8, 1, 1), results.get(4));
        assertEquals(end, Outcome.replyOf(alloc.current(namespace, 7)).getSeq());
    }

    @ParameterizedTest
    @CsvSource({"int32, 2147483647", "javascript, 9007199254740991", "int64, 9223372036854775807"})
    void aFrameGetsWhatIsLeftAndNoMore(String namespace, long end) {
        lift(namespace, 7, end - 2);
        try (var caller = new FrameCaller(alloc.address())) {
            var calls = FrameCaller.calls(1, 7, 7, 7, 8).namespaceName(namespace);
            var reply = caller.ask(calls);
            assertEquals(List.of(end - 1, end, 0L, 1L), reply.getSeqsList());
            var refusal = reply.getRefusals(0);
            assertEquals(ErrorReason.SEQUENCE_EXHAUSTED, refusal.getReason());
            assertEquals(List.of(2), refusal.getPlacesList());
        }
    }

    @Test
    void theVeryLastCanBeAskedForAndWhatIsAboveItCannot() {
        var request = NextRequest.newBuilder().setNamespace("int32").setUid(7);
        var beyond = Outcome.errorOf(
                alloc.call(SequencesRpc.NEXT, request.setAtLeast(INT_32 + 1).build()));
        assertEquals(GrpcStatus.OUT_OF_RANGE, beyond.status());
        assertEquals(
                INT_32,
                Outcome.replyOf(alloc.call(
                                SequencesRpc.NEXT, request.setAtLeast(INT_32).build()))
                        .getFirst());
    }

    private OptionalDouble used(String namespace) {
        var meter = "seqsvr_namespace_used_ratio{namespace=\"" + namespace + "\",tier=\"allocsvr\"} ";
        return alloc.scrape()
                .lines()
                .filter(line -> line.startsWith(meter))
                .mapToDouble(line -> Double.parseDouble(line.substring(meter.length())))
                .findFirst();
    }

    /** Gauges follow a look at the allocator, which comes once in a second. */
    private void awaitUsed(String namespace, double least) {
        long startedAt = System.nanoTime();
        while (used(namespace).orElse(-1) < least) {
            assertTrue(Outcome.isInTime(startedAt), () -> namespace + " is used to " + used(namespace));
        }
    }

    /** Those of one look leave one after the other: who sees that one is gone may still see the next. */
    private void awaitNotShown(String namespace) {
        long startedAt = System.nanoTime();
        while (used(namespace).isPresent()) {
            assertTrue(Outcome.isInTime(startedAt), () -> namespace + " is still shown");
        }
    }

    @Test
    void theEndIsAnnouncedBeforeItComes() {
        awaitUsed("int32", 0);
        awaitUsed("javascript", 0);
        assertTrue(used("int32").orElseThrow() < 0.01);
        lift("int32", 107, INT_32 / 10 * 9);
        awaitUsed("int32", 0.9);
        assertTrue(used("int32").orElseThrow() < 0.91, "the end is far for it");
        assertTrue(used("javascript").orElseThrow() < 0.01, "each namespace for itself");
        assertTrue(alloc.take("int32", 107, 1) > 0, "announced, and still served");
    }

    @Test
    void whoOwnsNothingOfANamespaceAnnouncesNothing() {
        awaitUsed("int32", 0);
        store.expire(store.awaitSession("alloc-1"));
        awaitNotShown("int32");
        awaitNotShown("javascript");
    }
}
