package io.seqsvr.storesvr.raft;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.util.FileUtils;

/**
 * The segment of the Raft log to which entries were added last.
 *
 * <p>Invariant: what a start reads of it is on the disk. Ratis takes whatever it reads for synced, and tells the leader
 * so; but a process that was killed between a write and its sync leaves entries that only the system's cache holds, and
 * after a sync that failed, the cache may hold what no later sync writes. So the segment is written anew before Ratis
 * looks at it. Closed segments were synced before they were closed.
 */
final class OpenSegment {
    private static final String NAME = "log_inprogress_*";
    private static final String COPY = "open-segment.copy";

    private OpenSegment() {}

    /**
     * Makes durable what is there.
     *
     * @param current the directory of log and vote; synced too, for the names in it
     */
    static void secure(Path current) throws IOException {
        // Not beside the log: Ratis would take it for a segment.
        var copy = current.resolveSibling(COPY);
        try (var segments = Files.newDirectoryStream(current, NAME)) {
            for (var segment : segments) {
                Files.copy(segment, copy, StandardCopyOption.REPLACE_EXISTING);
                sync(copy, StandardOpenOption.WRITE);
                Files.move(copy, segment, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException failed) {
            FileUtils.deleteFully(copy);
            throw failed;
        }
        sync(current, StandardOpenOption.READ);
    }

    private static void sync(Path path, StandardOpenOption how) throws IOException {
        try (var file = FileChannel.open(path, how)) {
            file.force(true);
        }
    }
}
