package io.seqsvr.storesvr.backup;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.backup.ManifestCodec.Content;
import io.seqsvr.storesvr.backup.ManifestCodec.Manifest;
import io.seqsvr.storesvr.rocks.BackupRowsCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes one backup.
 *
 * <p>Invariant: the directory of that name is whole, because it gets its name last, when all files are on disk. What a
 * crash leaves stands beside it, under a name with {@code .draft-}, and may be deleted.
 */
public final class BackupWriter implements AutoCloseable {
    private final Path target;
    private final Path draft;
    private final Map<String, String> digests = new LinkedHashMap<>();
    private final StoreState state = new StoreState();
    private int pages;
    private boolean complete;

    private BackupWriter(Path target, Path draft) {
        this.target = target;
        this.draft = draft;
    }

    /**
     * Begins a backup.
     *
     * @param directory absent or empty; refused otherwise
     */
    public static BackupWriter begin(Path directory) throws BackupException {
        var target = directory.toAbsolutePath().normalize();
        try {
            refuseUnlessEmpty(target);
            var parent = target.getParent();
            if (parent == null) {
                throw new BackupException("the backup cannot be written to " + directory + "; give another directory");
            }
            Files.createDirectories(parent);
            return new BackupWriter(target, Files.createTempDirectory(parent, "." + target.getFileName() + ".draft-"));
        } catch (IOException unwritable) {
            throw unwritable(target, unwritable);
        }
    }

    private static void refuseUnlessEmpty(Path target) throws IOException, BackupException {
        if (!Files.exists(target)) {
            return;
        }
        if (Files.isDirectory(target)) {
            try (var files = Files.list(target)) {
                if (files.findAny().isEmpty()) {
                    return;
                }
            }
        }
        throw new BackupException(
                target + " is not empty; a backup is written to an empty or absent directory, give another one");
    }

    /** Adds the next page of rows. */
    public void page(byte[] rows) throws BackupException {
        try {
            BackupRowsCodec.decode(rows).forEach(state::apply);
        } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
            throw new BackupException("page " + pages + " of the backup cannot be read: " + unreadable.getMessage());
        }
        write(BackupFiles.page(pages), rows);
        pages++;
    }

    /**
     * Adds what the backup is, and gives it its name.
     *
     * @return the backup as a reader finds it
     */
    public Backup complete(BackupFacts facts) throws BackupException {
        if (state.cluster().isEmpty()) {
            throw new BackupException("the pages of the backup held no row of the cluster; nothing was written");
        }
        var manifest = new Manifest(BackupFiles.FORMAT, facts, content(state, pages));
        write(BackupFiles.MANIFEST, ManifestCodec.encode(manifest).getBytes(StandardCharsets.UTF_8));
        var sums = BackupFiles.sums(digests);
        write(BackupFiles.SUMS, sums);
        try {
            sync(draft);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
            complete = true;
            var parent = target.getParent();
            if (parent != null) {
                sync(parent);
            }
        } catch (IOException failed) {
            throw unwritable(target, failed);
        }
        return new Backup(facts, BackupFiles.sha256(sums), state);
    }

    static Content content(StoreState state, int pages) {
        return new Content(
                pages,
                state.namespaces().size(),
                state.sessions().size(),
                state.segments().size());
    }

    /** The rows that were added. */
    public long rows() {
        return state.cluster().stream().count()
                + state.namespaces().size()
                + state.sessions().size()
                + state.segments().size();
    }

    private void write(String name, byte[] content) throws BackupException {
        var path = draft.resolve(name);
        try (var file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        } catch (IOException failed) {
            throw unwritable(path, failed);
        }
        digests.put(name, BackupFiles.sha256(content));
    }

    private static void sync(Path directory) throws IOException {
        try (var synced = FileChannel.open(directory, StandardOpenOption.READ)) {
            synced.force(true);
        }
    }

    private static BackupException unwritable(Path path, IOException cause) {
        return new BackupException("the backup cannot be written to " + path + ": " + cause);
    }

    /** Takes away what was written, unless it was completed. */
    @Override
    public void close() throws BackupException {
        if (complete) {
            return;
        }
        try (var files = Files.list(draft)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(draft);
        } catch (IOException left) {
            throw new BackupException(draft + " is left of a backup that did not come to its end; delete it: " + left);
        }
    }
}
