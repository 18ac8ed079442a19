package io.seqsvr.client.line;

import io.seqsvr.proto.codec.MalformedMessageException;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Cuts the bytes of a gRPC stream into messages. Each chunk is copied once, however many messages share it: the
 * library's reader copies what is left of it for every message.
 */
public final class MessageReader {
    /** Length and compression of each message. */
    public static final int PREFIX = 5;
    /** Largest message that is taken, in bytes: a frame of the greatest size, with a refusal for each call. */
    private static final int MOST = 8 << 20;

    private static final int LEAST_KEPT = 1 << 16;

    private final Listener listener;
    private byte[] bytes = new byte[LEAST_KEPT];
    private int size;

    /** Who gets each message. */
    public interface Listener {
        /** A message lies there, until this returns. */
        void message(byte[] in, int from, int to) throws MalformedMessageException, BadReplyException;
    }

    /** A reader of one stream, at its beginning. */
    public MessageReader(Listener listener) {
        this.listener = listener;
    }

    /**
     * More bytes came.
     *
     * @throws BadReplyException if they are no messages; nothing more can be read
     * @throws MalformedMessageException if the listener says so
     */
    public void read(Buffer chunk) throws MalformedMessageException, BadReplyException {
        append(chunk);
        int at = 0;
        while (size - at >= PREFIX) {
            int length = length(at);
            if (size - at - PREFIX < length) {
                break;
            }
            listener.message(bytes, at + PREFIX, at + PREFIX + length);
            at += PREFIX + length;
        }
        System.arraycopy(bytes, at, bytes, 0, size - at);
        size -= at;
    }

    private void append(Buffer chunk) {
        int needed = Math.addExact(size, chunk.length());
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
        }
        chunk.getBytes(0, chunk.length(), bytes, size);
        size = needed;
    }

    private int length(int at) throws BadReplyException {
        if (bytes[at] != 0) {
            throw new BadReplyException("a message is compressed");
        }
        int length = (bytes[at + 1] & 0xff) << 24
                | (bytes[at + 2] & 0xff) << 16
                | (bytes[at + 3] & 0xff) << 8
                | (bytes[at + 4] & 0xff);
        if (length < 0 || length > MOST) {
            throw new BadReplyException("a message has " + Integer.toUnsignedString(length) + " bytes");
        }
        return length;
    }
}
