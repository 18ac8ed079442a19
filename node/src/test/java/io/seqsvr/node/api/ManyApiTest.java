package io.seqsvr.node.api;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.util.Durations;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.proto.rpc.RequestItems;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextResult;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What holds of calls for many users before any user is looked at. */
class ManyApiTest {
    private static NextManyRequest.Builder items(int count) {
        return NextManyRequest.newBuilder()
                .setNamespace("messages")
                .addAllItems(Collections.nCopies(count, NextItem.getDefaultInstance()));
    }

    @Test
    void thereAreAtMostTenThousandItems() {
        for (int count : new int[] {0, 1, 10_000}) {
            assertDoesNotThrow(() -> ManyApi.check(items(count).build()));
        }
        var error = assertThrows(
                RpcException.class, () -> ManyApi.check(items(10_001).build()));
        assertEquals(GrpcStatus.INVALID_ARGUMENT, error.status());
        assertEquals(ErrorReason.TOO_MANY_ITEMS, error.reason());
        assertEquals("items are 10001; there must be at most 10000", error.message());
        assertEquals(Map.of("field", "items"), error.metadata());
    }

    @Test
    void theNamespaceMustBeThere() {
        var error = assertThrows(
                RpcException.class,
                () -> ManyApi.check(items(1).clearNamespace().build()));
        assertEquals(Map.of("field", "namespace"), error.metadata());
        assertThrows(RpcException.class, () -> ManyApi.check(CurrentManyRequest.getDefaultInstance()));
    }

    @Test
    void anItemSaysWhatTheErrorOfACallWouldSay() {
        var error = ManyApi.error(PublicApi.error(new Answer.Refused(Refusal.LEASE_EXPIRED, "a sentence")));
        assertEquals(GrpcStatus.UNAVAILABLE.code, error.getCode());
        assertEquals(ErrorReason.LEASE_EXPIRED, error.getReason());
        assertEquals("a sentence", error.getMessage());
        assertEquals(Durations.fromMillis(50), error.getRetryDelay());
    }

    @Test
    void whereWaitingDoesNotHelpAnItemHasNoDelay() {
        var error = ManyApi.error(PublicApi.missing("uid"));
        assertEquals(GrpcStatus.INVALID_ARGUMENT.code, error.getCode());
        assertEquals(ErrorReason.FIELD_MISSING, error.getReason());
        assertEquals("uid is missing; it must be given", error.getMessage());
        assertFalse(error.hasRetryDelay());
    }

    @Test
    void aReplyOfErrorsOnlyPassesAsOneMessage() {
        var error = ManyApi.error(
                RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, "x".repeat(400), 50));
        var reply = NextManyReply.newBuilder();
        for (int i = 0; i < RequestItems.MOST; i++) {
            reply.addResults(NextResult.newBuilder().setUid(-1).setError(error));
        }
        int bytes = reply.build().getSerializedSize();
        assertTrue(bytes < UnaryCaller.MAX_MESSAGE_BYTES, () -> "it has " + bytes + " bytes");
    }

    @Test
    void onlyAnUnknownNamespaceSpeaksOfAllItems() {
        for (var refusal : Refusal.values()) {
            assertEquals(
                    refusal == Refusal.NAMESPACE_UNKNOWN,
                    ManyApi.errorOfAll(new Answer.Refused(refusal, "a sentence"))
                            .isPresent());
        }
        assertTrue(ManyApi.errorOfAll(new Answer.Range(7, 1, 1, 1)).isEmpty());
    }
}
