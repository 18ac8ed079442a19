package io.seqsvr.client.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.proto.codec.MalformedMessageException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Messages come out as they went in, however the bytes are cut. */
class MessageReaderTest {
    private final List<String> messages = new ArrayList<>();
    private final MessageReader reader = new MessageReader(
            (in, from, to) -> messages.add(new String(in, from, to - from, StandardCharsets.US_ASCII)));

    private static Buffer message(String text) {
        return Buffer.buffer().appendByte((byte) 0).appendInt(text.length()).appendString(text);
    }

    @Test
    void howeverTheBytesAreCutTheMessagesAreTheSame() throws BadReplyException, MalformedMessageException {
        var random = new SplittableRandom(1);
        var sent = new ArrayList<String>();
        var bytes = Buffer.buffer();
        for (int i = 0; i < 300; i++) {
            var text = "m".repeat(random.nextInt(i % 50 == 49 ? 200_000 : 60)) + i;
            sent.add(text);
            bytes.appendBuffer(message(text));
        }
        for (int at = 0; at < bytes.length(); ) {
            int end = Math.min(bytes.length(), at + 1 + random.nextInt(random.nextBoolean() ? 10 : 30_000));
            reader.read(bytes.getBuffer(at, end));
            at = end;
        }
        assertEquals(sent, messages);
    }

    @Test
    void compressedAndHugeMessagesAreRefused() {
        assertThrows(BadReplyException.class, () -> reader.read(Buffer.buffer(new byte[] {1, 0, 0, 0, 0})));
        for (int length : new int[] {-1, (8 << 20) + 1}) {
            var fresh = new MessageReader((in, from, to) -> {});
            var head = Buffer.buffer().appendByte((byte) 0).appendInt(length);
            assertThrows(BadReplyException.class, () -> fresh.read(head));
        }
    }
}
