package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;

/**
 * How many calls of a port are being answered, whose callers have left, and whether it still takes any. Use it on one
 * event loop.
 *
 * <p>That a port stops is said to each caller who comes, and not by HTTP/2's GOAWAY: callers were seen to send calls on
 * for a while over a connection that has said it, and to wait for their answers until the deadline.
 */
final class UnderWay {
    private static final long RETRY_SOON_MILLIS = 10;

    private int calls;
    private boolean stopping;
    private Runnable whenCallersLeave = () -> {};

    /** Sets who is told that a caller of a call that is being answered has left. */
    void whenCallersLeave(Runnable told) {
        whenCallersLeave = told;
    }

    /** The caller of a call, or of a stream, has left before it was answered. */
    void callerLeft() {
        whenCallersLeave.run();
    }

    void begins() {
        calls++;
    }

    void ends() {
        calls--;
    }

    /** From now on it takes no call. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    boolean isIdle() {
        return calls == 0;
    }

    /** What those are told who wait for an answer when the port closes. */
    static RpcException brokenOff() {
        return RpcException.retryable(
                GrpcStatus.UNAVAILABLE,
                ErrorReason.OWNER_UNREACHABLE,
                "the node stopped before all was answered",
                RETRY_SOON_MILLIS);
    }

    /** What whoever comes too late is told: nothing was done for it. */
    static RpcException refusal() {
        return RpcException.retryable(
                GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "the node is stopping", RETRY_SOON_MILLIS);
    }
}
