package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.LoopDisk;
import io.seqsvr.chaos.process.Cli;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.rpc.StoreRpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power cuts under load, each peer on a disk of its own: what was acknowledged is there afterwards. A peer may refuse
 * to start from a torn log; the others then go on without it, and with two of them the cluster is out of reach, but not
 * wrong.
 */
@Timeout(3_600)
@Tag("disks")
final class PowerCutIT {
    private static final int PEERS = 3;
    private static final int CUTS = Integer.getInteger("seqsvr.powercuts", 2);
    private static final int SOME = 30;
    private static final int DISK_MEGABYTES = 300;
    private static final Duration WITHIN = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private final List<LoopDisk> disks = new ArrayList<>();
    private final StoreCalls calls = new StoreCalls();
    private int refused;
    private int struck;
    private int chosen;

    @BeforeEach
    void prepare() {
        var missing = LoopDisk.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    @AfterEach
    void unmount() {
        disks.forEach(LoopDisk::close);
        calls.close();
    }

    /** Peers that take snapshots, and drop their logs, all the time. */
    private static StorePeers peers(Path root, IntFunction<Map<String, String>> environments) throws IOException {
        return new StorePeers(PEERS, root, environments, "snapshot_entries: 100\n");
    }

    /** Fresh disks under a directory of their own. */
    private Path newDisks(int cluster) {
        disks.forEach(LoopDisk::close);
        disks.clear();
        var root = directory.resolve("cluster" + cluster);
        for (int peer = 0; peer < PEERS; peer++) {
            var data = StorePeers.dataIn(root, peer);
            disks.add(LoopDisk.create(directory.resolve("disk-" + cluster + "-" + peer), data, DISK_MEGABYTES));
        }
        return root;
    }

    private void cut(StorePeers peers, List<Integer> victims) {
        LoopDisk.cutPower(
                directory.resolve("native"), victims.stream().map(disks::get).toList());
        struck += victims.size();
        for (int victim : victims) {
            // It may have noticed, and ended by itself.
            peers.process(victim).close();
            disks.get(victim).unmount();
            disks.get(victim).mount();
        }
    }

    /** Starts them again, and returns how many refused. */
    private int restart(StorePeers peers, List<Integer> victims) throws IOException {
        victims.forEach(peers::restart);
        int refusals = 0;
        for (int victim : victims) {
            if (!peers.process(victim).comesUp()) {
                refusals++;
                System.out.println("refused to start: "
                        + peers.log(victim).get(peers.log(victim).size() - 1));
            }
        }
        refused += refusals;
        return refusals;
    }

    @Test
    void nothingAcknowledgedIsLostWhenOnePeerLosesItsPower() throws IOException {
        cutAgainAndAgain(peers -> {
            int leader = calls.leader(peers.endpoints(), WITHIN);
            return List.of(chosen++ % 2 == 0 ? leader : (leader + 1) % PEERS);
        });
    }

    @Test
    void nothingAcknowledgedIsLostWhenAllPeersLoseTheirPower() throws IOException {
        cutAgainAndAgain(peers -> IntStream.range(0, PEERS).boxed().toList());
    }

    @FunctionalInterface
    private interface Choice {
        List<Integer> of(StorePeers peers);
    }

    private void cutAgainAndAgain(Choice victims) throws IOException {
        int unavailable = 0;
        for (int cuts = 0, cluster = 0; cuts < CUTS; cluster++) {
            try (var peers = peers(newDisks(cluster), peer -> Map.of());
                    var load = new RaiseLoad(calls, peers.endpoints())) {
                int refusals = 0;
                while (cuts < CUTS && refusals == 0) {
                    load.awaitMore(SOME, WITHIN);
                    var cut = victims.of(peers);
                    cut(peers, cut);
                    cuts++;
                    if (cut.size() < PEERS) {
                        load.awaitMore(SOME, WITHIN);
                    }
                    refusals = restart(peers, cut);
                }
                if (refusals > PEERS / 2) {
                    unavailable++;
                    continue;
                }
                load.awaitMore(SOME, WITHIN);
                assertEquals(List.of(), load.losses());
                if (refusals == 0) {
                    assertEqualReplicas(peers);
                }
            }
        }
        assertTrue(unavailable <= 1, "a torn log is rare, and two of them at once are rarer: " + unavailable);
        assertTrue(refused <= 1 + struck / 10, "a torn log is rare: " + refused + " of " + struck);
        System.out.println(CUTS + " power cuts: " + refused + " peers refused to start, " + unavailable
                + " times a majority of them");
    }

    private static void assertEqualReplicas(StorePeers peers) {
        try (var seen = new PeersSeen(peers.endpoints())) {
            seen.assertEqualReplicas();
        }
    }

    /** Ratis syncs nothing of what it receives, drops the log before it, and says that it is there. */
    @Test
    void aSnapshotThatWasTakenInSurvivesAPowerCut() throws IOException {
        try (var peers = peers(newDisks(0), peer -> Map.of());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            int leader = calls.leader(peers.endpoints(), WITHIN);
            int lagging = (leader + 1) % PEERS;
            peers.process(lagging).close();
            PurgedLog.writeUntilPurged(calls, peers, List.of(leader), PurgedLog.lastFile(peers.data(lagging)));
            int lines = peers.log(lagging).size();
            peers.restart(lagging).awaitPort();
            calls.await(
                    "a snapshot to be taken in",
                    WITHIN,
                    () -> loadedSince(peers, lagging, lines) >= 2 ? Optional.of(true) : Optional.empty());
            load.awaitMore(1, WITHIN);
            cut(peers, List.of(lagging));
            assertEquals(0, restart(peers, List.of(lagging)));
            load.awaitMore(SOME, WITHIN);
            assertEquals(List.of(), load.losses());
            assertEqualReplicas(peers);
        }
    }

    /** Else a peer asks one that is gone for its vote, and a majority of the wrong group is taken for one. */
    @Test
    void whoIsInTheGroupSurvivesAPowerCutRightAfterAChangeOfIt() throws IOException {
        try (var peers = peers(newDisks(0), peer -> Map.of());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            int gone = (calls.leader(peers.endpoints(), WITHIN) + 1) % PEERS;
            var left = IntStream.range(0, PEERS)
                    .filter(peer -> peer != gone)
                    .boxed()
                    .toList();
            var addresses = left.stream()
                    .map(peer -> peers.endpoints().get(peer).toString())
                    .collect(Collectors.joining(","));
            var removed = new Spoken(
                            Cli.find().run("store", "remove", "--store", addresses, "--peer", "n" + (gone + 1)))
                    .finished();
            assertEquals(0, removed.exitCode(), removed::toString);
            cut(peers, left);
            assumeTrue(restart(peers, left) == 0, "a torn log was refused, and says nothing of members");
            load.awaitMore(SOME, WITHIN);
            for (int peer : left) {
                assertEquals(2, members(peers, peer));
            }
            assertEquals(List.of(), load.losses());
        }
    }

    private int members(StorePeers peers, int peer) {
        return calls.call(
                        peers.endpoints().get(peer),
                        StoreRpc.STATUS,
                        StatusRequest.getDefaultInstance(),
                        StoreCalls.CALL)
                .await()
                .getMembersCount();
    }

    /** How often a peer has loaded a state since it wrote so many lines: at its start, and with each snapshot. */
    private static long loadedSince(StorePeers peers, int peer, int lines) {
        try {
            return peers.log(peer).stream()
                    .skip(lines)
                    .filter(line -> line.contains("event=state_loaded"))
                    .count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The same with logs on disks that lie, and no snapshot in between: this test can see a loss. */
    @Test
    void theLossOfAcknowledgedRaisesIsNoticedWhereDisksLie() throws IOException {
        assumeFaults();
        var faults = IntStream.range(0, PEERS)
                .mapToObj(peer -> DiskFault.in(directory.resolve("fault" + peer)))
                .toList();
        try (var peers = new StorePeers(
                        PEERS, newDisks(0), peer -> faults.get(peer).environment());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            faults.forEach(fault -> fault.strike(DiskFault.Kind.SYNC_LIES, "/log_inprogress_"));
            load.awaitMore(3 * SOME, WITHIN);
            cut(peers, List.of(0, 1, 2));
            faults.forEach(DiskFault::heal);
            assertEquals(0, restart(peers, List.of(0, 1, 2)));
            assertFalse(load.losses().isEmpty());
        }
    }

    /**
     * A sync fails on each disk, and the next one would succeed without the bytes: nobody asks for it, so nothing that
     * only it would have covered was acknowledged when the power goes.
     */
    @Test
    void nothingIsAcknowledgedOnTheStrengthOfASyncAfterOneThatFailed() throws IOException {
        assumeFaults();
        var faults = IntStream.range(0, PEERS)
                .mapToObj(peer -> DiskFault.in(directory.resolve("fault" + peer)))
                .toList();
        try (var peers = peers(newDisks(0), peer -> faults.get(peer).environment());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            faults.forEach(fault -> fault.strike(DiskFault.Kind.SYNC_FAILS_AND_FORGETS, "/log_inprogress_"));
            // Two at least: the last one has nobody to acknowledge with, and may never write again.
            calls.await(
                    "a majority to stop itself",
                    WITHIN,
                    () -> IntStream.range(0, PEERS)
                                            .filter(peer -> !peers.process(peer).isAlive())
                                            .count()
                                    > PEERS / 2
                            ? Optional.of(true)
                            : Optional.empty());
            cut(peers, List.of(0, 1, 2));
            assertTrue(faults.stream().allMatch(fault -> fault.syncsAfterFailure() == 0));
            faults.forEach(DiskFault::heal);
            int refusals = restart(peers, List.of(0, 1, 2));
            assumeTrue(refusals <= PEERS / 2, "most logs are torn and were refused");
            load.awaitMore(SOME, WITHIN);
            assertEquals(List.of(), load.losses());
        }
    }

    /**
     * What a killed process had written but not synced, and a start has read, counts as synced from then on: so it must
     * be.
     */
    @Test
    void whatAStartHasReadSurvivesAPowerCut() throws IOException {
        assumeFaults();
        var fault = DiskFault.in(directory.resolve("fault"));
        var root = newDisks(0);
        try (var peers = peers(root, peer -> fault.environment())) {
            try (var load = new RaiseLoad(calls, peers.endpoints())) {
                load.awaitMore(SOME, WITHIN);
                fault.strike(DiskFault.Kind.SYNC_LIES, "/log_inprogress_");
                load.awaitMore(SOME, WITHIN);
                assertEquals(List.of(), load.losses());
            }
            IntStream.range(0, PEERS).forEach(peer -> peers.process(peer).close());
            fault.heal();
            // Alone it neither leads nor writes: it has read its log, and that is all.
            assertTrue(peers.restart(0).comesUp());
            var read = openSegment(root);
            cut(peers, List.of(0));
            assertEquals(List.of(read), List.of(openSegment(root)));
        }
    }

    /** Else it could vote a second time in that term; and a peer whose vote is older than its log does not start. */
    @Test
    void theVoteOfAnElectionThatHasALeaderSurvivesAPowerCut() throws IOException {
        try (var peers = peers(newDisks(0), peer -> Map.of());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            int refusals = 0;
            for (int elections = 0; elections < Math.min(CUTS, PEERS) && refusals == 0; elections++) {
                load.awaitMore(SOME, WITHIN);
                int old = calls.leader(peers.endpoints(), WITHIN);
                peers.process(old).close();
                load.awaitMore(1, WITHIN);
                int leader = calls.leader(peers.endpoints(), WITHIN);
                var others = IntStream.range(0, PEERS)
                        .filter(peer -> peer != old)
                        .boxed()
                        .toList();
                var voted = votes(peers, others);
                cut(peers, others);
                assertEquals(voted, votes(peers, others), "leader was " + leader);
                // A torn log may be refused, and says nothing of votes.
                refusals = restart(peers, List.of(0, 1, 2));
            }
        }
    }

    private static List<List<String>> votes(StorePeers peers, List<Integer> of) {
        return of.stream().map(peer -> StorePeers.vote(peers.data(peer))).toList();
    }

    private static void assumeFaults() {
        var missing = DiskFault.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    /** Name and content of the open segment of the first peer, without the zeros that follow. */
    private static String openSegment(Path root) throws IOException {
        try (var files = Files.walk(StorePeers.dataIn(root, 0).resolve("raft"))) {
            var open = files.filter(file -> String.valueOf(file.getFileName()).startsWith("log_inprogress_"))
                    .findFirst()
                    .orElseThrow();
            var bytes = Files.readAllBytes(open);
            int length = bytes.length;
            while (length > 0 && bytes[length - 1] == 0) {
                length--;
            }
            assertTrue(length > 0);
            return open.getFileName() + " " + length + " bytes " + Arrays.hashCode(Arrays.copyOf(bytes, length));
        }
    }
}
