package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.codec.ReplyDecoder;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.NotSubmitted;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.StoreRpc;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
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
    /** Whether a peer that goes on still believes to lead when it reads what it was asked is a matter of luck. */
    private static final int MOST_ROUNDS = 30;

    private static final SegmentId SEGMENT = new SegmentId(1, 0);
    private static final Duration LATE_CALL = Duration.ofSeconds(30);
    private static final Duration ELECTS_WITHIN = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final StoreCalls calls = new StoreCalls();
    /** What became of commands to a leader that had been deposed without knowing. */
    private final TreeMap<String, Integer> outcomes = new TreeMap<>();

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void aLeaderThatWasFrozenAnswersNoCommandFromThePast() throws IOException {
        try (var peers = new StorePeers(PEERS, directory)) {
            int round = 0;
            while (round < ROUNDS || (believed() == 0 && round < MOST_ROUNDS)) {
                try {
                    freezeAndThaw(peers, round);
                } catch (IllegalStateException stuck) {
                    throw new IllegalStateException("in round " + round + ": " + peers.lastWords(), stuck);
                }
                round++;
            }
            System.out.println("commands to a leader that was deposed while it stood still: " + outcomes);
            assertEquals(
                    round * 6,
                    outcomes.values().stream().mapToInt(Integer::intValue).sum());
            assertTrue(believed() > 0, "it always knew: nothing could have come from the past");
        }
    }

    /** Commands that a deposed peer took: it did not know yet. */
    private int believed() {
        return outcomes.values().stream().mapToInt(Integer::intValue).sum() - outcomes.getOrDefault("not submitted", 0);
    }

    private void freezeAndThaw(StorePeers peers, int round) {
        var all = peers.endpoints();
        long alice = open(all, "alice-" + round);
        long carol = open(all, "carol-" + round);
        long version = publish(all, alice);
        long epoch = epochOf(all, alice);
        // A peer that never held an entry does not help to elect: Ratis takes its disk for a wiped one.
        all.forEach(peer -> awaitShown(peer, alice));
        int leader = calls.leader(all, ELECTS_WITHIN);
        var others = new ArrayList<>(all);
        others.remove(leader);

        peers.process(leader).freeze();
        List<Future<ExecuteReply>> asked;
        long bob;
        try {
            // They wait in the sockets of the frozen process, and are read when it goes on.
            asked = List.of(
                    calls.send(all.get(leader), new StoreCommand.Renew(alice), LATE_CALL),
                    calls.send(all.get(leader), new StoreCommand.Claim(alice, 0), LATE_CALL),
                    calls.send(all.get(leader), raise(alice, epoch, 1_000_000), LATE_CALL),
                    calls.send(all.get(leader), new StoreCommand.Renew(alice, List.of(holding(epoch))), LATE_CALL),
                    calls.send(all.get(leader), handOver(alice, epoch, carol), LATE_CALL),
                    calls.send(all.get(leader), plan(version, alice), LATE_CALL));
            // Gone, if the answer to a first try was lost.
            var closed = execute(others, new StoreCommand.CloseSession(alice));
            assertTrue(closed instanceof StoreReply.SessionEnded || closed instanceof StoreReply.SessionGone);
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
        execute(all, new StoreCommand.CloseSession(carol));
    }

    /** Nothing that alice is told may be from before her end. */
    private void count(Future<ExecuteReply> asked, long alice) {
        var answered = StoreCalls.outcome(asked);
        if (answered.isEmpty()) {
            outcomes.merge("unknown", 1, Integer::sum);
        } else if (answered.get().hasNotSubmitted()) {
            assertEquals(
                    NotSubmitted.Cause.NOT_LEADER,
                    answered.get().getNotSubmitted().getCause());
            outcomes.merge("not submitted", 1, Integer::sum);
        } else {
            var reply = ReplyDecoder.decode(answered.get().getReply());
            if (reply instanceof StoreReply.RoutesRefused) {
                // Of a plan for a table that is not the newest any more, whoever says so.
                outcomes.merge("plan refused", 1, Integer::sum);
            } else {
                assertEquals(new StoreReply.SessionGone(alice), reply);
                outcomes.merge("session gone", 1, Integer::sum);
            }
        }
    }

    private static StoreCommand handOver(long session, long epoch, long to) {
        return new StoreCommand.HandOver(session, List.of(new StoreCommand.Sealed(SEGMENT, epoch, 1)), to);
    }

    private static StoreCommand plan(long version, long session) {
        return new StoreCommand.PublishRoutes(
                version,
                List.of(new StoreCommand.Move(SEGMENT.namespaceId(), SEGMENT.index(), SEGMENT.index(), session)));
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

    /** Returns the version of the table after that. */
    private long publish(List<Endpoint> peers, long session) {
        // Refused, if the answer to a first try was lost; who owns the segment is looked at by a claim.
        execute(peers, plan(versionOf(peers, session), session));
        return versionOf(peers, session);
    }

    private long versionOf(List<Endpoint> peers, long session) {
        return ((StoreReply.RoutesRefused) execute(peers, plan(-1, session))).version();
    }

    private long epochOf(List<Endpoint> peers, long session) {
        var claimed = (StoreReply.Claimed) execute(peers, new StoreCommand.Claim(session, 0));
        return claimed.segments().get(0).epoch();
    }

    /** A peer has applied everything up to a version. */
    private void awaitShown(Endpoint peer, long version) {
        var request = WatchRequest.newBuilder()
                .setSince(version - 1)
                .setWaitMillis((int) StoreCalls.CALL.toMillis())
                .build();
        calls.await(
                "what is new at " + peer,
                ELECTS_WITHIN,
                () -> calls.call(peer, StoreRpc.WATCH, request, StoreCalls.CALL.multipliedBy(2))
                        .map(reply -> reply.getVersion() >= version ? Optional.of(reply) : Optional.<WatchReply>empty())
                        .otherwise(Optional.empty())
                        .await());
    }

    /** Puts a command through whichever of these peers leads, again and again: none of them harms when repeated. */
    private StoreReply execute(List<Endpoint> peers, StoreCommand command) {
        return calls.execute(peers, command, ELECTS_WITHIN);
    }
}
