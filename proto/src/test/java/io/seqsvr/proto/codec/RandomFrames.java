package io.seqsvr.proto.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.AllocateRequest;
import io.seqsvr.proto.v1.FrameRefusal;
import io.seqsvr.proto.v1.RoutesReply;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Frames as protobuf knows them, drawn at random, and what the codec read as protobuf's messages. */
final class RandomFrames {
    private final SplittableRandom random;

    RandomFrames(long seed) {
        random = new SplittableRandom(seed);
    }

    SplittableRandom random() {
        return random;
    }

    /** Small numbers, great ones and negative ones. */
    long number() {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextInt(300);
            case 2 -> -1 - random.nextInt(3);
            default -> random.nextLong() >>> random.nextInt(64);
        };
    }

    private int size() {
        return random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(10) == 0 ? 300 : 6);
    }

    private String text() {
        return "messages-é\uD83D\uDE00".substring(0, random.nextInt(11));
    }

    AllocateRequest request() {
        var request = AllocateRequest.newBuilder()
                .setCorrelation(number())
                .setNamespace(text())
                .setVerbValue(random.nextBoolean() ? random.nextInt(3) : (int) number())
                .setRoutesVersion(number())
                .setTimeoutMs((int) number());
        for (int i = size(); i > 0; i--) {
            request.addUids(number());
        }
        for (int i = size(); i > 0; i--) {
            request.addCounts(number());
        }
        for (int i = size(); i > 0; i--) {
            request.addFloors(number());
        }
        for (int i = size(); i > 0; i--) {
            request.addSegments((int) number());
        }
        for (int i = size(); i > 0; i--) {
            request.addLeastEpochs(number());
        }
        return request.build();
    }

    AllocateReply reply() {
        var reply = AllocateReply.newBuilder().setCorrelation(number());
        for (int i = size(); i > 0; i--) {
            reply.addSeqs(number());
        }
        for (int i = size(); i > 0; i--) {
            reply.addSegments((int) number());
        }
        for (int i = size(); i > 0; i--) {
            reply.addEpochs(number());
        }
        for (int i = size(); i > 0; i--) {
            reply.addBounds((int) number());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            var refusal = FrameRefusal.newBuilder()
                    .setReasonValue(random.nextBoolean() ? random.nextInt(17) : (int) number())
                    .setMessage(text())
                    .setRetryDelayMs((int) number());
            for (int place = size(); place > 0; place--) {
                refusal.addPlaces((int) number());
            }
            reply.addRefusals(refusal);
        }
        if (random.nextInt(3) == 0) {
            reply.setRoutes(RoutesReply.newBuilder()
                    .setClusterId(text())
                    .setVersion(number())
                    .addGoneOwners(number()));
        }
        return reply.build();
    }

    /** The same request in another legal form: fields in any order, in parts, unpacked, between unknown ones. */
    byte[] scattered(AllocateRequest request) {
        var bytes = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(bytes);
        int[] sizes = {
            0,
            1,
            1,
            1,
            request.getUidsCount(),
            request.getCountsCount(),
            request.getFloorsCount(),
            request.getSegmentsCount(),
            request.getLeastEpochsCount(),
            1,
            1
        };
        int[] next = new int[sizes.length];
        try {
            for (boolean rest = true; rest; ) {
                rest = false;
                int field = 1 + random.nextInt(sizes.length - 1);
                int upTo = next[field] + (sizes[field] == 1 ? 1 : random.nextInt(1, 40));
                upTo = Math.min(upTo, sizes[field]);
                part(request, field, next[field], upTo, out);
                next[field] = upTo;
                unknown(out, 3);
                for (int i = 1; i < sizes.length; i++) {
                    rest |= next[i] < sizes[i];
                }
            }
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private void part(AllocateRequest from, int field, int first, int end, CodedOutputStream out) throws IOException {
        if (first == end) {
            return;
        }
        switch (field) {
            case 1 -> out.writeUInt64(1, from.getCorrelation());
            case 2 -> out.writeString(2, from.getNamespace());
            case 3 -> out.writeEnum(3, from.getVerbValue());
            case 9 -> out.writeUInt64(9, from.getRoutesVersion());
            case 10 -> out.writeUInt32(10, from.getTimeoutMs());
            default -> {
                var packed = new ByteArrayOutputStream();
                boolean unpacked = random.nextBoolean();
                var inner = unpacked ? out : CodedOutputStream.newInstance(packed);
                for (int i = first; i < end; i++) {
                    value(from, field, i, unpacked, inner);
                }
                if (!unpacked) {
                    inner.flush();
                    out.writeByteArray(field, packed.toByteArray());
                }
            }
        }
    }

    private static void value(AllocateRequest from, int field, int place, boolean tagged, CodedOutputStream out)
            throws IOException {
        boolean fixed = field == 4 || field == 6 || field == 8;
        if (tagged) {
            out.writeTag(field, fixed ? WireReader.FIXED64 : WireReader.VARINT);
        }
        switch (field) {
            case 4 -> out.writeFixed64NoTag(from.getUids(place));
            case 5 -> out.writeInt64NoTag(from.getCounts(place));
            case 6 -> out.writeFixed64NoTag(from.getFloors(place));
            case 7 -> out.writeUInt32NoTag(from.getSegments(place));
            default -> out.writeFixed64NoTag(from.getLeastEpochs(place));
        }
    }

    private void unknown(CodedOutputStream out, int depth) throws IOException {
        int field = 11 + random.nextInt(1 << random.nextInt(20));
        switch (random.nextInt(12)) {
            case 0 -> out.writeUInt64(field, number());
            case 1 -> out.writeFixed64(field, number());
            case 2 -> out.writeFixed32(field, 7);
            case 3 -> out.writeString(field, text());
            case 4 -> {
                out.writeTag(field, WireReader.GROUP);
                if (depth > 0) {
                    unknown(out, depth - 1);
                }
                out.writeTag(field, WireReader.GROUP_END);
            }
            // A known number with another type is an unknown field, too.
            case 5 -> out.writeFixed32(1 + random.nextInt(10), 7);
            default -> {}
        }
    }

    /** The bytes with something broken. */
    byte[] mutated(byte[] bytes) {
        var broken = bytes.clone();
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(broken, random.nextInt(broken.length + 1));
        }
        for (int i = random.nextInt(4); i >= 0 && broken.length > 0; i--) {
            int at = random.nextInt(random.nextBoolean() ? broken.length : Math.min(40, broken.length));
            broken[at] = (byte) (random.nextBoolean() ? random.nextInt() : broken[at] ^ 1 << random.nextInt(8));
        }
        return broken;
    }

    static AllocateRequest asMessage(FrameCalls calls) {
        var message = AllocateRequest.newBuilder()
                .setCorrelation(calls.correlation())
                .setNamespace(calls.namespaceName())
                .setVerbValue(calls.verb())
                .setRoutesVersion(calls.routesVersion())
                .setTimeoutMs((int) calls.timeoutMillis());
        for (int i = 0; i < calls.uids().size(); i++) {
            message.addUids(calls.uids().get(i));
        }
        for (int i = 0; i < calls.counts().size(); i++) {
            message.addCounts(calls.counts().get(i));
        }
        for (int i = 0; i < calls.floors().size(); i++) {
            message.addFloors(calls.floors().get(i));
        }
        for (int i = 0; i < calls.segments().size(); i++) {
            message.addSegments(calls.segments().get(i));
        }
        for (int i = 0; i < calls.leastEpochs().size(); i++) {
            message.addLeastEpochs(calls.leastEpochs().get(i));
        }
        return message.build();
    }

    static AllocateReply asMessage(FrameReply reply) {
        var message = AllocateReply.newBuilder().setCorrelation(reply.correlation());
        for (int i = 0; i < reply.seqs().size(); i++) {
            message.addSeqs(reply.seqs().get(i));
        }
        for (int i = 0; i < reply.segments().size(); i++) {
            message.addSegments(reply.segments().get(i));
        }
        for (int i = 0; i < reply.epochs().size(); i++) {
            message.addEpochs(reply.epochs().get(i));
        }
        for (int i = 0; i < reply.bounds().size(); i++) {
            message.addBounds(reply.bounds().get(i));
        }
        for (var refusal : reply.refusals()) {
            var entry = FrameRefusal.newBuilder()
                    .setReasonValue(refusal.reasonNumber())
                    .setMessage(refusal.message())
                    .setRetryDelayMs(refusal.retryDelayMillis());
            for (int i = 0; i < refusal.places().size(); i++) {
                entry.addPlaces(refusal.places().get(i));
            }
            message.addRefusals(entry);
        }
        var routes = reply.routes();
        if (routes != null) {
            message.setRoutes(parsed(routes));
        }
        return message.build();
    }

    private static RoutesReply parsed(Buffer routes) {
        try {
            return RoutesReply.parseFrom(routes.getBytes());
        } catch (InvalidProtocolBufferException broken) {
            throw new IllegalArgumentException(broken);
        }
    }
}
