package io.seqsvr.storesvr.raft;

import io.seqsvr.storesvr.disk.DiskFailure;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a group member: one directory {@code TERM_INDEX} each, a RocksDB checkpoint. A directory of that
 * name is complete, because it is renamed into place.
 *
 * <p>Invariant: a snapshot of which Ratis has heard is on the disk, with its name: Ratis drops the log before it, and
 * tells the leader of one that it was sent. It writes such a one to files beside, puts them in the place of the whole
 * directory, and syncs nothing.
 */
final class SnapshotDirectory implements StateMachineStorage {
    private static final String DRAFT = "draft-";
    /** What Ratis adds to the name of the directory that an installed snapshot replaces. */
    private static final String REPLACED = ".tmp*";

    private static final Pattern NAME = Pattern.compile("(\\d+)_(\\d+)");

    private final Sync sync;
    private @Nullable Path directory;
    private @Nullable SnapshotTransfers transfers;
    /** How often this object has changed the directory. */
    private final AtomicLong changes = new AtomicLong();
    /** What was shown last. */
    private volatile @Nullable Shown shown;
    /** How many Ratis wants kept; before it has said so, all of them. */
    private volatile int kept = Integer.MAX_VALUE;

    private volatile Runnable someAreUnwanted = () -> {};

    /** What puts a file, or the names in a directory, on the disk. */
    @FunctionalInterface
    interface Sync {
        void force(Path path) throws IOException;
    }

    SnapshotDirectory() {
        this(SnapshotDirectory::force);
    }

    /** With syncs that a test sees. */
    SnapshotDirectory(Sync sync) {
        this.sync = sync;
    }

    private static void force(Path path) throws IOException {
        try (var opened = FileChannel.open(path, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }

    /** One snapshot. */
    record Snapshot(TermIndex at, Path path) {
        /** Makes a database of it, to be opened. Table files never change, so a hard link will do. */
        void copyTo(Path target) throws IOException {
            try (var files = Files.newDirectoryStream(path)) {
                for (var file : files) {
                    var copy = target.resolve(file.getFileName());
                    if (file.toString().endsWith(".sst")) {
                        Files.createLink(copy, file);
                    } else if (!file.toString().endsWith(".md5")) {
                        Files.copy(file, copy);
                    }
                }
            }
        }

        /** Refuses a name that is not that of the state. */
        void checkHolds(Applied applied) throws IOException {
            if (!at.equals(SnapshotTaker.termIndex(applied))) {
                throw new IOException("it holds the state after " + applied);
            }
        }
    }

    /**
     * What the directory looked like, and the newest snapshot in it. It is another directory once Ratis has put an
     * installed snapshot in its place.
     */
    private record Shown(
            @Nullable Object directory,
            FileTime changedAt,
            long changes,
            @Nullable SnapshotInfo newest) {
        boolean isOf(BasicFileAttributes now, long changesNow) {
            return directory != null
                    && directory.equals(now.fileKey())
                    && changedAt.equals(now.lastModifiedTime())
                    && changes == changesNow;
        }
    }

    @Override
    public void init(RaftStorage storage) throws IOException {
        var snapshots = storage.getStorageDir().getStateMachineDir().toPath();
        if (Files.exists(snapshots)) {
            // What an installed one replaced. If the process ended between the two renames it is all there is.
            delete(storage.getStorageDir().getRoot().toPath(), snapshots.getFileName() + REPLACED);
        }
        directory = Files.createDirectories(snapshots);
        delete(directory, DRAFT + "*");
        transfers = SnapshotTransfers.begin(storage.getStorageDir().getTmpDir().toPath(), sync);
    }

    private static void delete(Path directory, String names) throws IOException {
        try (var files = Files.newDirectoryStream(directory, names)) {
            for (var left : files) {
                FileUtils.deleteFully(left);
            }
        }
    }

    /** Where Ratis keeps the snapshots of a group: beside the directory of its log and vote. */
    static Path beside(Path current) {
        return current.resolveSibling(RaftStorageDirectory.STATE_MACHINE_DIR_NAME);
    }

    /** The newest snapshot in a directory, which need not be there. */
    static Optional<Snapshot> latest(Path directory) throws IOException {
        return Files.exists(directory) ? last(all(directory)) : Optional.empty();
    }

    /** All snapshots, oldest first. */
    private static List<Snapshot> all(Path directory) throws IOException {
        var snapshots = new ArrayList<Snapshot>();
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                var name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches() && Files.isDirectory(file)) {
                    snapshots.add(new Snapshot(
                            TermIndex.valueOf(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))), file));
                }
            }
        }
        snapshots.sort(Comparator.comparing(Snapshot::at));
        return snapshots;
    }

    /** The newest snapshot. */
    Optional<Snapshot> latest() throws IOException {
        return last(all(directory()));
    }

    private static Optional<Snapshot> last(List<Snapshot> snapshots) {
        return snapshots.isEmpty() ? Optional.empty() : Optional.of(snapshots.get(snapshots.size() - 1));
    }

    /** Where the snapshot of an entry goes. */
    private Path place(TermIndex at) {
        return directory().resolve(at.getTerm() + "_" + at.getIndex());
    }

    /** Where a snapshot is written before it is complete. */
    Path draft() {
        return directory().resolve(DRAFT + "next");
    }

    /**
     * Makes a written draft a snapshot, for good: Ratis drops the log before it as soon as it hears of it.
     *
     * @return whether there was none of this entry yet; otherwise that one stays
     */
    boolean complete(Path draft, TermIndex at) throws IOException {
        if (Files.exists(place(at))) {
            FileUtils.deleteFully(draft);
            return false;
        }
        Files.move(draft, place(at), StandardCopyOption.ATOMIC_MOVE);
        changes.incrementAndGet();
        sync.force(directory());
        return true;
    }

    /** What the leader sends, before it has a name here. */
    SnapshotTransfers transfers() {
        if (transfers == null) {
            throw new IllegalStateException("the snapshot directory was not initialized");
        }
        return transfers;
    }

    /**
     * Ratis asks with every entry, several times: it is listed again only after a change. It asks too when it has put
     * an installed snapshot in place of the directory, before it drops the log and answers the leader; and when it has
     * begun to write what the leader sends.
     */
    @Override
    @SuppressWarnings("NullAway") // Ratis wants null where there is none
    public @Nullable SnapshotInfo getLatestSnapshot() {
        try {
            transfers().look();
            long changesNow = changes.get();
            var now = Files.readAttributes(directory(), BasicFileAttributes.class);
            var last = shown;
            if (last == null || !last.isOf(now, changesNow)) {
                if (last == null || !Objects.equals(last.directory(), now.fileKey())) {
                    secureName();
                }
                last = new Shown(now.fileKey(), now.lastModifiedTime(), changesNow, newest());
                shown = last;
            }
            return last.newest();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void secureName() throws DiskFailure {
        try {
            sync.force(Objects.requireNonNull(directory().toAbsolutePath().getParent()));
        } catch (IOException failed) {
            throw new DiskFailure("the name of the snapshots " + directory() + " cannot be written", failed);
        }
    }

    private @Nullable SnapshotInfo newest() throws IOException {
        var latest = latest();
        return latest.isEmpty()
                ? null
                : new FileListSnapshotInfo(
                        files(latest.get().path()), latest.get().at());
    }

    /** Without digests: Ratis makes them while it sends. */
    @SuppressWarnings("NullAway")
    private static List<FileInfo> files(Path snapshot) throws IOException {
        try (var files = Files.list(snapshot)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".md5") && !file.endsWith("LOCK"))
                    .sorted()
                    .map(file -> new FileInfo(file, null))
                    .toList();
        }
    }

    @Override
    public void format() {
        // Snapshots appear with the first takeSnapshot.
    }

    /** Told when Ratis may want some of them deleted, on the thread that applies. */
    void whenSomeAreUnwanted(Runnable told) {
        someAreUnwanted = told;
    }

    /** Ratis asks on the thread that applies, which waits for no disk: see {@link #dropUnwanted}. */
    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {
        int wanted = policy.getNumSnapshotsRetained();
        kept = wanted > 0 ? wanted : Integer.MAX_VALUE;
        someAreUnwanted.run();
    }

    /** Deletes all but as many of the newest as Ratis wants kept. */
    void dropUnwanted() throws IOException {
        var snapshots = all(directory());
        for (int i = 0; i < snapshots.size() - kept; i++) {
            FileUtils.deleteFully(snapshots.get(i).path());
            changes.incrementAndGet();
        }
    }

    private Path directory() {
        if (directory == null) {
            throw new IllegalStateException("the snapshot directory was not initialized");
        }
        return directory;
    }
}
