package io.seqsvr.node.api;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Required fields, and what each refusal of the rules is called in the API. */
class PublicApiTest {
    @Test
    void namespaceAndUidMustBeThere() {
        assertMissing("namespace", NextRequest.newBuilder().setUid(7).build());
        assertMissing("uid", NextRequest.newBuilder().setNamespace("messages").build());
        assertMissing("namespace", NextRequest.getDefaultInstance());
        var incomplete = CurrentRequest.newBuilder().setNamespace("messages").build();
        assertEquals(
                ErrorReason.FIELD_MISSING,
                assertThrows(RpcException.class, () -> PublicApi.check(incomplete))
                        .reason());
    }

    private static void assertMissing(String field, NextRequest request) {
        var error = assertThrows(RpcException.class, () -> PublicApi.check(request));
        assertEquals(GrpcStatus.INVALID_ARGUMENT, error.status());
        assertEquals(ErrorReason.FIELD_MISSING, error.reason());
        assertEquals(field + " is missing; it must be given", error.message());
        assertEquals(Map.of("field", field), error.metadata());
    }

    @Test
    void aNameThatIsTooLongForAnyNamespaceIsOfNone() {
        var endless = "x".repeat(1 << 20);
        var request = NextRequest.newBuilder().setNamespace(endless).setUid(7);
        var error = assertThrows(RpcException.class, () -> PublicApi.check(request.build()));
        assertEquals(GrpcStatus.NOT_FOUND, error.status());
        assertEquals(ErrorReason.NAMESPACE_UNKNOWN, error.reason());
        assertTrue(error.message().endsWith("...' of 1048576 characters"), error::message);
        request.setNamespace("x".repeat(63));
        assertDoesNotThrow(() -> PublicApi.check(request.build()));
        var many = NextManyRequest.newBuilder().setNamespace(endless);
        assertEquals(
                ErrorReason.NAMESPACE_UNKNOWN,
                assertThrows(RpcException.class, () -> ManyApi.check(many.build()))
                        .reason());
    }

    @Test
    void aFloorMustBeThere() {
        var request = RaiseFloorRequest.newBuilder().setNamespace("messages");
        assertEquals(
                "uid is missing; it must be given",
                assertThrows(RpcException.class, () -> PublicApi.check(request.build()))
                        .message());
        request.setUid(7);
        assertEquals(
                Map.of("field", "floor"),
                assertThrows(RpcException.class, () -> PublicApi.check(request.build()))
                        .metadata());
        request.setFloor(0);
        assertDoesNotThrow(() -> PublicApi.check(request.build()));
    }

    @Test
    void aJumpThatIsTooFarNamesTheFieldThatAskedForIt() {
        var refused = new Answer.Refused(Refusal.JUMP_OUT_OF_BOUNDS, "a sentence");
        assertEquals(Map.of("field", "floor"), PublicApi.error(refused, "floor").metadata());
    }

    @Test
    void uidZeroIsThere() {
        var user0 = NextRequest.newBuilder().setNamespace("messages").setUid(0).build();
        assertDoesNotThrow(() -> PublicApi.check(user0));
    }

    @ParameterizedTest
    @CsvSource({
        "NAMESPACE_UNKNOWN, NOT_FOUND, namespace, -1",
        "UID_OUT_OF_RANGE, OUT_OF_RANGE, uid, -1",
        "COUNT_OUT_OF_BOUNDS, INVALID_ARGUMENT, count, -1",
        "JUMP_OUT_OF_BOUNDS, INVALID_ARGUMENT, at_least, -1",
        "SEQUENCE_EXHAUSTED, OUT_OF_RANGE, '', -1",
        "NOT_OWNER, FAILED_PRECONDITION, '', 50",
        "LEASE_EXPIRED, UNAVAILABLE, '', 50",
        "NOT_READY, UNAVAILABLE, '', 50",
        "TOO_MANY_WAITING, RESOURCE_EXHAUSTED, '', 50",
        "TOO_MANY_USERS, RESOURCE_EXHAUSTED, '', -1",
        "DEADLINE_PASSED, DEADLINE_EXCEEDED, '', 50"
    })
    void refusalHasItsStatusItsFieldAndItsRetry(Refusal refusal, GrpcStatus status, String field, long retryMillis) {
        var error = PublicApi.error(new Answer.Refused(refusal, "a sentence"));
        assertEquals(status, error.status());
        assertEquals(refusal.name(), error.reason().name());
        assertEquals("a sentence", error.message());
        assertEquals(field.isEmpty() ? Map.of() : Map.of("field", field), error.metadata());
        assertEquals(retryMillis, error.retryAfterMillis());
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyRefusalHasAReasonOfItsOwnName(Refusal refusal) {
        assertEquals(
                refusal.name(),
                PublicApi.error(new Answer.Refused(refusal, "a sentence"))
                        .reason()
                        .name());
    }
}
