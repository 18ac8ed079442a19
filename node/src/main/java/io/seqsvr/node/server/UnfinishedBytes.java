package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;

/**
 * What a port keeps of requests that have begun to come in and have not ended, and of replies that have not gone out,
 * of all connections together. Without a bound, callers who never send the last byte, or never read, could fill the
 * heap.
 */
final class UnfinishedBytes {
    private static final int PART_OF_HEAP = 8;
    private static final long RETRY_SOON_MILLIS = 50;

    private final long most;
    private long kept;

    UnfinishedBytes(long most) {
        this.most = most;
    }

    static UnfinishedBytes partOfHeap() {
        return new UnfinishedBytes(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** Whether so many more may be kept; if so, they count. */
    boolean keep(int bytes) {
        if (bytes > most - kept) {
            return false;
        }
        kept += bytes;
        return true;
    }

    void forget(int bytes) {
        kept -= bytes;
    }

    /** What whoever finds no room is told. */
    RpcException refusal() {
        return RpcException.retryable(
                GrpcStatus.RESOURCE_EXHAUSTED,
                ErrorReason.TOO_MUCH_UNFINISHED,
                "requests that have not ended and replies that were not read take " + kept + " bytes of the " + most
                        + " that this node keeps for them",
                RETRY_SOON_MILLIS);
    }
}
