package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.disk.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system that takes no more: it is full, or went read-only. The peer stops itself with one line that says what
 * to do, the other two go on, and when that was done it starts again and catches up.
 *
 * <p>{@code -Dseqsvr.diskFaults=N} sets how often a disk is filled.
 */
@Timeout(900)
@Tag("disks")
final class FullDiskIT {
    private static final int PEERS = 3;
    private static final int FULL = Integer.getInteger("seqsvr.diskFaults", 2);
    private static final int SOME = 30;
    private static final int DISK_MEGABYTES = 120;
    private static final Duration WITHIN = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private final StoreCalls calls = new StoreCalls();

    @BeforeEach
    void prepare() {
        var missing = LoopDisk.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void aPeerWhoseDiskIsFullStopsAndCatchesUpOnceThereIsSpace() throws IOException {
        withDisk((peers, seen, load, disk) -> {
            for (int round = 1; round <= FULL; round++) {
                int lines = peers.log(0).size();
                var filler = disk.fill("filler");
                stopsAndSays(peers, lines, "No space left on device; .*: free space there, then start it again");
                load.awaitMore(SOME, WITHIN);
                Files.delete(filler);
                if (round < FULL) {
                    peers.restart(0).awaitHealth(TierProcess.HEALTHY, WITHIN);
                    seen.awaitWell();
                }
            }
        });
    }

    @Test
    void aPeerWhoseFileSystemWentReadOnlyStopsAndCatchesUpOnceItIsMended() throws IOException {
        withDisk((peers, seen, load, disk) -> {
            int lines = peers.log(0).size();
            disk.turnReadOnly();
            // A sync that is under way just then is told of an error of the device.
            stopsAndSays(
                    peers,
                    lines,
                    "(Read-only file system; .* mend it, mount it again, then start the peer"
                            + "|Input/output error; .* start it again once it can be written to, .*)");
            load.awaitMore(SOME, WITHIN);
            disk.unmount();
            disk.mount();
        });
    }

    @FunctionalInterface
    private interface Fault {
        void strikeAndHeal(StorePeers peers, PeersSeen seen, RaiseLoad load, LoopDisk disk) throws IOException;
    }

    /** The first peer has a disk of its own, which is not the one that it writes its lines to. */
    private void withDisk(Fault fault) throws IOException {
        var root = directory.resolve("cluster");
        try (var disk = LoopDisk.create(directory.resolve("image"), StorePeers.dataIn(root, 0), DISK_MEGABYTES);
                var peers = new StorePeers(PEERS, root);
                var seen = new PeersSeen(peers.endpoints());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            load.awaitMore(SOME, WITHIN);
            // Log and database take their blocks in advance; a snapshot needs some more.
            peers.process(0).kill9();
            Files.writeString(peers.config(0), "snapshot_entries: 100\n", StandardOpenOption.APPEND);
            peers.restart(0).awaitHealth(TierProcess.HEALTHY, WITHIN);
            seen.awaitWell();
            fault.strikeAndHeal(peers, seen, load, disk);
            peers.restart(0).awaitHealth(TierProcess.HEALTHY, WITHIN);
            seen.awaitWell();
            assertEquals(List.of(), load.losses());
            seen.assertEqualReplicas();
        }
    }

    private static void stopsAndSays(StorePeers peers, int since, String whyAndWhat) throws IOException {
        assertEquals(1, peers.process(0).awaitEnd(WITHIN));
        var log = peers.log(0);
        var errors = log.stream()
                .skip(since)
                .filter(line -> line.contains(" ERROR "))
                .toList();
        assertEquals(1, errors.size(), () -> String.join("\n", log));
        var line = errors.get(0);
        assertTrue(line.matches(".* event=fatal error=\".* cannot be written: (.*: )?" + whyAndWhat + ".*"), line);
    }
}
