package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A StoreSvr process that was away for longer than the others keep their log: it catches up by a snapshot. */
@Timeout(400)
final class LaggingPeerIT {
    private static final int PEERS = 3;
    private static final int SOME = 30;
    private static final Duration WITHIN = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private final StoreCalls calls = new StoreCalls();

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void whoIsBehindWhatTheOthersKeepOfTheLogGetsASnapshotWhileRaisesGoOn() throws IOException {
        try (var peers = new StorePeers(PEERS, directory);
                var seen = new PeersSeen(peers.endpoints());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            for (int peer = 0; peer < PEERS; peer++) {
                peers.process(peer).terminate(WITHIN);
                Files.writeString(peers.config(peer), "snapshot_entries: 100\n", StandardOpenOption.APPEND);
                peers.restart(peer).awaitPort();
                seen.awaitWell();
            }
            load.awaitMore(SOME, WITHIN);
            int leader = peers.indexOf(seen.awaitLeader());
            int lagging = (leader + 1) % PEERS;
            int lines = peers.log(lagging).size();
            peers.process(lagging).kill9();
            long newest = seen.answers().stream()
                    .flatMapToLong(peer -> peer.appliedIndex().stream())
                    .max()
                    .orElseThrow();

            var others =
                    IntStream.range(0, PEERS).filter(peer -> peer != lagging).boxed();
            PurgedLog.writeUntilPurged(calls, peers, others.toList(), newest);
            load.awaitMore(SOME, WITHIN);

            peers.restart(lagging).awaitHealth(TierProcess.HEALTHY, WITHIN);
            seen.awaitWell();
            var loaded = peers.log(lagging).stream()
                    .skip(lines)
                    .filter(line -> line.contains("event=state_loaded"))
                    .count();
            assertTrue(loaded >= 2, "once at its start and once from a snapshot, not " + loaded + " times");
            load.awaitMore(SOME, WITHIN);
            assertEquals(List.of(), load.losses());
            seen.assertEqualReplicas();
        }
    }
}
