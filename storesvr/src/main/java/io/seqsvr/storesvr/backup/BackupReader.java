package io.seqsvr.storesvr.backup;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.backup.ManifestCodec.Manifest;
import io.seqsvr.storesvr.rocks.BackupRowsCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;

/**
 * Reads a backup back.
 *
 * <p>Invariant: what is read is every byte that was written and nothing else, or it is refused.
 */
public final class BackupReader {
    private final Path directory;
    private final LinkedHashMap<String, String> digests = new LinkedHashMap<>();

    private BackupReader(Path directory) {
        this.directory = directory;
    }

    /** Reads a backup whole. */
    public static Backup read(Path directory) throws BackupException {
        if (!Files.isDirectory(directory)) {
            throw new BackupException(directory + " is no directory; name one that 'seqsvr store backup' wrote");
        }
        return new BackupReader(directory).read();
    }

    private Backup read() throws BackupException {
        var manifest = manifest();
        if (manifest.format() != BackupFiles.FORMAT) {
            throw new BackupException("backup " + directory + " has format " + manifest.format()
                    + "; this version reads format " + BackupFiles.FORMAT
                    + ": restore it with the version that wrote it, or a later one");
        }
        var state = new StoreState();
        try {
            for (int page = 0; page < manifest.content().pages(); page++) {
                BackupRowsCodec.decode(summed(BackupFiles.page(page))).forEach(state::apply);
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
            throw damaged("a row cannot be read");
        }
        // Last, as it was written last.
        summed(BackupFiles.MANIFEST);
        var sums = file(BackupFiles.SUMS);
        if (!Arrays.equals(sums, BackupFiles.sums(digests))) {
            throw damaged(BackupFiles.SUMS + " does not tell what is in the other files");
        }
        if (!BackupWriter.content(state, manifest.content().pages()).equals(manifest.content())) {
            throw damaged("it holds other rows than " + BackupFiles.MANIFEST + " says");
        }
        var facts = manifest.facts();
        var cluster = state.cluster().orElseThrow(() -> damaged("it holds no row of the cluster"));
        if (!cluster.id().equals(facts.clusterId()) || cluster.incarnation() != facts.incarnation()) {
            throw damaged("its rows are of incarnation " + cluster.incarnation() + " of cluster " + cluster.id());
        }
        return new Backup(facts, BackupFiles.sha256(sums), state);
    }

    private Manifest manifest() throws BackupException {
        if (!Files.exists(directory.resolve(BackupFiles.MANIFEST))) {
            throw new BackupException(directory + " holds no " + BackupFiles.MANIFEST
                    + ": it is no backup, or not a complete one; take another one");
        }
        try {
            return ManifestCodec.decode(new String(file(BackupFiles.MANIFEST), StandardCharsets.UTF_8));
        } catch (InvalidProtocolBufferException unreadable) {
            throw damaged(BackupFiles.MANIFEST + " cannot be read");
        }
    }

    private byte[] summed(String name) throws BackupException {
        var content = file(name);
        digests.put(name, BackupFiles.sha256(content));
        return content;
    }

    private byte[] file(String name) throws BackupException {
        try {
            return Files.readAllBytes(directory.resolve(name));
        } catch (NoSuchFileException missing) {
            throw damaged(name + " is missing");
        } catch (IOException unreadable) {
            throw new BackupException("backup " + directory + " cannot be read: " + unreadable);
        }
    }

    private BackupException damaged(String how) {
        return new BackupException("backup " + directory + " is damaged: " + how + "; take another one");
    }
}
