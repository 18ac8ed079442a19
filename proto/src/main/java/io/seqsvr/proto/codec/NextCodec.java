package io.seqsvr.proto.codec;

import java.nio.charset.StandardCharsets;

/**
 * Writes NextRequest for one sequence, and reads NextReply, without protobuf's objects. One codec is for one thread.
 */
public final class NextCodec {
    private final WireReader reader = new WireReader();
    private final byte[] namespaceName;
    private long uid;
    private long first;
    private long last;

    /** A codec for calls of one namespace. */
    public NextCodec(String namespaceName) {
        this.namespaceName = namespaceName.getBytes(StandardCharsets.UTF_8);
    }

    /** Adds a request for the next sequence of a user to what was written. */
    public void writeRequest(long ofUser, WireBytes out) {
        out.varint(1 << 3 | WireReader.LENGTH);
        out.varint(namespaceName.length);
        out.put(namespaceName);
        out.varint(2 << 3 | WireReader.VARINT);
        out.varint(ofUser);
    }

    /**
     * Reads a reply; what it bears is told until the next one is read.
     *
     * @throws MalformedMessageException if the bytes are no NextReply
     */
    public void readReply(byte[] message, int from, int to) throws MalformedMessageException {
        uid = 0;
        first = 0;
        last = 0;
        reader.begin(message, from, to);
        try {
            while (reader.hasMore()) {
                field(reader.tag());
            }
        } finally {
            reader.end();
        }
    }

    private void field(int tag) throws MalformedMessageException {
        switch (tag) {
            case 1 << 3 | WireReader.VARINT -> uid = reader.varint();
            case 2 << 3 | WireReader.VARINT -> first = reader.varint();
            case 3 << 3 | WireReader.VARINT -> last = reader.varint();
            default -> reader.skip(tag);
        }
    }

    /** The user of the reply. */
    public long uid() {
        return uid;
    }

    /** The smallest sequence of the reply. */
    public long first() {
        return first;
    }

    /** The greatest sequence of the reply. */
    public long last() {
        return last;
    }
}
