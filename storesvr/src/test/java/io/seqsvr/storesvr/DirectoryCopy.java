package io.seqsvr.storesvr;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/** What a kill -9 of a peer would leave: a copy of its data directory, made while the peer runs. */
final class DirectoryCopy {
    /** They belong to the living process; the kernel frees a dead one's locks. */
    private static final Set<String> LOCKS = Set.of("seqsvr-lock", "in_use.lock");

    private DirectoryCopy() {}

    static Path of(Path data, Path copy) throws IOException {
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(copy.resolve(data.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!LOCKS.contains(String.valueOf(file.getFileName()))) {
                    Files.copy(file, copy.resolve(data.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return copy;
    }
}
