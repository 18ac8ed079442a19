package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.codec.CommandEncoder;
import io.seqsvr.proto.codec.ReplyDecoder;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader that stands still while another one is elected, and then goes on: what had been asked of it meanwhile it
 * answers before it knows. Ratis' linearizable read then returns what was true before (seen in 2 of 8 tries); a command
 * must not.
 */
@Timeout(300)
final class FrozenLeaderIT {
    private static final int PEERS = 3;
    private static final int ROUNDS = 4;
    private static final SegmentId SEGMENT = new SegmentId(1, 0);
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration LATE_CALL = Duration.ofSeconds(30);
    private static final Duration ELECTS_WITHIN = Duration.ofSeconds(30);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final UnaryCaller caller = new UnaryCaller(vertx);
    /** What became of commands to a leader that had been deposed without knowing. */
    private final TreeMap<String, Integer> outcomes = new TreeMap<>();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void aLeaderThatWasFrozenAnswersNoCommandFromThePast() throws IOException {
        try (var peers = new StorePeers(PEERS, directory)) {
            for (int round = 0; round < ROUNDS; round++) {
                try {
                    freezeAndThaw(peers, round);
                } catch (IllegalStateException stuck) {
                    throw new IllegalStateException("in round " + round + ": " + peers.lastWords(), stuck);
                }
            }
        }
        System.out.println("commands to a leader that was deposed while it stood still: " + outcomes);
        assertEquals(
                ROUNDS * 4,
                outcomes.values().stream().mapToInt(Integer::intValue).sum());
    }

    private void freezeAndThaw(StorePeers peers, int round) {
        var all = peers.endpoints();
        long alice = open(all, "alice-" + round);
        publish(all, alice);
        long epoch = epochOf(all, alice);
        // A peer that never held an entry does not help to elect: Ratis takes its disk for a wiped one.
        all.forEach(peer -> awaitShown(peer, alice));
        int leader = leader(all);
        var others = new ArrayList<>(all);
        others.remove(leader);

        peers.process(leader).freeze();
        List<Future<ExecuteReply>> asked;
        long bob;
        try {
            // They wait in the sockets of the frozen process, and are read when it goes on.
            asked = List.of(
                    send(all.get(leader), new StoreCommand.Renew(alice), LATE_CALL),
                    send(all.get(leader), new StoreCommand.Claim(alice, 0), LATE_CALL),
                    send(all.get(leader), raise(alice, epoch, 1_000_000), LATE_CALL),
                    send(all.get(leader), new StoreCommand.Renew(alice, List.of(holding(epoch))), LATE_CALL));
            assertEquals(new StoreReply.SessionEnded(alice), execute(others, new StoreCommand.CloseSession(alice)));
            bob = open(others, "bob-" + round);
            publish(others, bob);
        } finally {
            peers.process(leader).thaw();
        }
        asked.forEach(one -> count(one, alice));

        var owned = (StoreReply.Claimed) execute(all, new StoreCommand.Claim(bob, 0));
        assertEquals(epoch + 1, owned.segments().get(0).epoch());
        assertTrue(owned.segments().get(0).maxSeq() < 1_000_000, owned::toString);
        execute(all, new StoreCommand.CloseSession(bob));
    }

    /** Nothing that alice is told may be from before her end. */
    private void count(Future<ExecuteReply> asked, long alice) {
        var answered = outcome(asked);
        if (answered.isEmpty()) {
            outcomes.merge("unknown", 1, Integer::sum);
        } else if (answered.get().hasNotSubmitted()) {
            assertEquals(
                    NotSubmitted.Cause.NOT_LEADER,
                    answered.get().getNotSubmitted().getCause());
            outcomes.merge("not submitted", 1, Integer::sum);
        } else {
            assertEquals(
                    new StoreReply.SessionGone(alice),
                    ReplyDecoder.decode(answered.get().getReply()));
            outcomes.merge("session gone", 1, Integer::sum);
        }
    }

    /** Nothing if it is unknown. */
    private static Optional<ExecuteReply> outcome(Future<ExecuteReply> asked) {
        return asked.map(Optional::of).otherwise(Optional.empty()).await();
    }

    private static StoreCommand.Holding holding(long epoch) {
        return new StoreCommand.Holding(SEGMENT, epoch);
    }

    private static StoreCommand raise(long session, long epoch, long maxSeq) {
        return new StoreCommand.Raise(session, List.of(new StoreCommand.RaiseItem(SEGMENT, epoch, maxSeq)));
    }

    private long open(List<Endpoint> peers, String name) {
        var open = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, name.hashCode(), name, name + ":1");
        return ((StoreReply.SessionOpened) execute(peers, open)).session();
    }

    private void publish(List<Endpoint> peers, long session) {
        var moves = List.of(new StoreCommand.Move(SEGMENT.namespaceId(), SEGMENT.index(), SEGMENT.index(), session));
        var refused = (StoreReply.RoutesRefused) execute(peers, new StoreCommand.PublishRoutes(-1, moves));
        var reply = execute(peers, new StoreCommand.PublishRoutes(refused.version(), moves));
        assertTrue(reply instanceof StoreReply.RoutesPublished, reply::toString);
    }

    private long epochOf(List<Endpoint> peers, long session) {
        var claimed = (StoreReply.Claimed) execute(peers, new StoreCommand.Claim(session, 0));
        return claimed.segments().get(0).epoch();
    }

    /** A peer has applied everything up to a version. */
    private void awaitShown(Endpoint peer, long version) {
        var request = WatchRequest.newBuilder()
                .setSince(version - 1)
                .setWaitMillis((int) CALL.toMillis())
                .build();
        var shown = await(() -> call(peer, StoreRpc.WATCH, request, CALL.multipliedBy(2))
                .map(reply -> reply.getVersion() >= version ? Optional.of(reply) : Optional.<WatchReply>empty())
                .otherwise(Optional.empty())
                .await());
        assertTrue(shown.getVersion() >= version);
    }

    /** The peer that answers a command; the others say that they do not lead. */
    private int leader(List<Endpoint> peers) {
        return await(() -> {
            for (int peer = 0; peer < peers.size(); peer++) {
                if (tryOnce(peers.get(peer), new StoreCommand.Claim(0, 0)).isPresent()) {
                    return Optional.of(peer);
                }
            }
            return Optional.empty();
        });
    }

    /** Puts a command through whichever of these peers leads, again and again: none of them harms when repeated. */
    private StoreReply execute(List<Endpoint> peers, StoreCommand command) {
        return await(() -> {
            for (var peer : peers) {
                var reply = tryOnce(peer, command);
                if (reply.isPresent()) {
                    return reply;
                }
            }
            return Optional.empty();
        });
    }

    private <T> T await(Callable<Optional<T>> look) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < ELECTS_WITHIN.toNanos()) {
            try {
                var found = look.call();
                if (found.isPresent()) {
                    return found.get();
                }
            } catch (Exception broken) {
                throw new IllegalStateException(broken);
            }
            vertx.timer(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS).await();
        }
        throw new IllegalStateException("no peer has led for " + ELECTS_WITHIN);
    }

    private Optional<StoreReply> tryOnce(Endpoint peer, StoreCommand command) {
        return outcome(send(peer, command, CALL))
                .filter(ExecuteReply::hasReply)
                .map(reply -> ReplyDecoder.decode(reply.getReply()));
    }

    private Future<ExecuteReply> send(Endpoint peer, StoreCommand command, Duration timeout) {
        var request = ExecuteRequest.newBuilder()
                .setCommand(CommandEncoder.encode(command))
                .build();
        return call(peer, StoreRpc.EXECUTE, request, timeout);
    }

    private <Q extends Message, R extends Message> Future<R> call(
            Endpoint peer, RpcMethod<Q, R> method, Q request, Duration timeout) {
        var address = new HostPort(peer.host(), peer.port()).socketAddress();
        var sent = Promise.<R>promise();
        context.runOnContext(unused ->
                caller.call(address, method, request, timeout.toMillis()).onComplete(sent));
        return sent.future();
    }
}
