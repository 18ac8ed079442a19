package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.SequencesProto;
import org.junit.jupiter.api.Test;

/** A method constant agrees with its .proto, or does not come into being. */
class RpcMethodTest {
    private static final NextRequest REQUEST = NextRequest.getDefaultInstance();
    private static final NextReply REPLY = NextReply.getDefaultInstance();

    @Test
    void methodBearsTheNamesThatGrpcPathsBear() {
        assertEquals("seqsvr.v1.Sequences", SequencesRpc.NEXT.serviceName().fullyQualifiedName());
        assertEquals("Next", SequencesRpc.NEXT.methodName());
        assertEquals("seqsvr.internal.v1.Store", StoreRpc.EXECUTE.serviceName().fullyQualifiedName());
        assertEquals("Watch", StoreRpc.WATCH.methodName());
    }

    @Test
    void methodThatTheFileDoesNotDeclareIsRefused() {
        assertRefused(() -> RpcMethod.of(SequencesProto.getDescriptor(), "Sequences", "Last", REQUEST, REPLY));
        assertRefused(() -> RpcMethod.of(SequencesProto.getDescriptor(), "Numbers", "Next", REQUEST, REPLY));
    }

    @Test
    void methodWithOtherMessagesThanDeclaredIsRefused() {
        assertRefused(() -> RpcMethod.of(SequencesProto.getDescriptor(), "Sequences", "Next", REPLY, REPLY));
        assertRefused(() -> RpcMethod.of(
                SequencesProto.getDescriptor(), "Sequences", "Next", REQUEST, CurrentReply.getDefaultInstance()));
    }

    private static void assertRefused(Runnable making) {
        var refused = assertThrows(IllegalArgumentException.class, making::run);
        assertTrue(String.valueOf(refused.getMessage()).startsWith("seqsvr/v1/sequences.proto declares no "));
    }
}
