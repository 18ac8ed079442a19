package io.seqsvr.node.server;

import io.seqsvr.node.socket.AbruptEnd;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Replies on their way out, of all connections together. HTTP/2 lets a caller say how much it takes in: one that takes
 * nothing and asks on would have its replies fill the heap. Use it on one event loop.
 */
final class UnreadReplies {
    /** Shorter ones take no more than the streams do on which they wait, and are not counted. */
    static final int LONG_BYTES = 4_096;
    /** Then nobody waits for the reply any more. */
    static final long READ_WITHIN_MILLIS = BoundMethod.DEFAULT_TIMEOUT_MILLIS;
    /** A stream that was reset and has not let its bytes go by then goes with its connection. */
    private static final long LETS_GO_WITHIN_MILLIS = 1_000;

    private static final long CANCEL = 8;

    private final Vertx vertx;
    private final UnfinishedBytes unfinished;
    private final long readWithinMillis;
    /** Long ones, and to how many callers each is on its way: however many they are, its bytes are there once. */
    private final IdentityHashMap<Object, OnItsWay> onTheirWay = new IdentityHashMap<>();

    /** What goes to several callers counts as that of the first. */
    private record OnItsWay(UnfinishedBytes.Share room, int callers) {}

    /**
     * None yet.
     *
     * @param unfinished room for them
     * @param readWithinMillis when a reply that was not read is taken back
     */
    UnreadReplies(Vertx vertx, UnfinishedBytes unfinished, long readWithinMillis) {
        this.vertx = vertx;
        this.unfinished = unfinished;
        this.readWithinMillis = readWithinMillis;
    }

    /** Whether a reply of that length, which is on its way to nobody yet, may be said now over a connection. */
    boolean hasRoom(HttpConnection connection, int length) {
        return length < LONG_BYTES || unfinished.of(connection).hasRoom(length);
    }

    /**
     * Ends the response to a request, if there is room for that.
     *
     * @param last the last of what there is to say; the same object for many callers counts once
     * @return whether there was; if not, nothing was said, and the caller is to be {@link #refusal refused}
     */
    boolean end(HttpServerRequest request, Buffer last) {
        return end(request, last, ended -> {});
    }

    /**
     * The same with trailers. Said by themselves they would cost a frame and a flush more.
     *
     * @param trailers puts them into the response, once there is room: who is refused must not be told them as well
     */
    boolean end(HttpServerRequest request, Buffer last, Consumer<HttpServerResponse> trailers) {
        var response = request.response();
        if (last.length() < LONG_BYTES) {
            trailers.accept(response);
            response.end(last);
            return true;
        }
        Supplier<Future<Void>> write = () -> {
            trailers.accept(response);
            return response.end(last);
        };
        return send(last, last.length(), write, () -> response.reset(CANCEL), request.connection())
                .isPresent();
    }

    /**
     * Writes one of several messages to a caller that the library serves, if there is room for that.
     *
     * @return done when the connection has taken it; nothing if there was no room, and nothing was written
     */
    Optional<Future<Void>> write(GrpcServerRequest<Buffer, Buffer> request, Buffer message) {
        return copied(request, message, () -> request.response().write(message));
    }

    /**
     * The same of one of any number, which counts however short it is: over one stream a caller may ask for as many as
     * that takes.
     */
    Optional<Future<Void>> writeOneOfMany(GrpcServerRequest<Buffer, Buffer> request, Buffer message) {
        return counted(request, message, () -> request.response().write(message));
    }

    /** Ends the response to a request that the library serves, if there is room for that; the same otherwise. */
    Optional<Future<Void>> end(GrpcServerRequest<Buffer, Buffer> request, Buffer message) {
        return copied(request, message, () -> request.response().end(message));
    }

    private Optional<Future<Void>> copied(
            GrpcServerRequest<Buffer, Buffer> request, Buffer message, Supplier<Future<Void>> write) {
        return message.length() < LONG_BYTES ? Optional.of(orLost(write)) : counted(request, message, write);
    }

    /** The library makes a copy for each caller. */
    private Optional<Future<Void>> counted(
            GrpcServerRequest<Buffer, Buffer> request, Buffer message, Supplier<Future<Void>> write) {
        return send(new Object(), message.length(), write, request.response()::cancel, request.connection());
    }

    private Optional<Future<Void>> send(
            Object bytes, int length, Supplier<Future<Void>> write, Runnable takeBack, HttpConnection connection) {
        var already = onTheirWay.get(bytes);
        var room = already == null ? unfinished.of(connection) : already.room();
        if (already == null && !room.keep(length)) {
            return Optional.empty();
        }
        onTheirWay.put(bytes, new OnItsWay(room, already == null ? 1 : already.callers() + 1));
        var written = orLost(write);
        long timer = vertx.setTimer(readWithinMillis, late -> takeBack(written, takeBack, connection));
        return Optional.of(written.onComplete(gone -> {
            vertx.cancelTimer(timer);
            forget(bytes, length);
        }));
    }

    /** The library throws where the caller has reset the stream. */
    private static Future<Void> orLost(Supplier<Future<Void>> write) {
        try {
            return write.get();
        } catch (IllegalStateException lost) {
            return Future.failedFuture(lost);
        }
    }

    /**
     * A response that the library takes for ended it does not reset any more, and what a connection has taken whose
     * caller reads nothing at all goes with that only.
     */
    void takeBack(Future<Void> written, Runnable takeBack, HttpConnection connection) {
        takeBack.run();
        vertx.setTimer(LETS_GO_WITHIN_MILLIS, still -> {
            if (!written.isComplete()) {
                AbruptEnd.of(connection);
            }
        });
    }

    private void forget(Object bytes, int length) {
        var last = Objects.requireNonNull(onTheirWay.remove(bytes));
        if (last.callers() > 1) {
            onTheirWay.put(bytes, new OnItsWay(last.room(), last.callers() - 1));
        } else {
            last.room().forget(length);
        }
    }

    /** Whether nobody waits any more for what was not read for so long. */
    boolean isLate(long nanos) {
        return nanos >= TimeUnit.MILLISECONDS.toNanos(readWithinMillis);
    }

    /** What whoever finds no room is told. */
    RpcException refusal(HttpConnection connection) {
        return unfinished.of(connection).refusal();
    }
}
