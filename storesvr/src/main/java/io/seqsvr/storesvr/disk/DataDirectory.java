package io.seqsvr.storesvr.disk;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.PeerMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The directory of one StoreSvr peer, locked by this process.
 *
 * <p>Invariant: a peer starts only from a directory that was formatted on purpose, completely, for this cluster and
 * peer. An empty one never starts as an existing voter: two emptied voters of three would agree on a history from
 * nothing.
 */
public final class DataDirectory implements AutoCloseable {
    /** Version of the layout below. */
    public static final int FORMAT = 1;

    private static final String MARK = "seqsvr-peer.json";
    private static final String NEXT_MARK = MARK + ".next";
    private static final String LOCK = "seqsvr-lock";

    /**
     * Directories that this process holds. A second attempt must not touch the lock file: POSIX takes a process's locks
     * away when it closes the file, whichever channel it closes.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path real;
    private final FileChannel lockFile;
    private final FileLock lock;

    private DataDirectory(Path path, Path real, FileChannel lockFile, FileLock lock) {
        this.path = path;
        this.real = real;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** What stands in a directory. */
    public enum Content {
        /** Nothing, or there is no such directory. */
        NOTHING,
        /** A peer's data, complete. */
        FORMATTED,
        /** A formatting that did not come to its end; nothing was ever served from it. */
        HALF_FORMATTED,
        /** Files of something else. */
        FOREIGN
    }

    /** Looks without locking or changing anything. */
    public static Content inspect(Path path) throws StartupException {
        if (!Files.exists(path)) {
            return Content.NOTHING;
        }
        if (!Files.isDirectory(path)) {
            return Content.FOREIGN;
        }
        try (var files = Files.list(path)) {
            if (Files.exists(path.resolve(MARK))) {
                return readMark(path).getComplete() ? Content.FORMATTED : Content.HALF_FORMATTED;
            }
            var names = files.map(file -> String.valueOf(file.getFileName())).collect(Collectors.toSet());
            // A formatting that ended before its mark was in place.
            var begun = names.remove(NEXT_MARK);
            names.remove(LOCK);
            if (!names.isEmpty()) {
                return Content.FOREIGN;
            }
            return begun ? Content.HALF_FORMATTED : Content.NOTHING;
        } catch (IOException unreadable) {
            throw unusable(path, unreadable);
        }
    }

    /**
     * Formats an empty or absent directory, and locks it. The mark is complete only after {@link #completeFormat}.
     *
     * @param mark whose it will be
     */
    public static DataDirectory format(Path path, PeerMark mark) throws StartupException {
        refuseUnlessEmpty(path);
        try {
            createPrivate(path);
            var directory = lock(path);
            try {
                // Once more: somebody else may have formatted it before the lock was ours.
                refuseUnlessEmpty(path);
                directory.writeMark(mark.toBuilder().setComplete(false).build());
                return directory;
            } catch (StartupException | IOException failed) {
                directory.close();
                throw failed;
            }
        } catch (IOException unwritable) {
            throw unusable(path, unwritable);
        }
    }

    /**
     * Takes away what a formatting left that did not come to its end; anything else stays and is refused. Nothing is
     * lost: such a directory was never started from.
     */
    public static void discardHalfFormatted(Path path) throws StartupException {
        // Before the lock too, which would leave its file in a directory of others.
        refuseUnlessHalfFormatted(path);
        try (var directory = lock(path)) {
            refuseUnlessHalfFormatted(path);
            deleteTree(directory.raft());
            Files.deleteIfExists(path.resolve(NEXT_MARK));
            // Last: until then the directory still shows what it is.
            Files.deleteIfExists(path.resolve(MARK));
        } catch (IOException unwritable) {
            throw unusable(path, unwritable);
        }
    }

    private static void refuseUnlessHalfFormatted(Path path) throws StartupException {
        var content = inspect(path);
        if (content != Content.HALF_FORMATTED) {
            throw new StartupException("data directory " + path + " is no half-formatted one (" + describe(content)
                    + "); nothing was removed");
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        List<Path> deepestFirst;
        try (var files = Files.walk(root)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (var file : deepestFirst) {
            Files.delete(file);
        }
    }

    private static void refuseUnlessEmpty(Path path) throws StartupException {
        var content = inspect(path);
        if (content != Content.NOTHING) {
            throw new StartupException("data directory " + path + " is not empty (" + describe(content)
                    + "); only an empty or absent directory is formatted");
        }
    }

    /** Every part is on disk: from now on the directory may be started from. */
    public void completeFormat() throws StartupException {
        try {
            writeMark(mark().toBuilder().setComplete(true).build());
        } catch (IOException unwritable) {
            throw unusable(path, unwritable);
        }
    }

    /** Changes the mark; a crash leaves the old one or the new one. */
    public synchronized void change(UnaryOperator<PeerMark> change) throws StartupException {
        try {
            var mark = mark();
            var changed = change.apply(mark);
            if (!changed.equals(mark)) {
                writeMark(changed);
            }
        } catch (IOException unwritable) {
            throw unusable(path, unwritable);
        }
    }

    /** Opens a formatted directory, and locks it. */
    public static DataDirectory open(Path path) throws StartupException {
        switch (inspect(path)) {
            case FORMATTED -> {}
            case NOTHING ->
                throw new StartupException("data directory " + path
                        + " is empty; format it with 'seqsvr store bootstrap' if this is a new cluster; if its disk was"
                        + " lost, put a new peer in its place with 'seqsvr store replace'");
            case HALF_FORMATTED ->
                throw new StartupException("data directory " + path
                        + " was not formatted completely and was never used; remove it and format again");
            case FOREIGN ->
                throw new StartupException(
                        "data directory " + path + " holds files that are not seqsvr's; give an empty directory");
        }
        try {
            var directory = lock(path);
            int format = directory.mark().getFormat();
            if (format != FORMAT) {
                directory.close();
                throw new StartupException("data directory " + path + " has format " + format
                        + "; this version reads format " + FORMAT + ", start it with the version that wrote it");
            }
            return directory;
        } catch (IOException unusable) {
            throw unusable(path, unusable);
        }
    }

    /** Whose it is. */
    public PeerMark mark() throws StartupException {
        return readMark(path);
    }

    /** Where Raft keeps its log and snapshots. */
    public Path raft() {
        return path.resolve("raft");
    }

    /** The live database: made anew from the last snapshot at each start. */
    public Path database() {
        return path.resolve("db");
    }

    /** Where native libraries are unpacked, so that a killed process leaves nothing elsewhere. */
    public Path nativeLibraries() {
        return path.resolve("native");
    }

    @Override
    public void close() {
        try {
            lock.release();
            lockFile.close();
        } catch (IOException ignored) {
            // The lock goes with the process at the latest; nothing was written through this channel.
        }
        HELD.remove(real);
    }

    private static DataDirectory lock(Path path) throws IOException, StartupException {
        var real = path.toRealPath();
        if (HELD.add(real)) {
            try {
                var file = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = file.tryLock();
                if (lock != null) {
                    return new DataDirectory(path, real, file, lock);
                }
                file.close();
            } catch (IOException | RuntimeException failed) {
                HELD.remove(real);
                throw failed;
            }
            HELD.remove(real);
        }
        throw new StartupException(
                "data directory " + path + " is in use by another process; stop it or give another directory");
    }

    private static PeerMark readMark(Path path) throws StartupException {
        var file = path.resolve(MARK);
        try {
            return MarkText.read(Files.readString(file));
        } catch (InvalidProtocolBufferException | CharacterCodingException damaged) {
            throw Damage.refusal(file + " is damaged: it does not say any more whose directory this is", "PEER");
        } catch (IOException unreadable) {
            throw unusable(path, unreadable);
        }
    }

    /** Replaces the mark so that a crash leaves the old one or the new one. */
    private void writeMark(PeerMark mark) throws IOException {
        var next = path.resolve(NEXT_MARK);
        var text = MarkText.of(mark);
        try (var file = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        Files.move(next, path.resolve(MARK), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var directory = FileChannel.open(path, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static void createPrivate(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix") && !Files.exists(path)) {
            Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(path);
        }
    }

    private static String describe(Content content) {
        return switch (content) {
            case NOTHING -> "nothing in it";
            case FORMATTED -> "it holds a peer's data";
            case HALF_FORMATTED -> "a formatting did not come to its end; remove the directory first";
            case FOREIGN -> "it holds files that are not seqsvr's";
        };
    }

    private static StartupException unusable(Path path, IOException cause) {
        return new StartupException("data directory " + path + " cannot be used: " + reason(cause)
                + "; look whether it is there, on a disk that works, and belongs to who runs this");
    }

    private static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (cause instanceof NoSuchFileException missing) {
            return missing.getFile() + " cannot be created";
        }
        return String.valueOf(cause.getMessage());
    }
}
