package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * The replies of one stream that its connection has not taken. All streams together have a bound: each is read from
 * only while its caller takes what it is sent, but a caller may have thousands of them.
 */
final class StreamReplyBytes {
    private static final long CANCEL = 8;

    private final HttpServerRequest request;
    private final UnfinishedBytes.Share room;
    private final UnreadReplies unread;
    private Future<Void> last = Future.succeededFuture();
    private int waiting;
    private int uncounted;
    private long sinceNanos;

    /**
     * None yet.
     *
     * @param room for all of its connection
     * @param unread takes back what is not read
     */
    StreamReplyBytes(HttpServerRequest request, UnfinishedBytes.Share room, UnreadReplies unread) {
        this.request = request;
        this.room = room;
        this.unread = unread;
    }

    /** Writes some; returns whether there was room. */
    boolean write(Buffer replies) {
        // A few bytes take no more than their stream does.
        boolean counts = uncounted + replies.length() >= UnreadReplies.LONG_BYTES;
        int length = counts ? replies.length() : 0;
        int free = replies.length() - length;
        if (!room.keep(length)) {
            return false;
        }
        uncounted += free;
        if (waiting++ == 0) {
            sinceNanos = System.nanoTime();
        }
        last = request.response().write(replies);
        last.onComplete(gone -> {
            room.forget(length);
            uncounted -= free;
            waiting--;
            sinceNanos = System.nanoTime();
        });
        return true;
    }

    /** What whoever finds no room is told. */
    RpcException refusal() {
        return room.refusal();
    }

    /** Asked now and then: what has not been read for long is taken back, and the stream with it. */
    void takeBackIfUnread(long nowNanos) {
        if (waiting > 0 && unread.isLate(nowNanos - sinceNanos)) {
            unread.takeBack(last, () -> request.response().reset(CANCEL), request.connection());
        }
    }
}
