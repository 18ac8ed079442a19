package io.seqsvr.node.server;

import io.seqsvr.node.flush.AbruptEnd;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Replies on their way out, of all connections together. HTTP/2 lets a caller say how much it takes in: one that takes
 * nothing and asks on would have its replies fill the heap. Use it on one event loop.
 */
final class UnreadReplies {
    /** Shorter ones take no more than the streams do on which they wait, and are not counted. */
    static final int LONG_BYTES = 4_096;
    /** Then nobody waits for the reply any more. */
    static final long READ_WITHIN_MILLIS = BoundMethod.DEFAULT_TIMEOUT_MILLIS;

    private static final long CANCEL = 8;

    private final Vertx vertx;
    private final UnfinishedBytes unfinished;
    private final long readWithinMillis;

    /**
     * None yet.
     *
     * @param unfinished room for them
     * @param readWithinMillis when a reply that was not read is taken back
     */
    UnreadReplies(Vertx vertx, UnfinishedBytes unfinished, long readWithinMillis) {
        this.vertx = vertx;
        this.unfinished = unfinished;
        this.readWithinMillis = readWithinMillis;
    }

    /**
     * Ends the response to a request, if there is room for that.
     *
     * @param last the last of what there is to say
     * @return whether there was; if not, nothing was said, and the caller is to be {@link #refusal refused}
     */
    boolean end(HttpServerRequest request, Buffer last) {
        int length = last.length();
        var response = request.response();
        if (length < LONG_BYTES) {
            response.end(last);
            return true;
        }
        if (!unfinished.keep(length)) {
            return false;
        }
        long timer = vertx.setTimer(readWithinMillis, late -> takeBack(request));
        response.end(last).onComplete(gone -> {
            vertx.cancelTimer(timer);
            unfinished.forget(length);
        });
        return true;
    }

    /** A response that the library takes for ended cannot be reset any more, and goes with its connection. */
    private static void takeBack(HttpServerRequest request) {
        request.response().reset(CANCEL).onFailure(ended -> AbruptEnd.of(request.connection()));
    }

    /** What whoever finds no room is told. */
    RpcException refusal() {
        return unfinished.refusal();
    }
}
