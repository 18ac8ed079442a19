package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Message;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an AllocSvr refuses, and how: status, reason, and a message that names field and value. */
@Timeout(30)
class AllocSvrRefusalTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final Namespace SHORT = new Namespace(2, "short", 10, 10, 5, 50, 20);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES, SHORT);
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

    private static void assertRefused(
            GrpcStatus status, ErrorReason reason, String field, String message, Future<? extends Message> call) {
        var error = Outcome.errorOf(call);
        assertEquals(message, error.message());
        assertEquals(status, error.status());
        assertEquals(reason, error.reason());
        assertEquals(field.isEmpty() ? Map.of() : Map.of("field", field), error.metadata());
    }

    @Test
    void namespaceAndUidMustBeGiven() {
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.FIELD_MISSING,
                "namespace",
                "namespace is missing; it must be given",
                alloc.call(SequencesRpc.NEXT, NextRequest.newBuilder().setUid(7).build()));
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.FIELD_MISSING,
                "uid",
                "uid is missing; it must be given",
                alloc.call(
                        SequencesRpc.NEXT,
                        NextRequest.newBuilder().setNamespace("messages").build()));
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.FIELD_MISSING,
                "uid",
                "uid is missing; it must be given",
                alloc.call(
                        SequencesRpc.CURRENT,
                        CurrentRequest.newBuilder().setNamespace("messages").build()));
    }

    /** The epoch is over, whatever pictures say: its segment is served no more, and others are. */
    @Test
    void aRaiseThatIsRefusedForItsEpochRefusesWhoWaitsForIt() {
        long epoch = Outcome.replyOf(alloc.next("messages", 7, 1)).getEpoch();
        var item = new StoreReply.RaisedItem(new SegmentId(MESSAGES.id(), 0), epoch, false, 1_000);
        store.answerRaisesWith(new StoreReply.Raised(List.of(item)));
        assertEquals(
                ErrorReason.NOT_OWNER,
                Outcome.errorOf(alloc.next("messages", 7, 50)).reason());
        alloc.take("messages", 107, 1);
    }

    @Test
    void countThatIsAbsentMeansOne() {
        var request =
                NextRequest.newBuilder().setNamespace("messages").setUid(7).build();
        var reply = Outcome.replyOf(alloc.call(SequencesRpc.NEXT, request));
        assertEquals(1, reply.getLast() - reply.getFirst() + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"contacts", "Messages", " messages", "messages/7"})
    void namespaceThatDoesNotExist(String namespace) {
        var message = "there is no namespace '" + namespace + "'";
        for (var call : new Future<?>[] {alloc.next(namespace, 7, 1), alloc.current(namespace, 7)}) {
            assertRefused(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "namespace", message, call.map(reply ->
                    (Message) reply));
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "-1, 18446744073709551615", "4294967296, 4294967296"})
    void uidBeyondTheNamespace(long uid, String shown) {
        var message = "uid is " + shown + "; namespace 'messages' holds 0 to 999";
        for (var call : new Future<?>[] {alloc.next("messages", uid, 1), alloc.current("messages", uid)}) {
            assertRefused(GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", message, call.map(reply ->
                    (Message) reply));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 51, Long.MAX_VALUE, Long.MIN_VALUE})
    void countOutOfBounds(long count) {
        assertRefused(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.COUNT_OUT_OF_BOUNDS,
                "count",
                "count is " + count + "; it must be from 1 to 50",
                alloc.next("messages", 7, count));
        assertEquals(1, alloc.take("messages", 7, 1), "a refused count took numbers");
    }

    @Test
    void sequencesThatAreUsedUp() {
        assertEquals(19, alloc.take("short", 7, 19));
        assertRefused(
                GrpcStatus.OUT_OF_RANGE,
                ErrorReason.SEQUENCE_EXHAUSTED,
                "",
                "user 7 stands at 19; 2 more would pass max_sequence 20",
                alloc.next("short", 7, 2));
        assertEquals(20, alloc.take("short", 7, 1));
        assertEquals(
                ErrorReason.SEQUENCE_EXHAUSTED,
                Outcome.errorOf(alloc.next("short", 7, 1)).reason());
        assertEquals(1, alloc.take("short", 8, 1));
    }
}
