package io.seqsvr.cli;

import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The text files that are, or are about to be, in version control.
 *
 * @param root the directory that holds the launcher and the parent pom
 * @param files all of them, by path
 */
record SourceTree(Path root, List<SourceFile> files) {
    /** What .gitignore names, and git itself. */
    private static final Set<String> NOT_OURS =
            Set.of(".git", "target", "seqsvr-data", "node_modules", ".idea", ".settings", ".vscode");

    /** The tree that the test runs in. */
    static SourceTree read() throws IOException {
        var root = Launcher.find().home();
        var files = new ArrayList<SourceFile>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                var name = String.valueOf(directory.getFileName());
                return NOT_OURS.contains(name) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    read(root, file, files);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return new SourceTree(root, List.copyOf(files));
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void read(Path root, Path file, List<SourceFile> files) throws IOException {
        var path = root.relativize(file).toString().replace('\\', '/');
        try {
            files.add(new SourceFile(path, Files.readString(file)));
        } catch (CharacterCodingException binary) {
            // No text, so nothing that the rules are about.
        }
    }
}
