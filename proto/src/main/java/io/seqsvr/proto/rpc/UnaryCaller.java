package io.seqsvr.proto.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes unary calls over one HTTP/2 connection per server. Every failure is an {@link RpcException}: what the server
 * said, UNAVAILABLE where no answer came, or DEADLINE_EXCEEDED. All but a server's own "no" and what was never sent
 * leave the outcome unknown.
 *
 * <p>After a connection that could not be had, calls to that server fail at once for a hundredth of a second. Else each
 * would try to connect by itself, one after the other, and where many come they would wait for the tries before them.
 *
 * <p>A connection on which calls have waited for a second and nothing was heard is closed at the next deadline, and the
 * next call opens another: TCP tells nobody that the other side is gone, and sends again what was lost more and more
 * seldom, so that after a minute's cut it may need a minute more. The same goes for one that never came about, as
 * nothing was heard after it had been accepted.
 */
public final class UnaryCaller {
    /** Largest message that a server accepts, in bytes. */
    public static final int MAX_MESSAGE_BYTES = 4 << 20;

    /** Largest reply that a caller accepts, in bytes: a picture of as many segments as may be, each a row. */
    public static final int MAX_REPLY_BYTES = 32 << 20;

    /** A little less than a second, so that a call whose deadline is one finds it so. */
    private static final long SILENT_NANOS = 950_000_000;

    /** Servers come and go: one that was not called for so long may be none any more. */
    private static final long UNUSED_NANOS = 60_000_000_000L;

    private static final long PAUSE_NANOS = 10_000_000;

    private final Vertx vertx;
    private final boolean givesUpTheSilent;
    private final long unusedNanos;
    private final long pauseNanos;
    private final Map<SocketAddress, Line> lines = new HashMap<>();
    private boolean closed;

    /** A caller with connections of its own; use it from one context. */
    public UnaryCaller(Vertx vertx) {
        this(vertx, true);
    }

    /** The same, but it keeps silent connections: what a server that stood still has to say is to be heard. */
    public static UnaryCaller patient(Vertx vertx) {
        return new UnaryCaller(vertx, false);
    }

    private UnaryCaller(Vertx vertx, boolean givesUpTheSilent) {
        this(vertx, givesUpTheSilent, UNUSED_NANOS, PAUSE_NANOS);
    }

    /**
     * The same with ideas of its own of time.
     *
     * @param unusedNanos after so long without a call a server is one no more
     * @param pauseNanos so long nothing is tried after a connection could not be had
     */
    UnaryCaller(Vertx vertx, boolean givesUpTheSilent, long unusedNanos, long pauseNanos) {
        this.vertx = vertx;
        this.unusedNanos = unusedNanos;
        this.pauseNanos = pauseNanos;
        this.givesUpTheSilent = givesUpTheSilent;
    }

    /** To one server, with how long nothing was heard of it. */
    private final class Line {
        private final SocketAddress server;
        private final GrpcLine grpc;
        private boolean waits;
        /** By {@link System#nanoTime}, while calls wait: since when nothing was heard. */
        private long silentSince;

        private int underWay;
        private long usedNanos;
        /** Why no connection could be had, the last time; null after one that could. */
        private @Nullable RpcException unreached;

        private long unreachedNanos;

        Line(SocketAddress server) {
            this.server = server;
            grpc = new GrpcLine(vertx, server);
        }

        void asked(long nowNanos) {
            silentSince = waits ? silentSince : nowNanos;
            waits = true;
            underWay++;
            usedNanos = nowNanos;
        }

        void ended(long nowNanos) {
            underWay--;
            usedNanos = nowNanos;
        }

        void heard() {
            waits = false;
        }

        Future<GrpcClientRequest<Buffer, Buffer>> open() {
            if (unreached != null && System.nanoTime() - unreachedNanos < pauseNanos) {
                return Future.failedFuture(unreached);
            }
            return grpc.open().onSuccess(open -> unreached = null).recover(failed -> {
                unreached = RpcException.unsent(noAnswer(failed, server));
                unreachedNanos = System.nanoTime();
                return Future.failedFuture(unreached);
            });
        }

        boolean isUnused(long nowNanos) {
            return underWay == 0 && nowNanos - usedNanos >= unusedNanos;
        }

        boolean isSilent(long nowNanos) {
            return waits && nowNanos - silentSince >= SILENT_NANOS;
        }
    }

    /**
     * Calls a method.
     *
     * @param server where
     * @param method what
     * @param request with what
     * @param timeoutMillis above 0: after it the future fails with DEADLINE_EXCEEDED; the server learns the deadline
     * @return the reply, or an {@link RpcException}
     */
    public <Q extends Message, R extends Message> Future<R> call(
            SocketAddress server, RpcMethod<Q, R> method, Q request, long timeoutMillis) {
        if (closed) {
            return Future.failedFuture(typed(new IllegalStateException("the caller is closed"), server));
        }
        Promise<R> result = Promise.promise();
        long begun = System.nanoTime();
        var line = lineTo(server, begun);
        var used = new AtomicReference<@Nullable HttpConnection>();
        var timer = vertx.setTimer(timeoutMillis, fired -> {
            // First: what is given up then ends this call too, with less to say.
            result.tryFail(deadlinePassed(server, method, timeoutMillis));
            giveUpIfSilent(server, line, used.get());
        });
        line.open()
                .compose(call -> {
                    used.set(call.connection());
                    call.serviceName(method.serviceName());
                    call.methodName(method.methodName());
                    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                    call.timeout(Math.max(1, timeoutMillis - waited), TimeUnit.MILLISECONDS);
                    return call.send(Buffer.buffer(request.toByteArray()));
                })
                .compose(response -> {
                    line.heard();
                    return read(response, method);
                })
                .onComplete(answer -> {
                    vertx.cancelTimer(timer);
                    // Also by a failure: whatever broke, it is not silence.
                    line.heard();
                    line.ended(System.nanoTime());
                    if (answer.succeeded()) {
                        result.tryComplete(answer.result());
                    } else {
                        result.tryFail(typed(answer.cause(), server));
                    }
                });
        return result.future();
    }

    /** What goes to whoever is called makes room of those that nobody calls any more. */
    private Line lineTo(SocketAddress server, long nowNanos) {
        var known = lines.get(server);
        if (known == null) {
            lines.values().removeIf(line -> {
                boolean forgotten = line.isUnused(nowNanos);
                if (forgotten) {
                    var unused = line.grpc.close();
                }
                return forgotten;
            });
            known = new Line(server);
            lines.put(server, known);
        }
        known.asked(nowNanos);
        return known;
    }

    /** Servers to which it has connections, or may have. */
    int servers() {
        return lines.size();
    }

    private void giveUpIfSilent(SocketAddress server, Line line, @Nullable HttpConnection connection) {
        if (!line.isSilent(System.nanoTime())) {
            return;
        }
        if (connection == null) {
            lines.remove(server, line);
            var unused = line.grpc.close();
        } else if (givesUpTheSilent) {
            line.heard();
            var unused = connection.close();
        }
    }

    private static <R extends Message> Future<R> read(
            GrpcClientResponse<Buffer, Buffer> response, RpcMethod<?, R> method) {
        var messages = new ArrayList<Buffer>(1);
        response.handler(messages::add);
        // end() fails for every status but OK, so the status has to be looked at before its outcome.
        return ended(response).transform(ended -> {
            var status = response.status();
            if (status == null || (status == GrpcStatus.OK && ended.failed())) {
                return Future.failedFuture(
                        ended.failed() ? ended.cause() : new IllegalStateException("a reply without a status"));
            }
            if (status != GrpcStatus.OK) {
                // A response without trailers bears its status in the headers.
                var details = response.trailers().isEmpty() ? response.headers() : response.trailers();
                return Future.failedFuture(RpcException.fromTrailers(
                        status, Objects.requireNonNullElse(response.statusMessage(), ""), details));
            }
            if (messages.size() != 1) {
                return Future.failedFuture(RpcException.of(
                        GrpcStatus.INTERNAL,
                        ErrorReason.INTERNAL_DEFECT,
                        "the reply of " + method.methodName() + " bears " + messages.size() + " messages, not one"));
            }
            try {
                return Future.succeededFuture(
                        method.replyParser().parseFrom(messages.get(0).getBytes()));
            } catch (InvalidProtocolBufferException unreadable) {
                return Future.failedFuture(RpcException.of(
                        GrpcStatus.INTERNAL,
                        ErrorReason.INTERNAL_DEFECT,
                        "the reply of " + method.methodName() + " is not a "
                                + method.descriptor().getOutputType().getName() + ": " + unreadable.getMessage()));
            }
        });
    }

    /** The end of a reply; a stream that is reset after its reply began has no other. */
    private static Future<Void> ended(GrpcClientResponse<Buffer, Buffer> response) {
        Promise<Void> ended = Promise.promise();
        response.errorHandler(reset -> ended.tryFail("the stream was reset: " + reset));
        response.end().onSuccess(ended::tryComplete).onFailure(ended::tryFail);
        return ended.future();
    }

    private static RpcException typed(Throwable cause, SocketAddress server) {
        if (cause instanceof RpcException known) {
            return known;
        }
        return RpcException.retryable(
                GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, noAnswer(cause, server), 0);
    }

    private static String noAnswer(Throwable cause, SocketAddress server) {
        return "no answer from " + server + ": "
                + Objects.requireNonNullElse(cause.getMessage(), "the connection broke");
    }

    private static RpcException deadlinePassed(SocketAddress server, RpcMethod<?, ?> method, long timeoutMillis) {
        return RpcException.of(
                GrpcStatus.DEADLINE_EXCEEDED,
                ErrorReason.DEADLINE_PASSED,
                "no answer to " + method.methodName() + " from " + server + " within " + timeoutMillis + " ms");
    }

    /** Closes the connections. */
    public Future<Void> close() {
        closed = true;
        return Future.join(
                        lines.values().stream().map(line -> line.grpc.close()).toList())
                .mapEmpty();
    }
}
