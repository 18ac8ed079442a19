package io.seqsvr.proto.codec;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import java.nio.charset.StandardCharsets;

/** Writes frames as AllocateRequest and AllocateReply, byte for byte as protobuf does. */
final class FrameWriter {
    private FrameWriter() {}

    static void request(FrameCalls calls, WireBytes out) {
        varint(1, calls.correlation(), out);
        string(2, calls.namespaceName(), out);
        varint(3, calls.verb(), out);
        fixed64s(4, calls.uids(), out);
        varints(5, calls.counts(), out);
        fixed64s(6, calls.floors(), out);
        varints(7, calls.segments(), out);
        fixed64s(8, calls.leastEpochs(), out);
        varint(9, calls.routesVersion(), out);
        varint(10, calls.timeoutMillis(), out);
    }

    static void reply(FrameReply reply, WireBytes out) {
        varint(1, reply.correlation(), out);
        fixed64s(2, reply.seqs(), out);
        varints(3, reply.segments(), out);
        fixed64s(4, reply.epochs(), out);
        varints(5, reply.bounds(), out);
        for (var refusal : reply.refusals()) {
            refusal(refusal, out);
        }
        var routes = reply.routes();
        if (routes != null) {
            out.varint(7 << 3 | WireReader.LENGTH);
            out.varint(routes.length());
            out.put(routes.getBytes());
        }
    }

    private static void refusal(FrameRefusal refusal, WireBytes out) {
        var message = refusal.message().getBytes(StandardCharsets.UTF_8);
        long delay = Integer.toUnsignedLong(refusal.retryDelayMillis());
        int places = varintBytes(refusal.places());
        int size = varintField(refusal.reasonNumber())
                + lengthField(message.length)
                + varintField(delay)
                + lengthField(places);
        out.varint(6 << 3 | WireReader.LENGTH);
        out.varint(size);
        varint(1, refusal.reasonNumber(), out);
        bytes(2, message, out);
        varint(3, delay, out);
        varints(4, refusal.places(), places, out);
    }

    /** Bytes of a field with a number below 16, none if the value is the default. */
    private static int varintField(long value) {
        return value == 0 ? 0 : 1 + varintBytes(value);
    }

    private static int lengthField(int length) {
        return length == 0 ? 0 : 1 + varintBytes(length) + length;
    }

    private static void varint(int field, long value, WireBytes out) {
        if (value != 0) {
            out.varint(field << 3 | WireReader.VARINT);
            out.varint(value);
        }
    }

    private static void string(int field, String value, WireBytes out) {
        if (!value.isEmpty()) {
            bytes(field, value.getBytes(StandardCharsets.UTF_8), out);
        }
    }

    private static void bytes(int field, byte[] value, WireBytes out) {
        if (value.length > 0) {
            out.varint(field << 3 | WireReader.LENGTH);
            out.varint(value.length);
            out.put(value);
        }
    }

    private static void fixed64s(int field, LongColumn column, WireBytes out) {
        if (!column.isEmpty()) {
            out.varint(field << 3 | WireReader.LENGTH);
            out.varint((long) column.size() << 3);
            out.fixed64s(column.array(), column.size());
        }
    }

    private static void varints(int field, LongColumn column, WireBytes out) {
        if (column.isEmpty()) {
            return;
        }
        long length = 0;
        for (int i = 0; i < column.size(); i++) {
            length += varintBytes(column.get(i));
        }
        out.varint(field << 3 | WireReader.LENGTH);
        out.varint(length);
        for (int i = 0; i < column.size(); i++) {
            out.varint(column.get(i));
        }
    }

    private static void varints(int field, IntColumn column, WireBytes out) {
        varints(field, column, varintBytes(column), out);
    }

    private static void varints(int field, IntColumn column, int length, WireBytes out) {
        if (column.isEmpty()) {
            return;
        }
        out.varint(field << 3 | WireReader.LENGTH);
        out.varint(length);
        for (int i = 0; i < column.size(); i++) {
            out.varint(Integer.toUnsignedLong(column.get(i)));
        }
    }

    private static int varintBytes(IntColumn column) {
        int length = 0;
        for (int i = 0; i < column.size(); i++) {
            length += varintBytes(Integer.toUnsignedLong(column.get(i)));
        }
        return length;
    }

    private static int varintBytes(long value) {
        return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
    }
}
