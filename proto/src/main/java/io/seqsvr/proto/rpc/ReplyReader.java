package io.seqsvr.proto.rpc;

import com.google.protobuf.Message;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Makes calls whose replies are a stream, each over an HTTP/2 connection of its own: with the call its connection is
 * given up, whether or not it ever came about. Use it from one context, on which its listeners are called.
 */
public final class ReplyReader {
    private final Vertx vertx;
    /** Whose connections are not closed. */
    private final Set<Call> calls = new HashSet<>();

    private boolean closed;

    /** A reader without a connection. */
    public ReplyReader(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Who is told what comes of one call. */
    public interface Listener {
        /** An answer has begun to come; the first reply may be long. */
        void begun();

        /** One reply. */
        void message(Buffer message);

        /**
         * Nothing more comes; told once, unless the call was cancelled.
         *
         * @param why what the server said, or how it was lost
         */
        void ended(String why);
    }

    /**
     * Makes a call without a deadline.
     *
     * @return cancels it: the listener is told nothing more
     */
    public <Q extends Message> Runnable read(
            SocketAddress server, RpcMethod<Q, ?> method, Q request, Listener listener) {
        if (closed) {
            listener.ended("no answer came: the reader is closed");
            return () -> {};
        }
        var line = new GrpcLine(vertx, server);
        var call = new Call(line, listener);
        calls.add(call);
        line.open()
                .compose(sending -> {
                    sending.serviceName(method.serviceName());
                    sending.methodName(method.methodName());
                    return call.over
                            ? Future.failedFuture("the call was cancelled")
                            : sending.send(Buffer.buffer(request.toByteArray()));
                })
                .onSuccess(call::receive)
                .onFailure(call::lost);
        return call::cancel;
    }

    /** Closes the connections; no call is made any more, and each that was has ended when it is done. */
    public Future<Void> close() {
        closed = true;
        var open = List.copyOf(calls);
        return Future.join(open.stream().map(call -> call.line.close()).toList())
                .eventually(() -> {
                    // The library may tell nothing of a call whose connection was about to come about.
                    open.forEach(call -> call.end("no answer came: the reader is closed"));
                    return Future.succeededFuture();
                })
                .mapEmpty();
    }

    private final class Call {
        private final GrpcLine line;
        private final Listener listener;
        private boolean over;

        Call(GrpcLine line, Listener listener) {
            this.line = line;
            this.listener = listener;
        }

        void receive(GrpcClientResponse<Buffer, Buffer> response) {
            if (!over) {
                listener.begun();
            }
            response.handler(message -> {
                if (!over) {
                    listener.message(message);
                }
            });
            response.errorHandler(reset -> end("the stream was reset: " + reset));
            // end() fails for every status but OK, so the status is looked at first.
            response.end().onComplete(ended -> {
                if (response.status() == null || response.status() == GrpcStatus.OK) {
                    end(ended.succeeded() ? "it ended the stream" : message(ended.cause()));
                } else {
                    var details = response.trailers().isEmpty() ? response.headers() : response.trailers();
                    var error = RpcException.fromTrailers(
                            response.status(), Objects.requireNonNullElse(response.statusMessage(), ""), details);
                    end(error.status().name() + ": " + error.message());
                }
            });
        }

        void lost(Throwable cause) {
            end("no answer came: " + message(cause));
        }

        private static String message(Throwable cause) {
            return Objects.requireNonNullElse(cause.getMessage(), "the connection broke");
        }

        private void end(String why) {
            if (!over) {
                leave();
                listener.ended(why);
            }
        }

        void cancel() {
            if (!over) {
                leave();
            }
        }

        private void leave() {
            over = true;
            // Whoever closes the reader waits for that too.
            var unused = line.close().onComplete(left -> calls.remove(this));
        }
    }
}
