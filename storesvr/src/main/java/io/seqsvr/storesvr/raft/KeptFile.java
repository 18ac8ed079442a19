package io.seqsvr.storesvr.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A small file that Ratis writes anew as a whole, under a second name too. Ratis writes beside it and then puts what it
 * has written in its place, even if it could not write it to the end ({@code AtomicFileOutputStream}, which commits
 * when it is closed, whatever happened before): on a full disk an empty file takes the place of a good one. And two of
 * its threads may write at once, over each other: then a file that is not whole is whole a moment later.
 *
 * <p>Invariant: the last version that was kept is there under one of the two names. So whoever keeps each version
 * before anybody relies on it loses nothing when a later one is not finished.
 */
final class KeptFile {
    private static final String KEPT = ".kept";
    private static final String NEXT = ".kept-next";
    private static final String PROBE = ".probe";
    private static final int PROBE_BYTES = 4096;

    private final Path file;
    private final Path kept;
    private final Path next;
    private final Predicate<byte[]> whole;

    /**
     * A file, which need not be there yet.
     *
     * @param whole tells whether these bytes are a version that was written to its end
     */
    KeptFile(Path file, Predicate<byte[]> whole) {
        this.file = file;
        this.kept = file.resolveSibling(file.getFileName() + KEPT);
        this.next = file.resolveSibling(file.getFileName() + NEXT);
        this.whole = whole;
    }

    /** Whether it is there and not whole. */
    boolean isUnfinished() throws IOException {
        try {
            return !whole.test(Files.readAllBytes(file));
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    /** The present version, which may not be whole. */
    byte[] read() throws IOException {
        return Files.readAllBytes(file);
    }

    /**
     * Gives the present version its second name; whoever needs the names on the disk syncs the directory.
     *
     * @return the present version; nothing if it is not whole, or not yet, and then the one before stays kept
     * @throws IOException if it cannot be read, or given a name
     */
    Optional<byte[]> keep() throws IOException {
        if (Files.exists(kept) && Files.isSameFile(file, kept)) {
            var version = Files.readAllBytes(kept);
            if (whole.test(version)) {
                return Optional.of(version);
            }
        }
        Files.deleteIfExists(next);
        // First the name and then the look: Ratis may put another version in its place meanwhile.
        Files.createLink(next, file);
        var version = Files.readAllBytes(next);
        if (!whole.test(version)) {
            Files.delete(next);
            return Optional.empty();
        }
        Files.move(next, kept, StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(version);
    }

    /**
     * Keeps a version that the caller knows, whatever Ratis has written; synced, but for the name.
     *
     * @throws IOException if it cannot be written
     */
    void keep(byte[] version) throws IOException {
        Files.deleteIfExists(next);
        try (var copy = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (var bytes = ByteBuffer.wrap(version); bytes.hasRemaining(); ) {
                copy.write(bytes);
            }
            copy.force(true);
        }
        Files.move(next, kept, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Puts the kept version back where a later one was not finished: nobody has relied on that one. A file that is gone
     * stays so, as Ratis never takes it away.
     *
     * @return whether it did
     */
    boolean putBack() throws IOException {
        if (!isUnfinished() || !Files.exists(kept) || !whole.test(Files.readAllBytes(kept))) {
            return false;
        }
        Files.deleteIfExists(next);
        Files.createLink(next, kept);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        return true;
    }

    /**
     * Asks the disk for something that nobody needs: Ratis does not say why it has not finished.
     *
     * @throws IOException if that fails too, which is why
     */
    void probe() throws IOException {
        var probe = file.resolveSibling(file.getFileName() + PROBE);
        try {
            Files.write(probe, new byte[PROBE_BYTES], StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            Files.delete(probe);
        } catch (IOException reason) {
            remove(probe, reason);
            throw reason;
        }
    }

    private static void remove(Path probe, IOException reason) {
        try {
            Files.deleteIfExists(probe);
        } catch (IOException besides) {
            reason.addSuppressed(besides);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
