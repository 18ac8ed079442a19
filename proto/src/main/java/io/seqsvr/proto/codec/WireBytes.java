package io.seqsvr.proto.codec;

import io.vertx.core.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that are written one after the other; used again for message after message. */
public final class WireBytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** What it keeps at most when it is emptied. */
    private static final int MOST_KEPT = 1 << 17;

    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int size;

    /** How many bytes were written. */
    public int size() {
        return size;
    }

    /** Forgets all that was written. */
    public void clear() {
        size = 0;
        if (bytes.length > MOST_KEPT) {
            bytes = NONE;
        }
    }

    /** Forgets all that was written, and keeps no room for more: nothing comes for a while. */
    public void rest() {
        size = 0;
        bytes = NONE;
    }

    /** A copy of all that was written. */
    public Buffer toBuffer() {
        return Buffer.buffer(size).appendBytes(bytes, 0, size);
    }

    /** A copy of all that was written. */
    public byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** The array behind it, valid as far as {@link #size} and until more is written. */
    public byte[] array() {
        return bytes;
    }

    /** Adds one byte. */
    public void put(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    /** Adds bytes. */
    public void put(byte[] values) {
        reserve(values.length);
        System.arraycopy(values, 0, bytes, size, values.length);
        size += values.length;
    }

    /** Adds four bytes, the highest first. */
    public void putInt(int value) {
        reserve(Integer.BYTES);
        setInt(size, value);
        size += Integer.BYTES;
    }

    /** Changes four bytes that were written. */
    public void setInt(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    void varint(long value) {
        reserve(10);
        long rest = value;
        int at = size;
        while ((rest & ~0x7fL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at] = (byte) rest;
        size = at + 1;
    }

    void fixed64s(long[] values, int count) {
        reserve(Math.multiplyExact(count, Long.BYTES));
        int at = size;
        for (int i = 0; i < count; i++) {
            LONGS.set(bytes, at + (i << 3), values[i]);
        }
        size = at + (count << 3);
    }

    /** Room for so many more bytes. */
    private void reserve(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), Math.max(256, size + (size >> 1))));
        }
    }
}
