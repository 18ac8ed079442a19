package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** The replies to one request, as whoever writes them sees it. To be used on the port's event loop. */
public interface ReplyStream {
    /**
     * Whether a reply of that length may be sent now. If not, the port keeps so much already for callers that have not
     * read it yet; there may be room when one of their replies is done.
     */
    boolean hasRoom(int length);

    /**
     * Sends one reply.
     *
     * @param message the reply's bytes, which are not changed any more
     * @return done when the connection has taken it, which a caller that does not read delays; failed if it is lost,
     *     or if there was no {@linkplain #hasRoom room}, and these replies were ended. Who waits for it before the next
     *     one buffers one reply at most.
     */
    Future<Void> write(Buffer message);

    /** Ends the replies. */
    void fail(RpcException error);

    /** Has {@code gone} called once when nobody reads any more, whoever ended it. */
    void onGone(Runnable gone);
}
