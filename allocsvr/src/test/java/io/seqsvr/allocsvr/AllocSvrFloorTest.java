package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorReply;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who are lifted over the wire: by the least number of a call, and by a floor. */
@Timeout(30)
class AllocSvrFloorTest {
    /** No pause of a busy machine outlasts it. */
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);

    private static final Namespace MESSAGES =
            new Namespace(1, "messages", 1_000, 100, Keying.DIRECT, Order.LEASE, 10, 50, 1_000, 1_000_000);
    private static final Namespace QUORUM =
            new Namespace(2, "quorum", 1_000, 100, Keying.DIRECT, Order.QUORUM, 10, 50, 1_000, 1_000_000);
    private static final Namespace HASHED =
            new Namespace(3, "hashed", 1, 1, Keying.HASHED, Order.LEASE, 10, 50, 1_000, 1_000_000);

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

    private static NextRequest.Builder user7() {
        return NextRequest.newBuilder().setNamespace("messages").setUid(7);
    }

    private Future<NextReply> atLeast(long atLeast) {
        return alloc.call(SequencesRpc.NEXT, user7().setAtLeast(atLeast).build());
    }

    private Future<RaiseFloorReply> raise(TestAllocSvr at, String namespace, long uid, long floor) {
        return at.call(
                SequencesRpc.RAISE_FLOOR,
                RaiseFloorRequest.newBuilder()
                        .setNamespace(namespace)
                        .setUid(uid)
                        .setFloor(floor)
                        .build());
    }

    private static RaiseFloorReply standing(long uid, long seq) {
        return RaiseFloorReply.newBuilder().setUid(uid).setSeq(seq).setEpoch(1).build();
    }

    private static void assertRefused(
            GrpcStatus status, ErrorReason reason, String field, String message, Future<? extends Message> call) {
        var error = Outcome.errorOf(call);
        assertEquals(message, error.message());
        assertEquals(status, error.status());
        assertEquals(reason, error.reason());
        assertEquals(field.isEmpty() ? Map.of() : Map.of("field", field), error.metadata());
    }

    @Test
    void theFirstSequenceIsNotBelowTheLeastNumberAsked() {
        assertEquals(400, Outcome.replyOf(atLeast(400)).getFirst());
        assertTrue(store.maxSeq(MESSAGES, 0) >= 400);
        assertEquals(401, Outcome.replyOf(atLeast(400)).getFirst());
        assertEquals(402, Outcome.replyOf(atLeast(0)).getFirst());
        var five = user7().setAtLeast(500).setCount(5).build();
        assertEquals(504, Outcome.replyOf(alloc.call(SequencesRpc.NEXT, five)).getLast());
        assertEquals(1, alloc.take("messages", 8, 1), "neighbours stay where they are");
    }

    @Test
    void theLeastNumberIsBoundedByMaxJump() {
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.JUMP_OUT_OF_BOUNDS,
                "at_least",
                "at_least is 1012; it must lie at most max_jump 1000 above max_seq 10",
                atLeast(1_012));
        assertEquals(1_011, Outcome.replyOf(atLeast(1_011)).getFirst());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void numbersAboveAllSequencesAreShownAsTheyWereGiven(long huge) {
        var shown = Long.toUnsignedString(huge) + "; it must lie at most max_jump 1000 above max_seq 10";
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.JUMP_OUT_OF_BOUNDS,
                "at_least",
                "at_least is " + shown,
                atLeast(huge));
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.JUMP_OUT_OF_BOUNDS,
                "floor",
                "floor is " + shown,
                raise(alloc, "messages", 7, huge));
        assertEquals(1, alloc.take("messages", 7, 1), "a refused call lifted the user");
    }

    @Test
    void whatLiesAboveMaxSequenceIsExhaustedAndNotAJump() {
        assertRefused(
                GrpcStatus.OUT_OF_RANGE,
                ErrorReason.SEQUENCE_EXHAUSTED,
                "",
                "at_least is 9223372036854775807; it lies above max_sequence 1000000",
                atLeast(Long.MAX_VALUE));
        assertRefused(
                GrpcStatus.OUT_OF_RANGE,
                ErrorReason.SEQUENCE_EXHAUSTED,
                "",
                "floor is 1000001; it lies above max_sequence 1000000",
                raise(alloc, "messages", 7, 1_000_001));
    }

    @ParameterizedTest
    @ValueSource(longs = {2, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void aCallerThatKnowsANewerEpochIsRefused(long epoch) {
        var message = "segment 1/0 is served in epoch 1 here; the caller knows " + Long.toUnsignedString(epoch);
        var calls = new Future<?>[] {
            alloc.call(SequencesRpc.NEXT, user7().setMinEpoch(epoch).build()),
            alloc.call(
                    SequencesRpc.CURRENT,
                    CurrentRequest.newBuilder()
                            .setNamespace("messages")
                            .setUid(7)
                            .setMinEpoch(epoch)
                            .build()),
            alloc.call(
                    SequencesRpc.RAISE_FLOOR,
                    RaiseFloorRequest.newBuilder()
                            .setNamespace("messages")
                            .setUid(7)
                            .setFloor(5)
                            .setMinEpoch(epoch)
                            .build())
        };
        for (var call : calls) {
            assertRefused(
                    GrpcStatus.FAILED_PRECONDITION, ErrorReason.NOT_OWNER, "", message, call.map(Message.class::cast));
        }
        var sameEpoch = user7().setMinEpoch(1).build();
        assertEquals(
                1, Outcome.replyOf(alloc.call(SequencesRpc.NEXT, sameEpoch)).getFirst());
    }

    @Test
    void allLaterSequencesLieAboveARaisedFloor() {
        assertEquals(3, alloc.take("messages", 7, 3));
        assertEquals(standing(7, 700), Outcome.replyOf(raise(alloc, "messages", 7, 700)));
        assertTrue(store.maxSeq(MESSAGES, 0) >= 700);
        var bound = Outcome.replyOf(alloc.current("messages", 7));
        assertEquals(700, bound.getSeq());
        assertEquals(Exactness.UPPER_BOUND, bound.getExactness());
        assertEquals(701, alloc.take("messages", 7, 1));
        assertEquals(1, alloc.take("messages", 8, 1));
        assertEquals(standing(7, 701), Outcome.replyOf(raise(alloc, "messages", 7, 700)), "a repeat");
        assertEquals(standing(9, 0), Outcome.replyOf(raise(alloc, "messages", 9, 0)), "0 lifts nobody");
        assertEquals(1, alloc.take("messages", 9, 1));
    }

    @Test
    void aFloorIsAnsweredOnlyOnceItIsDurable() {
        store.fallSilent();
        var waiting = raise(alloc, "messages", 7, 700);
        assertEquals(1, alloc.take("messages", 350, 1));
        assertFalse(waiting.isComplete());
        store.speak();
        assertEquals(standing(7, 700), Outcome.replyOf(waiting));
    }

    @Test
    void inQuorumOrderAFloorIsConfirmed() {
        assertEquals(standing(7, 5), Outcome.replyOf(raise(alloc, "quorum", 7, 5)));
        store.fallSilent();
        var waiting = raise(alloc, "quorum", 7, 6);
        store.awaitIgnoredConfirmation();
        assertFalse(waiting.isComplete());
        store.speak();
        assertEquals(standing(7, 6), Outcome.replyOf(waiting));
    }

    @Test
    void keysThatShareACounterAreLiftedTogether() {
        assertEquals(standing(-1, 90), Outcome.replyOf(raise(alloc, "hashed", -1, 90)));
        assertEquals(91, alloc.take("hashed", 7, 1));
    }

    @Test
    void theNextOwnerStartsAboveTheFloor() {
        Outcome.replyOf(raise(alloc, "messages", 7, 700));
        store.expire(store.awaitSession("alloc-1"));
        try (var heir = new TestAllocSvr("alloc-2", store.address())) {
            store.assignAll("alloc-2");
            heir.awaitHealth(ServingStatus.SERVING);
            assertTrue(heir.take("messages", 7, 1) > 700);
        }
    }

    @Test
    void aFloorMustBeGivenAndItsUserMustExist() {
        var withoutFloor = RaiseFloorRequest.newBuilder()
                .setNamespace("messages")
                .setUid(7)
                .build();
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.FIELD_MISSING,
                "floor",
                "floor is missing; it must be given",
                alloc.call(SequencesRpc.RAISE_FLOOR, withoutFloor));
        assertRefused(
                GrpcStatus.OUT_OF_RANGE,
                ErrorReason.UID_OUT_OF_RANGE,
                "uid",
                "uid is 18446744073709551615; namespace 'messages' holds 0 to 999",
                raise(alloc, "messages", -1, 5));
    }
}
