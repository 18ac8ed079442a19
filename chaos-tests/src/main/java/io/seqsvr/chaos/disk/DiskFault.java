package io.seqsvr.chaos.disk;

import io.seqsvr.chaos.host.NativeCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;

/**
 * What the disk of one process does wrong, changed while the process runs. The process is started with
 * {@link #environment}; {@code diskfault.c} then stands between it and its syncs and writes.
 */
public final class DiskFault {
    /** The faults, with their numbers in {@code diskfault.c}. */
    public enum Kind {
        /** All goes well. */
        NONE(0),
        /** The next sync fails with EIO, the others do their work. */
        SYNC_FAILS_ONCE(1),
        /** Every sync fails with EIO. */
        SYNC_FAILS(2),
        /** A sync does not return until there is another fault, or none. */
        SYNC_HANGS(3),
        /** A sync takes a while longer. */
        SYNC_IS_SLOW(4),
        /** A sync does nothing and says that it has. */
        SYNC_LIES(5),
        /** A write fails with ENOSPC. */
        NO_SPACE(6),
        /** The next sync fails with EIO, those after it lie: so does Linux to whoever tries again. */
        SYNC_FAILS_AND_FORGETS(7);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    private static final int BYTES = 256;
    private static final int AT_FAULT = 0;
    private static final int AT_SLOW_MILLIS = 4;
    private static final int AT_SYNCS = 8;
    private static final int AT_STRUCK = 12;
    private static final int AT_SYNCS_AFTER_FAILURE = 16;
    private static final int AT_PATH = 64;
    private static final int MOST_PATH_BYTES = 191;

    private final Path library;
    private final Path control;

    private DiskFault(Path library, Path control) {
        this.library = library;
        this.control = control;
    }

    /** Why there can be no such faults on this machine, if so. */
    public static Optional<String> missing() {
        return NativeCode.missing();
    }

    /**
     * No fault yet.
     *
     * @param directory gets the library and the file that controls it
     */
    public static DiskFault in(Path directory) {
        var library = NativeCode.compile(DiskFault.class, "diskfault.c", directory, "-shared", "-fPIC");
        var control = directory.resolve("control");
        try {
            Files.write(control, new byte[BYTES]);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return new DiskFault(library, control);
    }

    /** What the process needs in its environment. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "SEQSVR_DISK_FAULT", control.toString());
    }

    /**
     * From now on this goes wrong.
     *
     * @param path strikes files only whose path contains it, or ends with what comes before a '$' at its end; at most
     *     191 bytes
     */
    public void strike(Kind kind, String path) {
        var bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MOST_PATH_BYTES) {
            throw new IllegalArgumentException("path is \"" + path + "\"; it must have 1 to 191 bytes");
        }
        set(AT_FAULT, Kind.NONE.code);
        write(AT_PATH, ByteBuffer.allocate(MOST_PATH_BYTES + 1).put(bytes).rewind());
        set(AT_FAULT, kind.code);
    }

    /**
     * From now on syncs are slow.
     *
     * @param millis how much longer each takes
     */
    public void slowDown(int millis, String path) {
        set(AT_SLOW_MILLIS, millis);
        strike(Kind.SYNC_IS_SLOW, path);
    }

    /** From now on all goes well, and no sync has failed. */
    public void heal() {
        set(AT_FAULT, Kind.NONE.code);
        set(AT_SYNCS_AFTER_FAILURE, 0);
    }

    /** Syncs so far of files whose path matched. */
    public int syncs() {
        return get(AT_SYNCS);
    }

    /** Calls so far that failed, were slow, or lied. */
    public int struck() {
        return get(AT_STRUCK);
    }

    /** How often a sync of such a file was asked for after one had failed. */
    public int syncsAfterFailure() {
        return Math.max(0, get(AT_SYNCS_AFTER_FAILURE) - 1);
    }

    private void set(int offset, int value) {
        write(
                offset,
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putInt(value)
                        .flip());
    }

    private void write(int offset, ByteBuffer bytes) {
        try (var file = FileChannel.open(control, StandardOpenOption.WRITE)) {
            for (int at = offset; bytes.hasRemaining(); ) {
                at += file.write(bytes, at);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private int get(int offset) {
        var bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        try (var file = FileChannel.open(control, StandardOpenOption.READ)) {
            if (file.read(bytes, offset) < Integer.BYTES) {
                throw new IllegalStateException(control + " was cut short");
            }
            return bytes.flip().getInt();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
