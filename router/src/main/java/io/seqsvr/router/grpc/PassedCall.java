package io.seqsvr.router.grpc;

import io.seqsvr.client.line.CallEnd;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;

/** A caller's call on its way to an owner. */
final class PassedCall implements CallEnd {
    /** Its caller may call again at once: by then the router has waited as long as it could. */
    private static final long RETRY_NOW_MILLIS = 0;

    private final Wanted wanted;
    private final Caller caller;
    private final long timeoutNanos;
    private final long madeAtNanos = System.nanoTime();
    private final Promise<Answer> promise = Promise.promise();

    /**
     * A call that nobody has seen yet.
     *
     * @param timeoutNanos when it ends at the latest, above 0
     * @param caller who waits for it
     */
    PassedCall(Wanted wanted, long timeoutNanos, Caller caller) {
        this.wanted = wanted;
        this.caller = caller;
        this.timeoutNanos = timeoutNanos;
    }

    /** What it ends with; fails if nobody knows whether it had an effect. */
    Future<Answer> future() {
        return promise.future();
    }

    @Override
    public Call call() {
        return wanted.call();
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public long leastEpoch() {
        return wanted.minEpoch();
    }

    @Override
    public long madeAtNanos() {
        return madeAtNanos;
    }

    @Override
    public long timeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public void answered(Answer answer) {
        promise.complete(answer);
    }

    @Override
    public void unanswered(String why) {
        promise.fail(unknown(why));
    }

    /** The error of a call of which nobody knows whether it had an effect. */
    static RpcException unknown(String why) {
        return RpcException.retryable(
                GrpcStatus.UNAVAILABLE,
                ErrorReason.OWNER_UNREACHABLE,
                "no answer from its owner; what was heard last: " + why,
                RETRY_NOW_MILLIS);
    }
}
