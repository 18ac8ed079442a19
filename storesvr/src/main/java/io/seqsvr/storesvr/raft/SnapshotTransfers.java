package io.seqsvr.storesvr.raft;

import io.seqsvr.storesvr.raft.SnapshotDirectory.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.ratis.util.FileUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader sends of snapshots: a directory {@code snapshot-ID} for each time it tries, which Ratis makes and
 * fills. One that does not come to its end Ratis leaves behind, and begins anew under another name.
 *
 * <p>Invariant: once the next one has begun, those before it are gone. A leader tries several times a second; over a
 * bad link all that it sent would fill the disk.
 */
final class SnapshotTransfers {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTransfers.class);

    private static final String NAMES = "snapshot-*";
    private static final String SCRATCH = "trial";

    private final Path directory;
    private final Sync sync;
    private final SparseLine brokenOff = new SparseLine();
    private final Set<Path> known = new HashSet<>();
    private @Nullable Path last;
    /** As milliseconds; it changes when a transfer begins. */
    private long directoryChanged;

    private SnapshotTransfers(Path directory, Sync sync) {
        this.directory = directory;
        this.sync = sync;
    }

    /** At a start, when nothing of before can go on any more. */
    static SnapshotTransfers begin(Path directory, Sync sync) throws IOException {
        Files.createDirectories(directory);
        var transfers = new SnapshotTransfers(directory, sync);
        for (var left : transfers.all()) {
            FileUtils.deleteFully(left);
        }
        FileUtils.deleteFully(transfers.scratch());
        return transfers;
    }

    private List<Path> all() throws IOException {
        var all = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(directory, NAMES)) {
            files.forEach(all::add);
        }
        return all;
    }

    /** Where a snapshot can be opened before it counts, on the same file system. */
    Path scratch() {
        return directory.resolve(SCRATCH);
    }

    /** Is called after each transfer has begun, and often besides: it lists the directory only after a change. */
    synchronized void look() throws IOException {
        long changed = directory.toFile().lastModified();
        if (changed != directoryChanged) {
            directoryChanged = changed;
            dropBroken();
        }
    }

    /** The one that came last, if it is there; Ratis has just written to it when it calls one complete. */
    synchronized Optional<Path> last() throws IOException {
        // The clock of the file system may not have moved since the last look.
        dropBroken();
        return Optional.ofNullable(last).filter(Files::exists);
    }

    /** If there is one that was not there before, all others go. */
    private void dropBroken() throws IOException {
        var all = all();
        var begun = new ArrayList<Path>();
        for (var transfer : all) {
            if (known.add(transfer)) {
                begun.add(transfer);
            }
        }
        if (begun.isEmpty()) {
            return;
        }
        begun.sort(Comparator.comparing(SnapshotTransfers::changedAt));
        last = begun.get(begun.size() - 1);
        known.retainAll(Set.copyOf(all));
        all.remove(last);
        if (!all.isEmpty()) {
            brokenOff.say(soFar -> LOG.warn(
                    "event=snapshot_broken_off so_far={} free_bytes={}; what the leader sends does not come to its end:"
                            + " look at the link to it, and at the space in {}",
                    soFar,
                    directory.toFile().getUsableSpace(),
                    directory));
            all.forEach(this::drop);
        }
    }

    private static FileTime changedAt(Path transfer) {
        try {
            return Files.getLastModifiedTime(transfer);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    /** Deletes one; where it cannot, the next start of the process does. */
    void drop(Path transfer) {
        try {
            FileUtils.deleteFully(transfer);
        } catch (IOException failure) {
            LOG.warn("event=snapshots_not_deleted error=\"{}\"", failure.getMessage());
        }
    }

    /** Puts on the disk what came last, before Ratis gives it its name. */
    void secure() throws IOException {
        var complete = last();
        if (complete.isEmpty()) {
            return;
        }
        try (var files = Files.walk(complete.get())) {
            // What is in a directory before its name.
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                sync.force(file);
            }
        }
        sync.force(directory);
    }
}
