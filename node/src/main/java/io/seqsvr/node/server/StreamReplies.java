package io.seqsvr.node.server;

import io.seqsvr.core.front.Caller;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.rpc.RpcException;

/**
 * What goes back on one stream. A stream whose caller sends nothing more ends when nothing is {@link #hold held} any
 * more. Once it is {@link #over} all of this does nothing.
 */
public interface StreamReplies extends Caller {
    /** Begins a message: what is put here until {@link #sent} is its content. */
    WireBytes begin();

    /** The message is complete. Messages that are complete together leave together. */
    void sent();

    /** A message of the caller stays here; while too many do, no more are read. */
    void hold();

    /** One that was held is done with. */
    void release();

    /** Ends the stream with an error. */
    void fail(RpcException error);

    /** Whether the stream has ended, or its caller is gone. */
    boolean over();

    @Override
    default boolean isGone() {
        return over();
    }
}
