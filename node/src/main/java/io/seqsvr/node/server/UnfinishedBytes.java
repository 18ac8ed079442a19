package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * What a port keeps of requests that have begun to come in and have not ended, or of replies that have not gone out, of
 * all connections together. Without a bound, callers who never send the last byte, or never read, could fill the heap.
 */
final class UnfinishedBytes {
    private static final int PART_OF_HEAP = 8;
    private static final long RETRY_SOON_MILLIS = 50;

    private final String what;
    private final long most;
    private final boolean oneAlways;
    private long kept;
    /** Whose first chunk is kept beyond the bound; of one request at a time. */
    private @Nullable BodyRoom beyond;

    private UnfinishedBytes(String what, long most, boolean oneAlways) {
        this.what = what;
        this.most = most;
        this.oneAlways = oneAlways;
    }

    /** Of requests, at most so many. */
    static UnfinishedBytes ofRequests(long most) {
        return new UnfinishedBytes("requests that have not ended", most, false);
    }

    /** Of replies, at most so many; one by itself may be longer, as it would never be said otherwise. */
    static UnfinishedBytes ofReplies(long most) {
        return new UnfinishedBytes("replies that were not read", most, true);
    }

    /** An eighth of the heap. */
    static long partOfHeap() {
        return Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    }

    /** Whether so many more may be kept. */
    boolean hasRoom(int bytes) {
        return bytes <= most - kept || (oneAlways && kept == 0);
    }

    /** Whether so many more may be kept; if so, they count. */
    boolean keep(int bytes) {
        if (!hasRoom(bytes)) {
            return false;
        }
        kept += bytes;
        return true;
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

    boolean isEmpty() {
        return kept == 0;
    }

    void forget(int bytes) {
        kept -= bytes;
    }

    /** What whoever finds no room is told. */
    RpcException refusal() {
        return RpcException.retryable(
                GrpcStatus.RESOURCE_EXHAUSTED,
                ErrorReason.TOO_MUCH_UNFINISHED,
                what + " take " + kept + " bytes of the " + most + " that this node keeps for them",
                RETRY_SOON_MILLIS);
    }
}
