package io.seqsvr.storesvr.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a machine lacks for a while: it keeps a peer from its data, and damages none. */
public final class Shortage {
    /** As the system says it where its language is English, as the launcher sees to; Java asks for the user's. */
    private static final List<String> WORDS = List.of(
            "No space left on device",
            "Disk quota exceeded",
            "Read-only file system",
            "Too many open files",
            "Cannot allocate memory");

    /** More than what was written in vain can have made free again. */
    private static final int PROBE_BYTES = 1 << 20;

    private Shortage() {}

    /**
     * Whether a failure comes of one. Where the words are not known, it does if the system had refused something, and
     * now refuses to write as well.
     *
     * @param directory in which it failed; what can be written there is gone again afterwards
     */
    public static boolean explains(Throwable failure, Path directory) {
        return isAnyOf(failure, Shortage::isSaid)
                || (isAnyOf(failure, Shortage::isOfTheSystem) && !isWritable(directory));
    }

    private static boolean isAnyOf(Throwable failure, Predicate<Throwable> kind) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(kind);
    }

    private static boolean isSaid(Throwable failure) {
        var said = failure.toString();
        return WORDS.stream().anyMatch(said::contains);
    }

    /** And not one of those that have a class of their own, as a file that is missing. */
    private static boolean isOfTheSystem(Throwable failure) {
        return failure.getClass() == FileSystemException.class;
    }

    private static boolean isWritable(Path directory) {
        try {
            var file = Files.createTempFile(directory, "seqsvr-probe", "");
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                var bytes = ByteBuffer.allocate(PROBE_BYTES);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
            } finally {
                Files.delete(file);
            }
            return true;
        } catch (NoSuchFileException nowhere) {
            // That says nothing of the machine.
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
