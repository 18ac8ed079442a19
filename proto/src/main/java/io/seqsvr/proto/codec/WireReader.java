package io.seqsvr.proto.codec;

import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the fields of one protobuf message, as protobuf's own parser would. Used again for message after message.
 *
 * <p>Invariant: it never reads at or beyond its limit, each read goes on by at least a byte, and nothing is allocated
 * that is not covered by bytes that are there.
 */
final class WireReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int LENGTH = 2;
    static final int GROUP = 3;
    static final int GROUP_END = 4;
    static final int FIXED32 = 5;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** How deep unknown groups may be nested, as protobuf has it. */
    private static final int MAX_DEPTH = 100;

    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int at;
    private int limit;
    /** The string read last: most frames name the namespace of the one before. */
    private byte[] lastBytes = NONE;

    private String lastString = "";

    /** Begins with a message that lies from {@code from} to before {@code to}. */
    void begin(byte[] message, int from, int to) {
        if (from < 0 || to < from || to > message.length) {
            throw new IndexOutOfBoundsException(from + " to " + to + " of " + message.length);
        }
        bytes = message;
        at = from;
        limit = to;
    }

    /** Forgets the message. */
    void end() {
        bytes = NONE;
        at = 0;
        limit = 0;
    }

    boolean hasMore() {
        return at < limit;
    }

    /** The next field's number and wire type. */
    int tag() throws MalformedMessageException {
        int tag = (int) varint();
        if (tag >>> 3 == 0) {
            throw new MalformedMessageException("a field has the number 0");
        }
        return tag;
    }

    long varint() throws MalformedMessageException {
        if (at < limit && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= limit) {
                throw truncated();
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedMessageException("a varint has more than 10 bytes");
    }

    long fixed64() throws MalformedMessageException {
        if (limit - at < Long.BYTES) {
            throw truncated();
        }
        long value = (long) LONGS.get(bytes, at);
        at += Long.BYTES;
        return value;
    }

    /** The length of what follows; so many bytes are there. */
    int length() throws MalformedMessageException {
        int length = (int) varint();
        if (length < 0) {
            throw new MalformedMessageException("a field has a negative length");
        }
        if (length > limit - at) {
            throw truncated();
        }
        return length;
    }

    /** Goes into a nested message; the caller gives what this returns to {@link #leave} when it has read it. */
    int enter() throws MalformedMessageException {
        int length = length();
        int outer = limit;
        limit = at + length;
        return outer;
    }

    void leave(int outer) {
        limit = outer;
    }

    /** The bytes of a field of that kind, copied. */
    byte[] bytes() throws MalformedMessageException {
        int length = length();
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    String string() throws MalformedMessageException {
        int length = length();
        int from = at;
        at += length;
        if (!Arrays.equals(bytes, from, at, lastBytes, 0, lastBytes.length)) {
            try {
                lastString = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, from, length))
                        .toString();
            } catch (CharacterCodingException broken) {
                throw new MalformedMessageException("a string is no UTF-8");
            }
            lastBytes = Arrays.copyOfRange(bytes, from, at);
        }
        return lastString;
    }

    /** Adds what a repeated fixed64 field holds here, packed or not. */
    void fixed64s(int tag, LongColumn into) throws MalformedMessageException {
        int type = tag & 7;
        if (type == FIXED64) {
            into.add(fixed64());
        } else if (type == LENGTH) {
            int length = length();
            if ((length & 7) != 0) {
                throw truncated();
            }
            int count = length >>> 3;
            int first = into.extend(count);
            var values = into.array();
            for (int i = 0; i < count; i++) {
                values[first + i] = (long) LONGS.get(bytes, at + (i << 3));
            }
            at += length;
        } else {
            skip(tag);
        }
    }

    /** Adds what a repeated int64 field holds here, packed or not. */
    void varints(int tag, LongColumn into) throws MalformedMessageException {
        int type = tag & 7;
        if (type == VARINT) {
            into.add(varint());
        } else if (type == LENGTH) {
            int outer = enter();
            while (at < limit) {
                into.add(varint());
            }
            leave(outer);
        } else {
            skip(tag);
        }
    }

    /** Adds what a repeated uint32 field holds here, packed or not. */
    void varints(int tag, IntColumn into) throws MalformedMessageException {
        int type = tag & 7;
        if (type == VARINT) {
            into.add((int) varint());
        } else if (type == LENGTH) {
            int outer = enter();
            while (at < limit) {
                into.add((int) varint());
            }
            leave(outer);
        } else {
            skip(tag);
        }
    }

    /** Passes over a field that is unknown, or of another type than it should be. */
    void skip(int tag) throws MalformedMessageException {
        switch (tag & 7) {
            case VARINT -> varint();
            case FIXED64 -> pass(Long.BYTES);
            case LENGTH -> pass(length());
            case GROUP -> skipGroup(tag >>> 3);
            case FIXED32 -> pass(Integer.BYTES);
            default -> throw new MalformedMessageException("a field has the wire type " + (tag & 7));
        }
    }

    private void skipGroup(int field) throws MalformedMessageException {
        var open = new int[MAX_DEPTH];
        open[0] = field;
        int depth = 1;
        while (depth > 0) {
            int tag = tag();
            if ((tag & 7) == GROUP) {
                if (depth == MAX_DEPTH) {
                    throw new MalformedMessageException("groups are nested deeper than " + MAX_DEPTH);
                }
                open[depth] = tag >>> 3;
                depth++;
            } else if ((tag & 7) != GROUP_END) {
                skip(tag);
            } else if (tag >>> 3 == open[depth - 1]) {
                depth--;
            } else {
                throw new MalformedMessageException("a group ends that did not begin");
            }
        }
    }

    private void pass(int count) throws MalformedMessageException {
        if (count > limit - at) {
            throw truncated();
        }
        at += count;
    }

    private static MalformedMessageException truncated() {
        return new MalformedMessageException("it ends within a field");
    }
}
