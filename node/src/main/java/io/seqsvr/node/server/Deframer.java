package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;

/**
 * Cuts a stream of bytes into gRPC messages: a flag, four bytes of length, the message. Each byte is copied once, and
 * once more at most where a message begins in one chunk and ends in another.
 *
 * <p>Invariant: it holds at most one message of the greatest length and one chunk.
 */
final class Deframer {
    /** Longest message of a stream. */
    private static final int MAX_MESSAGE_BYTES = 256 << 10;

    /** Bytes before each message. */
    static final int PREFIX = 5;

    /** What it keeps at most when it is empty. */
    private static final int MOST_KEPT = 1 << 17;

    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int start;
    private int end;
    private int from;

    void append(Buffer chunk) {
        int rest = end - start;
        if (rest == 0 && bytes.length > MOST_KEPT) {
            bytes = NONE;
        }
        int needed = Math.addExact(rest, chunk.length());
        if (needed > bytes.length) {
            var longer = new byte[Math.max(needed, 2 * rest)];
            System.arraycopy(bytes, start, longer, 0, rest);
            bytes = longer;
        } else if (start > 0) {
            System.arraycopy(bytes, start, bytes, 0, rest);
        }
        start = 0;
        chunk.getBytes(0, chunk.length(), bytes, rest);
        end = needed;
    }

    /**
     * Goes to the next message.
     *
     * @return whether all of it is there
     * @throws RpcException if it is compressed or too long
     */
    boolean next() throws RpcException {
        if (end - start < PREFIX) {
            return false;
        }
        if (bytes[start] != 0) {
            throw RpcException.of(
                    GrpcStatus.UNIMPLEMENTED,
                    ErrorReason.MALFORMED_REQUEST,
                    "a message is compressed; only identity is understood");
        }
        int length = (bytes[start + 1] << 24)
                | ((bytes[start + 2] & 0xff) << 16)
                | ((bytes[start + 3] & 0xff) << 8)
                | (bytes[start + 4] & 0xff);
        if (length < 0 || length > MAX_MESSAGE_BYTES) {
            throw RpcException.of(
                    GrpcStatus.RESOURCE_EXHAUSTED,
                    ErrorReason.MALFORMED_REQUEST,
                    "a message has " + Integer.toUnsignedString(length) + " bytes; at most " + MAX_MESSAGE_BYTES
                            + " are read");
        }
        if (end - start - PREFIX < length) {
            return false;
        }
        from = start + PREFIX;
        start = from + length;
        return true;
    }

    byte[] bytes() {
        return bytes;
    }

    /** First byte of the message. */
    int from() {
        return from;
    }

    /** Behind the last byte of the message. */
    int to() {
        return start;
    }

    /** How many bytes are left over. */
    int size() {
        return end - start;
    }

    /** Nothing comes for a while: what is not needed for what is left over is given back. */
    void rest() {
        if (isEmpty()) {
            bytes = NONE;
            start = 0;
            end = 0;
        }
    }

    /** Whether nothing is left over. */
    boolean isEmpty() {
        return start == end;
    }
}
