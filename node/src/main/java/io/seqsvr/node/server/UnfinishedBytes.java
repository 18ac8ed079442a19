package io.seqsvr.node.server;

import io.seqsvr.node.socket.PerConnection;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.http.HttpConnection;
import io.vertx.grpc.common.GrpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * What a port keeps of requests that have begun to come in and have not ended, or of replies that have not gone out, of
 * all connections together. Without a bound, callers who never send the last byte, or never read, could fill the heap.
 *
 * <p>A connection may have as much as it leaves to others: one alone half, of two each a third. So whoever fills all
 * that it gets keeps nobody else out.
 */
final class UnfinishedBytes {
    private static final int PART_OF_HEAP = 8;
    private static final long RETRY_SOON_MILLIS = 50;

    private final String what;
    private final long most;
    private final boolean oneAlways;
    private final PerConnection<Share> shares;
    private long kept;
    /** Whose first chunk is kept beyond the bound; of one request at a time. */
    private @Nullable BodyRoom beyond;

    private UnfinishedBytes(String name, String what, long most, boolean oneAlways) {
        this.what = what;
        this.most = most;
        this.oneAlways = oneAlways;
        this.shares = new PerConnection<>("unfinished " + name, Share::new);
    }

    /**
     * Of requests.
     *
     * @param name tells it from others of the same port
     * @param most so many bytes
     */
    static UnfinishedBytes ofRequests(String name, long most) {
        return new UnfinishedBytes(name, "requests that have not ended", most, false);
    }

    /**
     * Of replies. One may be longer than the bound while there is no other, as it would never be said otherwise.
     *
     * @param name tells it from others of the same port
     * @param most so many bytes
     */
    static UnfinishedBytes ofReplies(String name, long most) {
        return new UnfinishedBytes(name, "replies that were not read", most, true);
    }

    /** An eighth of the heap. */
    static long partOfHeap() {
        return Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    }

    /** What a connection takes of it. */
    Share of(HttpConnection connection) {
        return shares.of(connection);
    }

    boolean isEmpty() {
        return kept == 0;
    }

    /** What one connection takes of it. */
    final class Share {
        private long mine;

        /** Whether so many more may be kept. */
        boolean hasRoom(int bytes) {
            return bytes <= most - kept - mine || (oneAlways && kept == 0);
        }

        /** Whether so many more may be kept; if so, they count. */
        boolean keep(int bytes) {
            if (!hasRoom(bytes)) {
                return false;
            }
            kept += bytes;
            mine += bytes;
            return true;
        }

        void forget(int bytes) {
            kept -= bytes;
            mine -= bytes;
        }

        /** A first chunk that found no room is kept all the same, in place of that of another request. */
        void keepBeyond(BodyRoom body) {
            var other = beyond;
            beyond = body;
            if (other != null) {
                other.lose();
            }
        }

        /** If it was that of this request, there is none any more. */
        void leaveBeyond(BodyRoom body) {
            if (beyond == body) {
                beyond = null;
            }
        }

        /** What whoever finds no room is told. */
        RpcException refusal() {
            return RpcException.retryable(
                    GrpcStatus.RESOURCE_EXHAUSTED,
                    ErrorReason.TOO_MUCH_UNFINISHED,
                    what + " take " + kept + " bytes of the " + most + " that this node keeps for them, those of this"
                            + " connection " + mine + "; it may have no more than it leaves to others",
                    RETRY_SOON_MILLIS);
        }
    }
}
