package io.seqsvr.client;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * Takes sequences from one router or AllocSvr over one connection. Safe for use by many threads; the stages complete
 * on a thread of the client, which must not be blocked. Failed stages bear a {@link SequenceException}.
 */
public final class SequenceClient implements AutoCloseable {
    private final Vertx vertx;
    private final Context context;
    private final UnaryCaller caller;
    private final SocketAddress server;
    private final Duration timeout;

    private SequenceClient(String host, int port, Duration timeout) {
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.context = vertx.getOrCreateContext();
        this.caller = new UnaryCaller(vertx);
        this.server = SocketAddress.inetSocketAddress(port, host);
        this.timeout = timeout;
    }

    /**
     * A client of one server; connects with the first call.
     *
     * @param host name or address
     * @param port from 1 to 65,535
     * @param timeout how long a call may take, above 0
     */
    public static SequenceClient of(String host, int port, Duration timeout) {
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("timeout is " + timeout + "; it must be at least 1 ms");
        }
        return new SequenceClient(host, port, timeout);
    }

    /**
     * Takes the next sequences of a user.
     *
     * @param namespace name of the namespace
     * @param uid the user, read as an unsigned number
     * @param count how many, at least 1
     */
    public CompletionStage<SequenceRange> next(String namespace, long uid, long count) {
        var request = NextRequest.newBuilder()
                .setNamespace(namespace)
                .setUid(uid)
                .setCount(count)
                .build();
        return call(SequencesRpc.NEXT, request, reply -> range(reply, uid, count));
    }

    /**
     * Tells the last sequence of a user; takes nothing.
     *
     * @param namespace name of the namespace
     * @param uid the user, read as an unsigned number
     */
    public CompletionStage<CurrentSequence> current(String namespace, long uid) {
        var request =
                CurrentRequest.newBuilder().setNamespace(namespace).setUid(uid).build();
        return call(SequencesRpc.CURRENT, request, reply -> current(reply, uid));
    }

    /** Waits for a stage of this client and unwraps its {@link SequenceException}. */
    public static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof SequenceException typed) {
                throw typed;
            }
            throw failed;
        }
    }

    private <Q extends Message, R extends Message, T> CompletionStage<T> call(
            RpcMethod<Q, R> method, Q request, Function<R, T> translate) {
        var result = new CompletableFuture<T>();
        try {
            // Whatever thread asks: a reply could pass its handlers by if they were set up on another thread than it
            // came on.
            context.runOnContext(here -> caller.call(server, method, request, timeout.toMillis())
                    .map(translate)
                    .onComplete(answer -> {
                        if (answer.succeeded()) {
                            result.complete(answer.result());
                        } else {
                            result.completeExceptionally(typed(answer.cause()));
                        }
                    }));
        } catch (RejectedExecutionException closed) {
            result.completeExceptionally(typed(new IllegalStateException("the client is closed", closed)));
        }
        return result;
    }

    /** A wrong reply must never look like a sequence: not one of another user, not 0, not another count. */
    private static SequenceRange range(NextReply reply, long uid, long count) {
        if (reply.getUid() != uid
                || reply.getFirst() < 1
                || reply.getLast() < reply.getFirst()
                || reply.getLast() - reply.getFirst() + 1 != count) {
            throw wrong(count + " sequences", uid, reply);
        }
        return new SequenceRange(reply.getUid(), reply.getFirst(), reply.getLast(), reply.getEpoch());
    }

    private static CurrentSequence current(CurrentReply reply, long uid) {
        if (reply.getUid() != uid || reply.getSeq() < 0) {
            throw wrong("the last sequence", uid, reply);
        }
        var exactness = switch (reply.getExactness()) {
            case EXACT -> CurrentSequence.Exactness.EXACT;
            case UPPER_BOUND, UNRECOGNIZED -> CurrentSequence.Exactness.UPPER_BOUND;
            case EXACTNESS_UNSPECIFIED -> throw wrong("the last sequence", uid, reply);
        };
        return new CurrentSequence(reply.getUid(), reply.getSeq(), exactness, reply.getEpoch());
    }

    private static SequenceException wrong(String wanted, long uid, Message reply) {
        return new SequenceException(
                SequenceException.Kind.UNKNOWN_OUTCOME,
                ErrorReason.INTERNAL_DEFECT.name(),
                "asked for " + wanted + " of user " + Long.toUnsignedString(uid) + ", but the server answered ["
                        + TextFormat.printer().emittingSingleLine(true).printToString(reply) + "]",
                Optional.empty());
    }

    private static SequenceException typed(Throwable cause) {
        if (cause instanceof SequenceException wrongReply) {
            return wrongReply;
        }
        if (!(cause instanceof RpcException error)) {
            return new SequenceException(
                    SequenceException.Kind.UNKNOWN_OUTCOME, "", String.valueOf(cause.getMessage()), Optional.empty());
        }
        var retryAfter = error.retryAfterMillis() < 0
                ? Optional.<Duration>empty()
                : Optional.of(Duration.ofMillis(error.retryAfterMillis()));
        return new SequenceException(kind(error), error.reason().name(), error.message(), retryAfter);
    }

    private static SequenceException.Kind kind(RpcException error) {
        return switch (error.status()) {
            case INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED, UNAUTHENTICATED, PERMISSION_DENIED, ALREADY_EXISTS ->
                SequenceException.Kind.INVALID;
            case OUT_OF_RANGE ->
                error.reason() == ErrorReason.SEQUENCE_EXHAUSTED
                        ? SequenceException.Kind.EXHAUSTED
                        : SequenceException.Kind.INVALID;
            case FAILED_PRECONDITION, RESOURCE_EXHAUSTED, UNAVAILABLE, ABORTED ->
                error.reason() == ErrorReason.OWNER_UNREACHABLE
                        ? SequenceException.Kind.UNKNOWN_OUTCOME
                        : SequenceException.Kind.UNAVAILABLE;
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, INTERNAL, DATA_LOSS ->
                SequenceException.Kind.UNKNOWN_OUTCOME;
        };
    }

    /** Closes the connection; calls under way fail. */
    @Override
    public void close() {
        caller.close().await();
        vertx.close().await();
    }
}
