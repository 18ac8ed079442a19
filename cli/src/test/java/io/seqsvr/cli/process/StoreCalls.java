package io.seqsvr.cli.process;

import com.google.protobuf.Message;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.codec.CommandEncoder;
import io.seqsvr.proto.codec.ReplyDecoder;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Calls to the peers of a StoreSvr cluster, from threads that wait for the answer. */
final class StoreCalls implements AutoCloseable {
    static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final UnaryCaller caller = new UnaryCaller(vertx);
    /** Who answered last: while it leads the others need not be asked, one of which may stand still. */
    private volatile int leading;

    /** Puts a command through whichever of these peers leads, again and again: for commands that may be repeated. */
    StoreReply execute(List<Endpoint> peers, StoreCommand command, Duration within) {
        return await("an answer to " + command, within, () -> executeOnce(peers, command));
    }

    /** What one peer answers; nothing if it does not lead, does not answer, or cannot tell the outcome. */
    Optional<StoreReply> tryOnce(Endpoint peer, StoreCommand command) {
        return outcome(send(peer, command, CALL))
                .filter(ExecuteReply::hasReply)
                .map(reply -> ReplyDecoder.decode(reply.getReply()));
    }

    /** The place of the peer that answers a command; the others say that they do not lead. */
    int leader(List<Endpoint> peers, Duration within) {
        return await("a leader", within, () -> {
            for (int peer = 0; peer < peers.size(); peer++) {
                if (tryOnce(peers.get(peer), new StoreCommand.Claim(0, 0)).isPresent()) {
                    return Optional.of(peer);
                }
            }
            return Optional.empty();
        });
    }

    /** Puts a command to each of these peers in turn, and not again: nothing if none of them answered it. */
    Optional<StoreReply> executeOnce(List<Endpoint> peers, StoreCommand command) {
        int first = leading;
        for (int turn = 0; turn < peers.size(); turn++) {
            int peer = (first + turn) % peers.size();
            var reply = tryOnce(peers.get(peer), command);
            if (reply.isPresent()) {
                leading = peer;
                return reply;
            }
        }
        return Optional.empty();
    }

    /** Looks until there is something. */
    <T> T await(String what, Duration within, Supplier<Optional<T>> look) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < within.toNanos()) {
            var found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            vertx.timer(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS).await();
        }
        throw new IllegalStateException("no sign of " + what + " within " + within);
    }

    /** Nothing if it is unknown. */
    static Optional<ExecuteReply> outcome(Future<ExecuteReply> asked) {
        return asked.map(Optional::of).otherwise(Optional.empty()).await();
    }

    Future<ExecuteReply> send(Endpoint peer, StoreCommand command, Duration timeout) {
        var request = ExecuteRequest.newBuilder()
                .setCommand(CommandEncoder.encode(command))
                .build();
        return call(peer, StoreRpc.EXECUTE, request, timeout);
    }

    <Q extends Message, R extends Message> Future<R> call(
            Endpoint peer, RpcMethod<Q, R> method, Q request, Duration timeout) {
        var address = new HostPort(peer.host(), peer.port()).socketAddress();
        var sent = Promise.<R>promise();
        context.runOnContext(unused ->
                caller.call(address, method, request, timeout.toMillis()).onComplete(sent));
        return sent.future();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
