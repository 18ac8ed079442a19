package io.seqsvr.storesvr.disk;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What a machine lacks for a while: it keeps a peer from its data, and damages none. */
public final class Shortage {
    /** As the system says it, whoever asked. */
    private static final List<String> WORDS = List.of(
            "No space left on device",
            "Disk quota exceeded",
            "Read-only file system",
            "Too many open files",
            "Cannot allocate memory");

    private Shortage() {}

    /** Whether a failure comes of one. */
    public static boolean explains(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(String::valueOf)
                .anyMatch(said -> WORDS.stream().anyMatch(said::contains));
    }
}
