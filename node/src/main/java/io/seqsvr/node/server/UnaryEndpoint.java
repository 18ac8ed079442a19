package io.seqsvr.node.server;

import com.google.protobuf.Message;
import io.seqsvr.core.front.Caller;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Serves one {@link BoundMethod} over gRPC without the library's own server, which costs more for a call than all that
 * is done for it. What is seldom stays there: gRPC-Web.
 */
final class UnaryEndpoint<Q extends Message, R extends Message> {
    private static final CharSequence GRPC = HttpHeaders.createOptimized("application/grpc");

    private static final String GZIP = "gzip";
    /** Shorter replies are not worth it to be remembered. */
    private static final int SHARED_BYTES = 1 << 16;

    private final BoundMethod<Q, R> bound;
    private final UnfinishedRequests unfinished;
    private final UnreadReplies unread;
    /** The last long reply: what many are told of at once is one object, and goes out as the same bytes. */
    private @Nullable Message last;

    private Buffer lastFramed = Buffer.buffer();

    UnaryEndpoint(BoundMethod<Q, R> bound, UnfinishedRequests unfinished, UnreadReplies unread) {
        this.bound = bound;
        this.unfinished = unfinished;
        this.unread = unread;
    }

    void open(HttpServerRequest request) {
        var encoding = GrpcTrailers.encodingOf(request);
        if (encoding.equals(GZIP) || encoding.equals(GrpcTrailers.IDENTITY)) {
            new Opened(request, encoding.equals(GZIP)).begin();
        } else {
            request.handler(dropped -> {});
            var error = bound.refuse(GrpcTrailers.unreadEncoding(request, GrpcTrailers.IDENTITY + "," + GZIP));
            GrpcTrailers.refuse(request, GRPC, error);
        }
    }

    /** A request until it is answered, or given up. */
    private final class Opened extends RequestCaller {
        private final HttpServerRequest request;
        private final UnaryBody body;
        private final UnfinishedRequests.Begun begun;
        private boolean late;

        Opened(HttpServerRequest request, boolean mayBeZipped) {
            super(request.connection(), bound.underWay());
            this.request = request;
            this.body = new UnaryBody(unfinished.roomOf(request.connection()), mayBeZipped);
            this.begun = unfinished.begins(this::giveUp);
        }

        void begin() {
            request.handler(chunk -> {
                // What still comes of a request that was given up is read and dropped.
                if (!late) {
                    body.append(chunk);
                }
            });
            request.exceptionHandler(this);
            request.response().exceptionHandler(this);
            request.endHandler(ended -> {
                begun.ends();
                if (!late) {
                    answer(request, body, this);
                }
            });
        }

        /** A request that is taken back, or whose connection is lost, does not end. */
        @Override
        public void handle(Throwable lost) {
            begun.ends();
            body.forget();
            super.handle(lost);
        }

        private void giveUp() {
            late = true;
            body.forget();
            var error = bound.refuse(unfinished.refusal("the request"));
            var response = request.response();
            if (!response.closed()) {
                response.putHeader(HttpHeaders.CONTENT_TYPE, GRPC);
                GrpcTrailers.end(request, error);
            }
        }
    }

    private void answer(HttpServerRequest request, UnaryBody body, Caller caller) {
        var response = request.response();
        response.putHeader(HttpHeaders.CONTENT_TYPE, GRPC);
        Q message;
        try {
            message = body.read(bound.method());
        } catch (RpcException malformed) {
            GrpcTrailers.end(request, bound.refuse(malformed));
            return;
        } finally {
            body.forget();
        }
        bound.call(message, GrpcTimeout.millis(request.getHeader("grpc-timeout")), caller)
                .onComplete(reply -> {
                    // Nobody hears what is said to a caller that took its call back.
                    if (response.closed()) {
                        return;
                    }
                    if (reply.succeeded()) {
                        end(request, reply.result());
                    } else {
                        GrpcTrailers.end(request, (RpcException) reply.cause());
                    }
                });
    }

    private void end(HttpServerRequest request, Message reply) {
        // To find out that there is no room must not cost what the reply does.
        if (reply != last && !unread.hasRoom(request.connection(), Deframer.PREFIX + reply.getSerializedSize())) {
            refuse(request);
            return;
        }
        var framed = framed(reply);
        if (!unread.end(request, framed, GrpcTrailers::well)) {
            refuse(request);
        }
    }

    private void refuse(HttpServerRequest request) {
        GrpcTrailers.end(request, bound.unsaid(unread.refusal(request.connection())));
    }

    private Buffer framed(Message reply) {
        if (reply == last) {
            return lastFramed;
        }
        if (Deframer.PREFIX + reply.getSerializedSize() >= SHARED_BYTES) {
            last = null;
            lastFramed = Buffer.buffer();
        }
        var bytes = reply.toByteArray();
        var framed = Buffer.buffer(Deframer.PREFIX + bytes.length)
                .appendByte((byte) 0)
                .appendInt(bytes.length)
                .appendBytes(bytes);
        if (framed.length() >= SHARED_BYTES) {
            last = reply;
            lastFramed = framed;
        }
        return framed;
    }
}
