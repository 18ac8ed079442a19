package io.seqsvr.node.server;

import io.seqsvr.core.front.Caller;
import io.vertx.core.Future;

/**
 * Answers the requests of one unary method.
 *
 * @param <Q> request message
 * @param <R> reply message
 */
@FunctionalInterface
public interface UnaryHandler<Q, R> {
    /**
     * Answers a request, on the event loop of the port.
     *
     * @param request what was asked
     * @param timeoutMillis how long the caller still waits, above 0
     * @param caller tells whether it does; to be asked on the event loop of the port
     * @return the reply, or a failure with an {@link io.seqsvr.proto.rpc.RpcException}; any other failure counts as a
     *     defect of ours
     */
    Future<R> handle(Q request, long timeoutMillis, Caller caller);
}
