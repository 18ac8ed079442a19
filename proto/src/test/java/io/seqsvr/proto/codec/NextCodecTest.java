package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What it writes protobuf reads, and the other way round. */
final class NextCodecTest {
    private final NextCodec codec = new NextCodec("messages");

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, Long.MAX_VALUE, -1})
    void protobufReadsARequestThatNamesItsUser(long uid) throws Exception {
        var out = new WireBytes();
        codec.writeRequest(uid, out);
        assertEquals(
                NextRequest.newBuilder().setNamespace("messages").setUid(uid).build(),
                NextRequest.parseFrom(out.toArray()));
    }

    @Test
    void itReadsAReplyAndForgetsTheOneBefore() throws Exception {
        read(NextReply.newBuilder().setUid(-1).setFirst(7).setLast(9).setEpoch(3));
        assertEquals(-1, codec.uid());
        assertEquals(7, codec.first());
        assertEquals(9, codec.last());
        read(NextReply.newBuilder().setFirst(1L << 53));
        assertEquals(0, codec.uid());
        assertEquals(1L << 53, codec.first());
        assertEquals(0, codec.last());
    }

    @Test
    void bytesThatAreNoReplyAreRefused() {
        assertThrows(MalformedMessageException.class, () -> codec.readReply(new byte[] {8}, 0, 1));
    }

    private void read(NextReply.Builder reply) throws MalformedMessageException {
        var bytes = reply.build().toByteArray();
        codec.readReply(bytes, 0, bytes.length);
    }
}
