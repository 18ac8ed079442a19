package io.seqsvr.storesvr.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is missing for a while is told apart from what is damaged: the advice for this costs data that is whole. */
class ShortageTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void isSeenWhereverASystemCallHasFailedForIt() {
        for (var failure : List.of(
                new FileSystemException("db/CURRENT", "n1/CURRENT", "No space left on device"),
                new IOException(
                        "RocksDB cannot open db",
                        new IOException("While open a file for appending: db/MANIFEST-000005: Too many open files")),
                new IllegalStateException(new IOException("db: Read-only file system")))) {
            assertTrue(Shortage.explains(failure, directory), failure::toString);
        }
    }

    @Test
    void isSeenInOtherLanguagesByWhatCannotBeWritten() throws IOException {
        var full = Files.createFile(directory.resolve("full"));
        var words = "Auf dem Ger\u00e4t ist kein Speicherplatz mehr verf\u00fcgbar";
        var failure = new IOException(new FileSystemException("db/CURRENT", "n1/CURRENT", words));
        assertTrue(Shortage.explains(failure, full));
        assertFalse(Shortage.explains(failure, directory));
        assertFalse(Shortage.explains(failure, directory.resolve("gone")), "that says nothing");
        assertEquals(List.of(full), list(directory));
    }

    private static List<Path> list(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void isNoneWhereAFileIsGoneOrBytesAreWrongWhateverCanBeWritten() {
        for (var failure : List.of(
                new NoSuchFileException("n1/CURRENT"),
                new IOException("block checksum mismatch"),
                new IOException("it holds the state after nothing"))) {
            assertFalse(Shortage.explains(failure, directory.resolve("nowhere")), failure::toString);
        }
    }

    @Test
    void isNoneWhereBytesAreWrong() {
        assertFalse(Shortage.explains(new IOException("block checksum mismatch: stored 1, computed 2"), directory));
        assertFalse(Shortage.explains(new IOException("CURRENT file does not end with newline"), directory));
    }
}
