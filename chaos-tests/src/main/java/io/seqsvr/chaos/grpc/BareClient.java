package io.seqsvr.chaos.grpc;

import io.seqsvr.chaos.grpc.CallFailure.Kind;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.ItemError;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks one server over one connection and passes on whatever it says: no retries, no verifier, no filter of epochs.
 * A checker behind the Java client would not see what that client holds back.
 */
public final class BareClient implements ManyCaller {
    private final Vertx vertx;
    private final Context context;
    private final UnaryCaller caller;
    private final SocketAddress server;
    private final Duration timeout;

    /**
     * A client that connects with its first call, and anew when a call finds its connection silent.
     *
     * @param timeout how long a call may take, at least 1 ms
     */
    public BareClient(String host, int port, Duration timeout) {
        this(host, port, timeout, UnaryCaller::new);
    }

    /** The same, but it keeps silent connections: it hears what a server that stood still says when it wakes. */
    public static BareClient patient(String host, int port, Duration timeout) {
        return new BareClient(host, port, timeout, UnaryCaller::patient);
    }

    private BareClient(String host, int port, Duration timeout, Function<Vertx, UnaryCaller> callers) {
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.context = vertx.getOrCreateContext();
        this.caller = callers.apply(vertx);
        this.server = new HostPort(host, port).socketAddress();
        this.timeout = timeout;
    }

    /** What the server gave, as it said it; fails with a {@link CallFailure}. */
    public CompletionStage<Given> next(String namespace, long uid, long count) {
        var request = NextRequest.newBuilder()
                .setNamespace(namespace)
                .setUid(uid)
                .setCount(count)
                .build();
        return ask(() -> caller.call(server, SequencesRpc.NEXT, request, timeout.toMillis()), BareClient::given);
    }

    /** What the server told of the last sequence, as it said it; fails with a {@link CallFailure}. */
    public CompletionStage<Told> current(String namespace, long uid) {
        var request =
                CurrentRequest.newBuilder().setNamespace(namespace).setUid(uid).build();
        return ask(
                () -> caller.call(server, SequencesRpc.CURRENT, request, timeout.toMillis()),
                reply -> new Told(reply.getUid(), reply.getSeq(), reply.getEpoch()));
    }

    /** Where the user stands after it was lifted, as the server said it; fails with a {@link CallFailure}. */
    public CompletionStage<Told> raiseFloor(String namespace, long uid, long floor) {
        var request = RaiseFloorRequest.newBuilder()
                .setNamespace(namespace)
                .setUid(uid)
                .setFloor(floor)
                .build();
        return ask(
                () -> caller.call(server, SequencesRpc.RAISE_FLOOR, request, timeout.toMillis()),
                reply -> new Told(reply.getUid(), reply.getSeq(), reply.getEpoch()));
    }

    private <A, R> CompletionStage<R> ask(Supplier<Future<A>> call, Function<A, R> read) {
        var result = new CompletableFuture<R>();
        try {
            // Whatever thread asks: a reply could pass its handlers by if they were set up on another thread than it
            // came on.
            context.runOnContext(here -> call.get().onComplete(answer -> {
                if (answer.failed()) {
                    result.completeExceptionally(failure(answer.cause()));
                    return;
                }
                try {
                    result.complete(read.apply(answer.result()));
                } catch (CallFailure admitted) {
                    result.completeExceptionally(admitted);
                }
            }));
        } catch (RejectedExecutionException closed) {
            result.completeExceptionally(new CallFailure(Kind.UNKNOWN, "the client is closed", Optional.empty()));
        }
        return result;
    }

    @Override
    public CompletionStage<List<Optional<Given>>> nextMany(String namespace, long[] uids) {
        var request = NextManyRequest.newBuilder().setNamespace(namespace);
        for (long uid : uids) {
            request.addItems(NextItem.newBuilder().setUid(uid));
        }
        return ask(
                () -> caller.call(server, SequencesRpc.NEXT_MANY, request.build(), timeout.toMillis()),
                BareClient::givenMany);
    }

    private static List<Optional<Given>> givenMany(NextManyReply reply) {
        return reply.getResultsList().stream()
                .map(result -> {
                    requireNoDefect(result.hasError(), result.getError());
                    var taken = result.getTaken();
                    return result.hasTaken()
                            ? Optional.of(
                                    new Given(result.getUid(), taken.getFirst(), taken.getLast(), taken.getEpoch()))
                            : Optional.<Given>empty();
                })
                .toList();
    }

    @Override
    public CompletionStage<List<Optional<Told>>> currentMany(String namespace, long[] uids) {
        var request = CurrentManyRequest.newBuilder().setNamespace(namespace);
        for (long uid : uids) {
            request.addItems(CurrentItem.newBuilder().setUid(uid));
        }
        return ask(
                () -> caller.call(server, SequencesRpc.CURRENT_MANY, request.build(), timeout.toMillis()),
                BareClient::toldMany);
    }

    private static List<Optional<Told>> toldMany(CurrentManyReply reply) {
        return reply.getResultsList().stream()
                .map(result -> {
                    requireNoDefect(result.hasError(), result.getError());
                    return result.hasLast()
                            ? Optional.of(new Told(
                                    result.getUid(),
                                    result.getLast().getSeq(),
                                    result.getLast().getEpoch()))
                            : Optional.<Told>empty();
                })
                .toList();
    }

    private static void requireNoDefect(boolean refused, ItemError error) {
        if (refused && error.getReason() == ErrorReason.INTERNAL_DEFECT) {
            throw new CallFailure(Kind.DEFECT, error.getMessage(), Optional.empty());
        }
    }

    private static Given given(NextReply reply) {
        return new Given(reply.getUid(), reply.getFirst(), reply.getLast(), reply.getEpoch());
    }

    private static CallFailure failure(Throwable cause) {
        if (!(cause instanceof RpcException error)) {
            return new CallFailure(Kind.UNKNOWN, String.valueOf(cause.getMessage()), Optional.empty());
        }
        var retryAfter = error.retryAfterMillis() < 0
                ? Optional.<Duration>empty()
                : Optional.of(Duration.ofMillis(error.retryAfterMillis()));
        return new CallFailure(kind(error), error.message(), retryAfter);
    }

    private static Kind kind(RpcException error) {
        if (error.isUnsent()) {
            return Kind.UNSENT;
        }
        if (error.reason() == ErrorReason.INTERNAL_DEFECT) {
            return Kind.DEFECT;
        }
        if (error.reason() == ErrorReason.NOT_OWNER) {
            return Kind.NOT_OWNER;
        }
        return switch (error.status()) {
            case INVALID_ARGUMENT,
                    NOT_FOUND,
                    UNIMPLEMENTED,
                    UNAUTHENTICATED,
                    PERMISSION_DENIED,
                    ALREADY_EXISTS,
                    OUT_OF_RANGE -> Kind.FINAL;
            case FAILED_PRECONDITION, RESOURCE_EXHAUSTED, UNAVAILABLE, ABORTED ->
                error.reason() == ErrorReason.OWNER_UNREACHABLE ? Kind.UNKNOWN : Kind.REFUSED;
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, INTERNAL, DATA_LOSS -> Kind.UNKNOWN;
        };
    }

    @Override
    public void close() {
        LoopEnd.of(vertx, context, caller::close);
    }
}
