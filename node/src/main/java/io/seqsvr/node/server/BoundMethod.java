package io.seqsvr.node.server;

import com.google.protobuf.Message;
import io.seqsvr.core.front.Caller;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.grpc.common.GrpcStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A method with its handler: what gRPC and JSON share. Every call ends, once, by its deadline at the latest, as a reply
 * or as an {@link RpcException}, and is counted.
 */
final class BoundMethod<Q extends Message, R extends Message> {
    /** How long a caller waits who names no deadline. */
    static final long DEFAULT_TIMEOUT_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(BoundMethod.class);

    private final Vertx vertx;
    private final RpcMethod<Q, R> method;
    private final UnaryHandler<Q, R> handler;
    private final RequestMetrics metrics;
    private final UnderWay underWay;

    BoundMethod(
            Vertx vertx,
            RpcMethod<Q, R> method,
            UnaryHandler<Q, R> handler,
            RequestMetrics metrics,
            UnderWay underWay) {
        this.vertx = vertx;
        this.method = method;
        this.handler = handler;
        this.metrics = metrics;
        this.underWay = underWay;
    }

    RpcMethod<Q, R> method() {
        return method;
    }

    /** Where those who wait for it tell that they have left. */
    UnderWay underWay() {
        return underWay;
    }

    /**
     * Calls the handler.
     *
     * @param timeoutMillis the caller's, or 0 if it named none
     * @param caller who waits; what fails when it is gone is counted as cancelled, whatever the reason
     */
    Future<R> call(Q request, long timeoutMillis, Caller caller) {
        if (underWay.isStopping()) {
            return Future.failedFuture(refuse(UnderWay.refusal()));
        }
        underWay.begins();
        long startedAt = System.nanoTime();
        long timeout = timeoutMillis > 0 ? timeoutMillis : DEFAULT_TIMEOUT_MILLIS;
        var answer = answer(request, timeout, caller);
        var ending = answer.isComplete() ? end(answer) : inTime(answer, timeout);
        return ending.onComplete(ended -> {
            underWay.ends();
            metrics.ended(method.methodName(), code(ended, caller), System.nanoTime() - startedAt);
        });
    }

    private static GrpcStatus code(AsyncResult<?> ended, Caller caller) {
        if (ended.succeeded()) {
            return GrpcStatus.OK;
        }
        return caller.isGone() ? GrpcStatus.CANCELLED : ((RpcException) ended.cause()).status();
    }

    /** How a call ends that has its answer. Most have it at once; they need no timer. */
    private Future<R> end(Future<R> answer) {
        return answer.succeeded() ? answer : Future.failedFuture(typed(answer.cause()));
    }

    private Future<R> inTime(Future<R> answer, long timeout) {
        // Of its context: several wait for it, and what they throw is told there.
        Promise<R> result = ((VertxInternal) vertx).promise();
        long timer = vertx.setTimer(timeout, fired -> result.tryFail(deadlinePassed(timeout)));
        answer.onComplete(known -> {
            vertx.cancelTimer(timer);
            if (known.succeeded()) {
                result.tryComplete(known.result());
            } else {
                result.tryFail(typed(known.cause()));
            }
        });
        return result.future();
    }

    /** An error that is counted although no handler saw the request. */
    RpcException refuse(RpcException error) {
        metrics.ended(method.methodName(), error.status(), 0);
        return error;
    }

    /** An error in place of a reply that was counted, and cannot be sent. */
    RpcException unsaid(RpcException error) {
        metrics.turnedAway(error.reason().name());
        return error;
    }

    private Future<R> answer(Q request, long timeoutMillis, Caller caller) {
        try {
            return handler.handle(request, timeoutMillis, caller);
        } catch (RuntimeException defect) {
            return Future.failedFuture(defect);
        }
    }

    private RpcException typed(Throwable cause) {
        if (cause instanceof RpcException known) {
            return known;
        }
        LOG.error("event=defect verb={} error=\"{}\"", method.methodName(), cause.getMessage(), cause);
        return RpcException.of(
                GrpcStatus.INTERNAL,
                ErrorReason.INTERNAL_DEFECT,
                method.methodName() + " failed by a defect of the server; its log tells more");
    }

    private RpcException deadlinePassed(long timeoutMillis) {
        return RpcException.of(
                GrpcStatus.DEADLINE_EXCEEDED,
                ErrorReason.DEADLINE_PASSED,
                method.methodName() + " had no answer within " + timeoutMillis + " ms");
    }
}
