package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;

/** Serves the streams of one method that streams both ways, bytes in and bytes out, on the event loop of the port. */
@FunctionalInterface
public interface StreamHandler {
    /**
     * A caller opened a stream.
     *
     * @param replies takes what goes back to the caller
     * @return takes what the caller sends
     */
    Receiver open(StreamReplies replies);

    /** What comes in on one stream. */
    @FunctionalInterface
    interface Receiver {
        /**
         * A message came.
         *
         * @param bytes hold it; only during this call, and not to be changed
         * @param from its first byte
         * @param to behind its last byte
         * @throws RpcException ends the stream with this error
         */
        void message(byte[] bytes, int from, int to) throws RpcException;
    }
}
