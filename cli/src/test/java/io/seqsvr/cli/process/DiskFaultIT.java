package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.DiskFault.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks that fail under a StoreSvr peer: it stops itself with one line that says what to do, asks the disk for nothing
 * more, and the other two go on with all that was acknowledged.
 *
 * <p>{@code -Dseqsvr.diskFaults=N} sets how many disks fail under the log.
 */
@Timeout(900)
@Tag("disks")
final class DiskFaultIT {
    private static final int PEERS = 3;
    private static final int FAULTS = Integer.getInteger("seqsvr.diskFaults", 2);
    private static final int SOME = 30;
    private static final int LOOKS = 100;
    /** Of the database: each has a table of its own in one flush. */
    private static final int COLUMN_FAMILIES = 5;

    private static final Duration WITHIN = Duration.ofMinutes(3);
    /** The directory itself, and not what is in it. */
    private static final String VOTES = "/current$";

    private static final String VOTE = "/raft-meta";
    private static final String MEMBERS = "/raft-meta.conf";
    private static final String OPEN_SEGMENT = "/log_inprogress_";

    @TempDir
    private Path directory;

    private final List<DiskFault> faults = new ArrayList<>();
    private final StoreCalls calls = new StoreCalls();

    @BeforeEach
    void prepare() {
        var missing = DiskFault.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        for (int i = 0; i < PEERS; i++) {
            faults.add(DiskFault.in(directory.resolve("fault" + i)));
        }
    }

    @AfterEach
    void close() {
        calls.close();
    }

    @FunctionalInterface
    private interface Story {
        void tell(StorePeers peers, RaiseLoad load) throws IOException;
    }

    private void underLoad(Story story) throws IOException {
        try (var peers = new StorePeers(
                        PEERS, directory, peer -> faults.get(peer).environment());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            story.tell(peers, load);
        }
    }

    @Test
    void aPeerWhoseLogCannotBeWrittenStopsAtOnceAndTheOthersGoOn() throws IOException {
        underLoad((peers, load) -> {
            var kinds = List.of(Kind.SYNC_FAILS_ONCE, Kind.SYNC_FAILS, Kind.NO_SPACE);
            for (int fault = 0; fault < FAULTS; fault++) {
                // The leader first, then a follower of the next one.
                int victim = fault % 2 == 0 ? leader(peers) : follower(peers);
                var kind = kinds.get(fault % kinds.size());
                fail(
                        peers,
                        load,
                        victim,
                        kind,
                        kind == Kind.NO_SPACE ? "No space left on device" : "Input/output error");
            }
            assertNothingLost(peers, load);
        });
    }

    /** The table that a snapshot consists of, and so does the state: the log before it would be dropped. */
    @Test
    void aPeerWhoseTablesCannotBeSyncedStopsAndTheOthersGoOn() throws IOException {
        try (var peers = new StorePeers(
                        PEERS, directory, peer -> faults.get(peer).environment(), "snapshot_entries: 100\n");
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            int victim = follower(peers);
            int lines = peers.log(victim).size();
            var fault = faults.get(victim);
            fault.strike(Kind.SYNC_FAILS_ONCE, ".sst");
            assertEquals(1, peers.process(victim).awaitEnd(WITHIN));
            var fatal = peers.log(victim).stream()
                    .skip(lines)
                    .filter(line -> line.contains("event=fatal"))
                    .toList();
            assertEquals(1, fatal.size(), fatal::toString);
            assertTrue(fatal.get(0).contains(" cannot be written: "), fatal::toString);
            assertTrue(
                    fault.syncsAfterFailure() < COLUMN_FAMILIES,
                    () -> fault.syncsAfterFailure() + " syncs after one had failed: more than of the tables beside it");
            load.awaitMore(SOME, WITHIN);
            fault.heal();
            peers.restart(victim).awaitHealth(TierProcess.HEALTHY, WITHIN);
            load.awaitMore(SOME, WITHIN);
            assertNothingLost(peers, load);
        }
    }

    /** What is answered is on a disk: while the only disk that there is does not end a sync, nothing is. */
    @Test
    void noRaiseIsAnsweredBeforeItsEntryIsOnADisk() throws IOException {
        try (var peers = new StorePeers(1, directory, peer -> faults.get(peer).environment())) {
            var fault = faults.get(0);
            var raiser = new Raiser(calls, peers::endpoints, "raiser", 0, 0);
            raiser.take();
            fault.strike(Kind.SYNC_HANGS, OPEN_SEGMENT);
            var raise = calls.send(peers.endpoints().get(0), raiser.nextRaise(), WITHIN);
            calls.await("a sync", WITHIN, () -> fault.struck() > 0 ? Optional.of(true) : Optional.empty());
            // Each takes longer than an answer from memory would.
            for (int look = 0; look < LOOKS; look++) {
                assertEquals(TierProcess.HEALTHY, peers.process(0).health());
                assertFalse(raise.isComplete(), "answered before the sync had ended");
            }
            fault.heal();
            assertTrue(StoreCalls.outcome(raise).orElseThrow().getReply().hasRaised());
        }
    }

    /** Else a peer whose power goes could vote twice: Ratis renames a vote into place and does not sync the name. */
    @Test
    void noVoteIsGivenBeforeItIsOnADisk() throws IOException {
        underLoad((peers, load) -> {
            int leader = leader(peers);
            var voters = IntStream.range(0, PEERS)
                    .filter(peer -> peer != leader)
                    .boxed()
                    .toList();
            long before = elections(peers, voters);
            var terms = voters.stream().map(peer -> term(peers, peer)).toList();
            voters.forEach(peer -> faults.get(peer).strike(Kind.SYNC_HANGS, VOTES));
            peers.process(leader).close();
            calls.await(
                    "a vote",
                    WITHIN,
                    () -> voters.stream().anyMatch(peer -> faults.get(peer).struck() > 0)
                            ? Optional.of(true)
                            : Optional.empty());
            for (int peer : voters) {
                if (faults.get(peer).struck() > 0) {
                    long term = terms.get(voters.indexOf(peer));
                    assertTrue(term(peers, peer) > term, "a sync before there is a vote keeps none");
                }
            }
            assertEquals(before, elections(peers, voters), "elected by votes that are on no disk");
            voters.forEach(peer -> faults.get(peer).heal());
            load.awaitMore(SOME, WITHIN);
        });
    }

    /**
     * Each new leader's first entry says anew who is in the group, and each peer writes that to a file of its own.
     * Ratis puts what it wrote in the place of the good file even where there was no space for it.
     */
    @Test
    void aPeerThatCouldNotWriteWhoIsInTheGroupStopsAndStillKnowsItAfterwards() throws IOException {
        underLoad((peers, load) -> {
            int leader = leader(peers);
            int victim = (leader + 1) % PEERS;
            int lines = peers.log(victim).size();
            faults.get(victim).strike(Kind.NO_SPACE, MEMBERS);
            peers.process(leader).close();
            peers.restart(leader);
            assertEquals(1, peers.process(victim).awaitEnd(WITHIN));
            assertSaid(peers, victim, lines, "the members of the group in ");
            load.awaitMore(SOME, WITHIN);

            faults.get(victim).heal();
            peers.restart(victim).awaitHealth(TierProcess.HEALTHY, WITHIN);
            load.awaitMore(SOME, WITHIN);
            assertNothingLost(peers, load);
        });
    }

    /** Where all disks are full nobody can vote; who tried says so and stops, and with space all vote as ever. */
    @Test
    void aPeerThatCouldNotWriteItsVoteStopsAndHasItsFormerOneAfterwards() throws IOException {
        underLoad((peers, load) -> {
            int leader = leader(peers);
            var voters = IntStream.range(0, PEERS)
                    .filter(peer -> peer != leader)
                    .boxed()
                    .toList();
            var before = voters.stream()
                    .map(peer -> StorePeers.vote(peers.data(peer)))
                    .toList();
            voters.forEach(peer -> faults.get(peer).strike(Kind.NO_SPACE, VOTE));
            peers.process(leader).kill9();
            // The other one, which nobody asks for a vote after that, has nothing to write.
            int stopped = calls.await(
                    "a peer that stops",
                    WITHIN,
                    () -> voters.stream()
                            .filter(peer -> !peers.process(peer).isAlive())
                            .findFirst());
            assertEquals(1, peers.process(stopped).awaitEnd(WITHIN));
            assertSaid(peers, stopped, 0, "the vote in ");
            assertEquals(List.of(), StorePeers.vote(peers.data(stopped)), "Ratis put an empty file there");
            for (int peer = 0; peer < PEERS; peer++) {
                peers.process(peer).close();
                faults.get(peer).heal();
            }

            // Alone it elects nobody, so that it has the vote that it came back with.
            peers.restart(stopped).awaitPort();
            assertEquals(before.get(voters.indexOf(stopped)), StorePeers.vote(peers.data(stopped)));
            assertTrue(
                    peers.log(stopped).stream().anyMatch(line -> line.contains("event=put_back file=")),
                    "it says that it went back");
            for (int peer = 0; peer < PEERS; peer++) {
                if (peer != stopped) {
                    peers.restart(peer);
                }
            }
            load.awaitMore(SOME, WITHIN);
            for (int peer = 0; peer < PEERS; peer++) {
                peers.process(peer).awaitHealth(TierProcess.HEALTHY, WITHIN);
            }
            assertNothingLost(peers, load);
        });
    }

    /** All peers run again: what was acknowledged is there, and the same at each of them. */
    private static void assertNothingLost(StorePeers peers, RaiseLoad load) {
        assertEquals(List.of(), load.losses());
        try (var seen = new PeersSeen(peers.endpoints())) {
            seen.assertEqualReplicas();
        }
    }

    private static void assertSaid(StorePeers peers, int peer, int since, String what) throws IOException {
        var said = peers.log(peer).stream()
                .skip(since)
                .filter(line -> line.contains("event=fatal"))
                .toList();
        assertEquals(1, said.size(), said::toString);
        assertTrue(said.get(0).contains("error=\"" + what), said::toString);
        assertTrue(
                said.get(0)
                        .contains(
                                ": No space left on device; this peer has stopped, and a majority of others goes on: "),
                said::toString);
    }

    /** The term in which a peer voted last, on its disk or on the way there. */
    private static long term(StorePeers peers, int peer) {
        return StorePeers.vote(peers.data(peer)).stream()
                .filter(line -> line.startsWith("term="))
                .mapToLong(line -> Long.parseLong(line.substring("term=".length())))
                .findFirst()
                .orElseThrow();
    }

    /** How often these peers have heard of a leader. */
    private static long elections(StorePeers peers, List<Integer> of) throws IOException {
        long elections = 0;
        for (int peer : of) {
            elections += peers.log(peer).stream()
                    .filter(line -> line.contains("event=leader_changed") && !line.contains("leader=null"))
                    .count();
        }
        return elections;
    }

    private int leader(StorePeers peers) {
        return calls.leader(peers.endpoints(), WITHIN);
    }

    private int follower(StorePeers peers) {
        return (leader(peers) + 1) % PEERS;
    }

    private void fail(StorePeers peers, RaiseLoad load, int victim, Kind kind, String reason) throws IOException {
        int lines = peers.log(victim).size();
        var fault = faults.get(victim);
        fault.strike(kind, OPEN_SEGMENT);
        assertEquals(1, peers.process(victim).awaitEnd(WITHIN));

        // What came before it in the list may be a line of the time before the fault; errors are of the fault alone.
        var errors = peers.log(victim).stream()
                .skip(lines)
                .filter(line -> line.contains(" ERROR ") || line.contains(" WARN "))
                .toList();
        assertEquals(1, errors.size(), errors::toString);
        var path = peers.data(victim).resolve("raft").toString();
        assertTrue(errors.get(0).contains("event=fatal error=\"the Raft log " + path), errors::toString);
        assertTrue(errors.get(0).contains(" cannot be written: " + reason + "; "), errors::toString);
        assertTrue(fault.struck() > 0);
        assertEquals(0, fault.syncsAfterFailure(), "syncs that were asked for after one had failed");

        var pause = load.awaitMore(SOME, WITHIN);
        System.out.println(
                kind + " on a peer: " + SOME + " more raises by the others took " + pause.toMillis() + " ms");
        fault.heal();
        peers.restart(victim).awaitHealth(TierProcess.HEALTHY, WITHIN);
    }
}
