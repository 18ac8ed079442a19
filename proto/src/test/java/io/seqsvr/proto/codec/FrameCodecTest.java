package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnknownFieldSet;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.AllocateRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Frames as bytes: what protobuf writes is read, what is written protobuf reads, and nothing else gets through. */
class FrameCodecTest {
    private static final int ROUNDS = 200;

    private final FrameCodec codec = new FrameCodec();
    private final FrameCalls calls = new FrameCalls();
    private final FrameReply reply = new FrameReply();
    private final long seed = Long.getLong("seqsvr.seed", System.nanoTime());
    private final RandomFrames frames = new RandomFrames(seed);

    private String replay(int round) {
        return "round " + round + "; replay with mvn test -pl proto -Dtest=FrameCodecTest -Dseqsvr.seed=" + seed;
    }

    @Test
    void aRequestReadsAndWritesAsProtobufDoes() throws MalformedMessageException {
        for (int round = 0; round < ROUNDS; round++) {
            var message = frames.request();
            codec.readRequest(Buffer.buffer(message.toByteArray()), calls);
            assertEquals(message, RandomFrames.asMessage(calls), replay(round));
            assertArrayEquals(message.toByteArray(), codec.writeRequest(calls).getBytes(), replay(round));
        }
    }

    @Test
    void aReplyReadsAndWritesAsProtobufDoes() throws MalformedMessageException {
        for (int round = 0; round < ROUNDS; round++) {
            var message = frames.reply();
            codec.readReply(Buffer.buffer(message.toByteArray()), reply);
            assertEquals(message, RandomFrames.asMessage(reply), replay(round));
            assertArrayEquals(message.toByteArray(), codec.writeReply(reply).getBytes(), replay(round));
        }
    }

    @Test
    void fieldsComeInAnyOrderInPartsUnpackedAndBetweenUnknownOnes() throws MalformedMessageException {
        for (int round = 0; round < ROUNDS; round++) {
            var message = frames.request();
            codec.readRequest(Buffer.buffer(frames.scattered(message)), calls);
            assertEquals(message, RandomFrames.asMessage(calls), replay(round));
        }
    }

    @Test
    void brokenBytesAreRefusedExactlyWhereProtobufRefusesThem() {
        int refused = 0;
        for (int round = 0; round < 10 * ROUNDS; round++) {
            var request = frames.request();
            var bytes =
                    frames.mutated(frames.random().nextBoolean() ? request.toByteArray() : frames.scattered(request));
            refused += sameAsProtobuf(AllocateRequest.parser(), bytes, readRequest(bytes), round) ? 0 : 1;
            var other = frames.mutated(frames.reply().toByteArray());
            refused += sameAsProtobuf(AllocateReply.parser(), other, readReply(other), round) ? 0 : 1;
        }
        assertTrue(refused > ROUNDS, refused + " of " + 20 * ROUNDS + " were refused");
    }

    /** Either the message that was read, or the text of the refusal. */
    private record Read(Optional<Message> message, String refusal) {}

    private boolean sameAsProtobuf(Parser<? extends Message> parser, byte[] bytes, Read read, int round) {
        // Protobuf for Java ends a varint at its tenth byte, even where that says that it goes on.
        if (!read.refusal().contains("varint")) {
            assertEquals(parsed(parser, bytes), read.message(), replay(round));
        }
        return read.message().isPresent();
    }

    private Read readRequest(byte[] bytes) {
        try {
            codec.readRequest(bytes, 0, bytes.length, calls);
            return new Read(Optional.of(RandomFrames.asMessage(calls)), "");
        } catch (MalformedMessageException malformed) {
            return new Read(Optional.empty(), malformed.message());
        }
    }

    private Read readReply(byte[] bytes) {
        try {
            codec.readReply(bytes, 0, bytes.length, reply);
            return new Read(Optional.of(RandomFrames.asMessage(reply)), "");
        } catch (MalformedMessageException malformed) {
            return new Read(Optional.empty(), malformed.message());
        } catch (IllegalArgumentException broken) {
            // The routes, which stay bytes until somebody wants them.
            return new Read(Optional.empty(), "routes");
        }
    }

    /** What protobuf reads, without unknown fields. */
    private static Optional<Message> parsed(Parser<? extends Message> parser, byte[] bytes) {
        try {
            var message = parser.parseFrom(bytes).toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance());
            if (message instanceof AllocateReply.Builder reply) {
                reply.getRefusalsBuilderList()
                        .forEach(refusal -> refusal.setUnknownFields(UnknownFieldSet.getDefaultInstance()));
            }
            return Optional.of(message.build());
        } catch (InvalidProtocolBufferException broken) {
            return Optional.empty();
        }
    }

    @Test
    void aMessageIsReadWhereItLiesAndNotBeyond() throws MalformedMessageException {
        var message = frames.request().toBuilder().setCorrelation(7).build();
        var bytes = message.toByteArray();
        var around = new byte[bytes.length + 20];
        Arrays.fill(around, (byte) 0xff);
        System.arraycopy(bytes, 0, around, 10, bytes.length);
        codec.readRequest(around, 10, 10 + bytes.length, calls);
        assertEquals(message, RandomFrames.asMessage(calls));
        assertThrows(MalformedMessageException.class, () -> codec.readRequest(around, 10, around.length, calls));
        assertThrows(IndexOutOfBoundsException.class, () -> codec.readRequest(around, 0, around.length + 1, calls));
    }

    @Test
    void aLengthBeyondTheMessageAllocatesNothing() {
        byte[] uids = {4 << 3 | 2, (byte) 0xf8, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 1, 2, 3};
        assertThrows(MalformedMessageException.class, () -> codec.readRequest(uids, 0, uids.length, calls));
        assertEquals(0, calls.uids().array().length);
    }

    @Test
    void aColumnThatWasHugeIsNotKept() {
        var column = new LongColumn();
        column.extend(100_000);
        column.clear();
        assertEquals(0, column.array().length);
        column.extend(1_000);
        column.clear();
        assertTrue(column.array().length >= 1_000);
        assertThrows(IndexOutOfBoundsException.class, () -> column.get(0));
        assertThrows(IndexOutOfBoundsException.class, () -> column.set(0, 1));
    }

    @Test
    void aRefusalOfANewerPeerIsReadWithItsNumber() throws MalformedMessageException {
        var message = AllocateReply.newBuilder();
        message.addRefusalsBuilder().setReasonValue(16).addPlaces(3);
        message.addRefusalsBuilder().setReasonValue(12_345);
        codec.readReply(Buffer.buffer(message.build().toByteArray()), reply);
        assertEquals(ErrorReason.FRAME_MALFORMED, reply.refusals().get(0).reason());
        assertEquals(
                IntColumn.of(3).toString(), reply.refusals().get(0).places().toString());
        assertEquals(
                ErrorReason.ERROR_REASON_UNSPECIFIED, reply.refusals().get(1).reason());
        assertEquals(12_345, reply.refusals().get(1).reasonNumber());
    }

    @Test
    void verbsHaveTheNumbersOfTheWire() {
        for (var verb : FrameVerb.values()) {
            assertEquals("FRAME_" + verb.name(), String.valueOf(io.seqsvr.proto.v1.FrameVerb.forNumber(verb.number())));
            assertEquals(Optional.of(verb), FrameVerb.of(verb.number()));
        }
        assertEquals(Optional.empty(), FrameVerb.of(3));
        assertEquals(Optional.empty(), FrameVerb.of(-1));
    }

    @Test
    void aThousandCallsAreReadFromTheBytesThatProtobufWrote() throws MalformedMessageException {
        var message = AllocateRequest.newBuilder().setNamespace("messages");
        for (int i = 0; i < 1_000; i++) {
            message.addUids(i * 7L);
        }
        var bytes = message.build().toByteArray();
        codec.readRequest(bytes, 0, bytes.length, calls);
        assertEquals(1_000, calls.uids().size());
        assertEquals(999 * 7, calls.uids().get(999));
        var first = calls.namespaceName();
        codec.readRequest(bytes, 0, bytes.length, calls);
        assertSame(first, calls.namespaceName(), "the name of the frame before is used again");
    }
}
