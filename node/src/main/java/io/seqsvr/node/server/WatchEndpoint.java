package io.seqsvr.node.server;

import com.google.protobuf.Message;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;

/**
 * Serves a method over gRPC whose replies are a stream: until the caller goes, its deadline passes, or the handler ends
 * it. A call is counted when it ends.
 */
final class WatchEndpoint<Q extends Message> {
    private final Vertx vertx;
    private final RpcMethod<Q, ?> method;
    private final WatchHandler<Q> handler;
    private final RequestMetrics metrics;
    private final UnreadReplies unread;
    private final UnderWay underWay;

    WatchEndpoint(
            Vertx vertx,
            RpcMethod<Q, ?> method,
            WatchHandler<Q> handler,
            RequestMetrics metrics,
            UnreadReplies unread,
            UnderWay underWay) {
        this.vertx = vertx;
        this.method = method;
        this.handler = handler;
        this.metrics = metrics;
        this.unread = unread;
        this.underWay = underWay;
    }

    void bind(LibraryPort port) {
        port.bind(GrpcEndpoint.buffers(method), call -> {
            var body = new GrpcEndpoint.FirstMessage(port.mostBytes());
            var replies = new Replies(call);
            call.invalidMessageHandler(tooLarge -> body.refuse());
            call.handler(body::take);
            call.endHandler(ended -> replies.begin(body));
        });
    }

    /** One call. */
    private final class Replies implements ReplyStream {
        private final GrpcServerRequest<Buffer, Buffer> call;
        private final long startedAt = System.nanoTime();
        private Runnable gone = () -> {};
        private long deadline = -1;
        private boolean ended;

        Replies(GrpcServerRequest<Buffer, Buffer> call) {
            this.call = call;
            // The first tells of a stream taken back, the second of a connection lost.
            call.errorHandler(reset -> end(GrpcStatus.CANCELLED));
            call.response().exceptionHandler(lost -> end(GrpcStatus.CANCELLED));
        }

        void begin(GrpcEndpoint.FirstMessage body) {
            long timeout = GrpcEndpoint.timeoutMillis(call);
            if (timeout > 0) {
                deadline = vertx.setTimer(timeout, passed -> fail(deadlinePassed(timeout)));
            }
            if (underWay.isStopping()) {
                fail(UnderWay.refusal());
                return;
            }
            try {
                handler.begin(body.read(method), this);
            } catch (RpcException malformed) {
                fail(malformed);
            }
        }

        private RpcException deadlinePassed(long timeoutMillis) {
            return RpcException.of(
                    GrpcStatus.DEADLINE_EXCEEDED,
                    ErrorReason.DEADLINE_PASSED,
                    method.methodName() + " ends after " + timeoutMillis + " ms, as its caller wants");
        }

        @Override
        public boolean hasRoom(int length) {
            return unread.hasRoom(call.connection(), length);
        }

        @Override
        public Future<Void> write(Buffer message) {
            if (ended) {
                return Future.failedFuture("the caller is gone");
            }
            return unread.write(call, message).orElseGet(() -> {
                fail(unread.refusal(call.connection()));
                return Future.failedFuture("there is no room for what callers do not read");
            });
        }

        @Override
        public void fail(RpcException error) {
            if (!ended) {
                GrpcEndpoint.fail(call.response(), error);
                end(error.status());
            }
        }

        @Override
        public void onGone(Runnable whenGone) {
            if (ended) {
                whenGone.run();
            } else {
                gone = whenGone;
            }
        }

        private void end(GrpcStatus status) {
            if (ended) {
                return;
            }
            ended = true;
            if (deadline >= 0) {
                vertx.cancelTimer(deadline);
            }
            metrics.ended(method.methodName(), status, System.nanoTime() - startedAt);
            gone.run();
        }
    }
}
