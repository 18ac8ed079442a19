package io.seqsvr.chaos.disk;

import io.seqsvr.chaos.host.NativeCode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A disk of its own for one process: an ext4 image that is mounted through a loop device. Its power can be cut, which
 * loses what was not synced; killing a process loses nothing, as the system still has what it wrote.
 *
 * <p>Needs root. What is mounted is unmounted when it is closed, at the end of this JVM at the latest.
 */
public final class LoopDisk implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final int PROBE_MEGABYTES = 4;
    private static final Set<Path> MOUNTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(LoopDisk::detachAll, "unmount"));
    }

    private static final int SELDOM_SECONDS = 600;

    private final Path image;
    private final Path directory;
    private final int journalSeconds;

    private LoopDisk(Path image, Path directory, int journalSeconds) {
        this.image = image;
        this.directory = directory;
        this.journalSeconds = journalSeconds;
    }

    /** Why there can be no such disks on this machine, if so: it is tried. */
    public static Optional<String> missing() {
        var missing = Stream.of(
                        NativeCode.missing(),
                        NativeCode.missing("mkfs.ext4", "e2fsprogs"),
                        NativeCode.missing("mount", "mount"))
                .flatMap(Optional::stream)
                .findFirst();
        if (missing.isPresent()) {
            return missing;
        }
        try {
            var probe = Files.createTempDirectory("seqsvr-loop");
            try (var disk = create(probe.resolve("image"), probe.resolve("mounted"), PROBE_MEGABYTES)) {
                cutPower(probe.resolve("native"), List.of(disk));
                return Optional.empty();
            } catch (IllegalStateException refused) {
                return Optional.of("no disk can be mounted and cut off here (root and loop devices are needed): "
                        + String.valueOf(refused.getMessage())
                                .lines()
                                .reduce((first, last) -> last)
                                .orElse(""));
            } finally {
                remove(probe);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * Makes an empty disk and mounts it; its journal waits for minutes, so that nothing is on it by chance.
     *
     * @param image the file that will hold it
     * @param directory where it is mounted
     */
    public static LoopDisk create(Path image, Path directory, int megabytes) {
        return create(image, directory, megabytes, SELDOM_SECONDS);
    }

    /**
     * The same with a journal that is written as often as one says; 5 s is what ext4 does by itself.
     *
     * @param journalSeconds after how long what nobody synced is on the disk nevertheless
     */
    public static LoopDisk create(Path image, Path directory, int megabytes, int journalSeconds) {
        try {
            Files.createDirectories(directory);
            try (var file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength((long) megabytes << 20);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        NativeCode.run(WITHIN, "mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        var disk = new LoopDisk(image, directory, journalSeconds);
        disk.mount();
        try {
            Files.delete(directory.resolve("lost+found"));
        } catch (IOException failed) {
            disk.close();
            throw new UncheckedIOException(failed);
        }
        return disk;
    }

    /** Where it is mounted. */
    public Path directory() {
        return directory;
    }

    /** Mounts it; after an error it can be read only. */
    public void mount() {
        NativeCode.run(
                WITHIN,
                "mount",
                "-o",
                "loop,commit=" + journalSeconds + ",errors=remount-ro",
                image.toString(),
                directory.toString());
        MOUNTED.add(directory);
    }

    /** Unmounts it; no process may use it any more. */
    public void unmount() {
        NativeCode.run(WITHIN, "umount", directory.toString());
        MOUNTED.remove(directory);
    }

    /** Fills it to the last block with a file of this name, which is to be deleted to heal it. */
    public Path fill(String name) {
        var file = directory.resolve(name);
        var chunk = new byte[1 << 16];
        try (var filler = Files.newOutputStream(file)) {
            // Smaller and smaller pieces, as the last ones that fit are small.
            for (int length = chunk.length; length > 0; ) {
                length = wrote(filler, chunk, length) ? length : length / 2;
            }
        } catch (IOException full) {
            // Closing it may need a block too.
        }
        return file;
    }

    private static boolean wrote(OutputStream filler, byte[] bytes, int length) {
        try {
            filler.write(bytes, 0, length);
            return true;
        } catch (IOException full) {
            return false;
        }
    }

    /**
     * Has the file system find an error in itself, upon which it takes no more writes, from processes that have files
     * open there too. Unmounting and mounting heals it.
     */
    public void turnReadOnly() {
        try {
            var device = Files.readAllLines(Path.of("/proc/mounts")).stream()
                    .map(line -> line.split(" ", -1))
                    .filter(mount -> mount[1].equals(directory.toString()))
                    .map(mount -> Path.of(mount[0]).getFileName())
                    .findFirst()
                    .orElseThrow();
            Files.writeString(Path.of("/sys/fs/ext4/" + device + "/trigger_fs_error"), "1");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether a file can be written on it, down to the disk. */
    public boolean takesWrites() {
        var probe = directory.resolve("probe");
        try {
            Files.write(
                    probe, new byte[1], StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            Files.delete(probe);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /**
     * Cuts the power of several disks at almost the same time. What was not synced is lost; until they were unmounted
     * and mounted again every call on them fails.
     *
     * @param directory gets the program that does it
     */
    public static void cutPower(Path directory, List<LoopDisk> disks) {
        var program = directory.resolve("powercut");
        if (!Files.exists(program)) {
            NativeCode.compile(LoopDisk.class, "powercut.c", directory);
        }
        var mounted = disks.stream().map(disk -> disk.directory.toString());
        NativeCode.run(
                WITHIN, Stream.concat(Stream.of(program.toString()), mounted).toArray(String[]::new));
    }

    @Override
    public void close() {
        detach(directory);
    }

    /** One that stays is no reason to leave the others. */
    private static void detachAll() {
        var stay = new IllegalStateException("disks stay mounted");
        for (var directory : MOUNTED) {
            try {
                detach(directory);
            } catch (IllegalStateException stays) {
                stay.addSuppressed(stays);
            }
        }
        if (stay.getSuppressed().length > 0) {
            throw stay;
        }
    }

    /**
     * Takes it out of sight at once, and for good when its last user is gone; does nothing the second time. Whoever
     * comes second waits: afterwards the directory can be removed.
     */
    private static synchronized void detach(Path directory) {
        if (MOUNTED.remove(directory)) {
            NativeCode.runAtTheEnd(WITHIN, "umount", "--lazy", directory.toString());
        }
    }
}
