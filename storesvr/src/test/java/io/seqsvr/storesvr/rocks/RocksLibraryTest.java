package io.seqsvr.storesvr.rocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a library that this machine does not take. */
class RocksLibraryTest {
    @TempDir
    private Path root = Path.of("");

    @Test
    void oneThatCannotBeMappedIsNamedWithWhatMayBeWrong() {
        var directory = root.resolve("native");
        var said = String.valueOf(assertThrows(
                        IOException.class,
                        () -> RocksLibrary.load(
                                directory,
                                to -> System.load(Files.writeString(Path.of(to, "rocks.so"), "no library")
                                        .toString())))
                .getMessage());
        assertTrue(said.startsWith("the native library in " + directory + " cannot be loaded: " + directory), said);
        assertTrue(said.contains("noexec"), said);
    }

    @Test
    void oneThatCannotBeUnpackedIsNamedWithThePlace() throws IOException {
        var directory = Files.createFile(root.resolve("native"));
        var said = assertThrows(IOException.class, () -> RocksLibrary.load(directory, to -> {}))
                .getMessage();
        assertEquals(
                "the native library cannot be unpacked to " + directory + ": " + directory
                        + "; free space there or mend the device",
                said);
    }

    @Test
    void whatRocksDbHasNoWordForIsToldLikeAnyOther() {
        var said = String.valueOf(assertThrows(
                        IOException.class,
                        () -> RocksLibrary.load(root, to -> {
                            throw new IllegalStateException("librocksdbjni-linux-s390.so was not found inside JAR.");
                        }))
                .getMessage());
        assertTrue(said.contains("was not found inside JAR"), said);
    }
}
