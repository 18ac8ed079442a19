package io.seqsvr.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors as refusals of calls in frames. */
class FrameApiTest {
    @ParameterizedTest
    @CsvSource({"0, 50", "1, 1", "50, 50", "700, 700"})
    void whereWaitingHelpsThereIsADelay(long retryAfterMillis, int delayMillis) {
        var error = RpcException.retryable(
                GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, "a sentence", retryAfterMillis);
        var refusal = FrameApi.refusal(error, new IntColumn());
        assertEquals(delayMillis, refusal.retryDelayMillis());
        assertEquals(ErrorReason.OWNER_UNREACHABLE, refusal.reason());
        assertEquals("a sentence", refusal.message());
    }

    @Test
    void whereItDoesNotThereIsNone() {
        var refusal = FrameApi.refusal(PublicApi.missing("namespace"), new IntColumn());
        assertEquals(0, refusal.retryDelayMillis());
    }
}
