package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.SequencesProto;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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

    /** What is kept in the log must have a meaning, and a bound. */
    @Test
    void whatNobodyKnowsOfACommandIsNotRead() throws InvalidProtocolBufferException {
        var unknown = UnknownFieldSet.newBuilder()
                .addField(
                        1_000,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFrom(new byte[1 << 20]))
                                .build())
                .build();
        var holding = Holding.newBuilder().setEpoch(3);
        var known = ExecuteRequest.newBuilder()
                .setCommand(Command.newBuilder()
                        .setRenew(Renew.newBuilder().setSession(7).addHoldings(holding)))
                .build();
        var sent = known.toBuilder().setUnknownFields(unknown);
        sent.getCommandBuilder().setUnknownFields(unknown);
        sent.getCommandBuilder().getRenewBuilder().setUnknownFields(unknown);
        sent.getCommandBuilder().getRenewBuilder().getHoldingsBuilder(0).setUnknownFields(unknown);
        var bytes = sent.build().toByteArray();
        assertTrue(bytes.length > 4 << 20);
        assertEquals(known, StoreRpc.EXECUTE.requestParser().parseFrom(bytes, 0, bytes.length));
        assertEquals(
                known, StoreRpc.EXECUTE.requestParser().parseFrom(sent.build().toByteString()));
    }

    /** What a request of that size may cost: as objects it would be thirty times as long, or fifty. */
    @Test
    void aRequestTakesNotManyTimesItsBytes() throws IOException, RpcException {
        int most = UnaryCaller.MAX_MESSAGE_BYTES;
        var items = new byte[most];
        for (int i = 0; i < most; i += 2) {
            items[i] = 0x12;
        }
        long before = allocated();
        var tooMany = assertThrows(RpcException.class, () -> SequencesRpc.NEXT_MANY.parseRequest(items, 0, most));
        assertThrows(RpcException.class, () -> SequencesRpc.CURRENT_MANY.parseRequest(items, 0, most));
        assertEquals(ErrorReason.TOO_MANY_ITEMS, tooMany.reason());
        var unknown = new byte[most];
        var out = CodedOutputStream.newInstance(unknown);
        for (int field = 1_000; out.spaceLeft() > 8; field++) {
            out.writeUInt32(field, 1);
        }
        assertEquals(REQUEST, SequencesRpc.NEXT.parseRequest(unknown, 0, out.getTotalBytesWritten()));
        long all = allocated() - before;
        assertTrue(all < 3L * most, () -> all + " bytes, of which the test itself takes one third");
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static void assertRefused(Runnable making) {
        var refused = assertThrows(IllegalArgumentException.class, making::run);
        assertTrue(String.valueOf(refused.getMessage()).startsWith("seqsvr/v1/sequences.proto declares no "));
    }
}
