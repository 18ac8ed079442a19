package io.seqsvr.proto.codec;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.IntColumn;
import io.vertx.core.buffer.Buffer;

/**
 * Reads and writes the messages of {@code Allocate}, AllocateRequest and AllocateReply, as columns and without an
 * object per call; it takes what protobuf's own parser takes, and writes what its serializer writes. Only the routes in
 * a reply stay bytes: what is wrong with them takes no call its answer. One codec is for one thread.
 */
public final class FrameCodec {
    private final WireReader reader = new WireReader();

    /**
     * Reads a request.
     *
     * @param message holds the message
     * @param from its first byte
     * @param to behind its last byte
     * @param into takes the request, in place of what it held; holds anything after a failure
     * @throws MalformedMessageException if the bytes are no AllocateRequest
     */
    public void readRequest(byte[] message, int from, int to, FrameCalls into) throws MalformedMessageException {
        into.clear();
        reader.begin(message, from, to);
        try {
            while (reader.hasMore()) {
                requestField(reader.tag(), into);
            }
        } finally {
            reader.end();
        }
    }

    /** Reads a request that is all of a buffer. */
    public void readRequest(Buffer message, FrameCalls into) throws MalformedMessageException {
        readRequest(message.getBytes(), 0, message.length(), into);
    }

    private void requestField(int tag, FrameCalls into) throws MalformedMessageException {
        switch (tag >>> 3) {
            case 4 -> reader.fixed64s(tag, into.uids());
            case 5 -> reader.varints(tag, into.counts());
            case 6 -> reader.fixed64s(tag, into.floors());
            case 7 -> reader.varints(tag, into.segments());
            case 8 -> reader.fixed64s(tag, into.leastEpochs());
            default -> {
                if (tag == (1 << 3 | WireReader.VARINT)) {
                    into.correlation(reader.varint());
                } else if (tag == (2 << 3 | WireReader.LENGTH)) {
                    into.namespaceName(reader.string());
                } else if (tag == (3 << 3 | WireReader.VARINT)) {
                    into.verb((int) reader.varint());
                } else if (tag == (9 << 3 | WireReader.VARINT)) {
                    into.routesVersion(reader.varint());
                } else if (tag == (10 << 3 | WireReader.VARINT)) {
                    into.timeoutMillis(Integer.toUnsignedLong((int) reader.varint()));
                } else {
                    reader.skip(tag);
                }
            }
        }
    }

    /**
     * Reads a reply.
     *
     * @param message holds the message
     * @param from its first byte
     * @param to behind its last byte
     * @param into takes the reply, in place of what it held; holds anything after a failure
     * @throws MalformedMessageException if the bytes are no AllocateReply
     */
    public void readReply(byte[] message, int from, int to, FrameReply into) throws MalformedMessageException {
        into.clear();
        reader.begin(message, from, to);
        try {
            while (reader.hasMore()) {
                replyField(reader.tag(), into);
            }
        } finally {
            reader.end();
        }
    }

    /** Reads a reply that is all of a buffer. */
    public void readReply(Buffer message, FrameReply into) throws MalformedMessageException {
        readReply(message.getBytes(), 0, message.length(), into);
    }

    private void replyField(int tag, FrameReply into) throws MalformedMessageException {
        switch (tag >>> 3) {
            case 2 -> reader.fixed64s(tag, into.seqs());
            case 3 -> reader.varints(tag, into.segments());
            case 4 -> reader.fixed64s(tag, into.epochs());
            case 5 -> reader.varints(tag, into.bounds());
            default -> {
                if (tag == (1 << 3 | WireReader.VARINT)) {
                    into.correlation(reader.varint());
                } else if (tag == (6 << 3 | WireReader.LENGTH)) {
                    into.refusals().add(refusal());
                } else if (tag == (7 << 3 | WireReader.LENGTH)) {
                    into.addRoutes(Buffer.buffer(reader.bytes()));
                } else {
                    reader.skip(tag);
                }
            }
        }
    }

    private FrameRefusal refusal() throws MalformedMessageException {
        int reason = 0;
        var message = "";
        int delay = 0;
        var places = new IntColumn();
        int outer = reader.enter();
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag >>> 3 == 4) {
                reader.varints(tag, places);
            } else if (tag == (1 << 3 | WireReader.VARINT)) {
                reason = (int) reader.varint();
            } else if (tag == (2 << 3 | WireReader.LENGTH)) {
                message = reader.string();
            } else if (tag == (3 << 3 | WireReader.VARINT)) {
                delay = (int) reader.varint();
            } else {
                reader.skip(tag);
            }
        }
        reader.leave(outer);
        return new FrameRefusal(reason, message, delay, places);
    }

    /** Adds a request to what was written. */
    public void writeRequest(FrameCalls calls, WireBytes out) {
        FrameWriter.request(calls, out);
    }

    /** Writes a request into a buffer of its own. */
    public Buffer writeRequest(FrameCalls calls) {
        var out = new WireBytes();
        FrameWriter.request(calls, out);
        return out.toBuffer();
    }

    /** Adds a reply to what was written. */
    public void writeReply(FrameReply reply, WireBytes out) {
        FrameWriter.reply(reply, out);
    }

    /** Writes a reply into a buffer of its own. */
    public Buffer writeReply(FrameReply reply) {
        var out = new WireBytes();
        FrameWriter.reply(reply, out);
        return out.toBuffer();
    }
}
