package io.seqsvr.node.api;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.rpc.RpcException;

/**
 * Reads the frames of all streams of one event loop, one after the other, into the same columns: a stream that is idle
 * keeps none. Use it from one thread.
 */
public final class FrameReader {
    private final FrameCodec codec = new FrameCodec();
    private final FrameCalls calls = new FrameCalls();

    /** For an event loop that has read nothing yet. */
    public FrameReader() {}

    /**
     * Reads a frame.
     *
     * @param bytes hold the message
     * @param from its first byte
     * @param to behind its last byte
     * @return what it asks; good until the next one is read, so that what waits keeps nothing of it
     * @throws RpcException if the bytes are no frame
     */
    public FrameCalls read(byte[] bytes, int from, int to) throws RpcException {
        FrameApi.read(codec, bytes, from, to, calls);
        return calls;
    }

    /** Writes the replies. */
    public FrameCodec codec() {
        return codec;
    }
}
