package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start does with the last segment of the log; that it then is on the disk is shown by {@code PowerCutIT}. */
class OpenSegmentTest {
    private static final byte[] ENTRIES = {1, 2, 3, 0, 0};

    @TempDir
    private Path group = Path.of("");

    private Path current = Path.of("");

    @BeforeEach
    void create() throws IOException {
        current = Files.createDirectory(group.resolve("current"));
    }

    private List<String> names(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private static Object identity(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    @Test
    void theOpenSegmentIsWrittenAnewAndNothingElse() throws IOException {
        var open = Files.write(current.resolve("log_inprogress_7"), ENTRIES);
        var closed = Files.write(current.resolve("log_0-6"), ENTRIES);
        var openBefore = identity(open);
        var closedBefore = identity(closed);
        OpenSegment.secure(current);
        assertArrayEquals(ENTRIES, Files.readAllBytes(open));
        assertNotEquals(openBefore, identity(open));
        assertEquals(closedBefore, identity(closed));
        assertEquals(List.of("log_0-6", "log_inprogress_7"), names(current));
        assertEquals(List.of("current"), names(group));
    }

    private void snapshotAt(long index) throws IOException {
        Files.createDirectories(group.resolve("sm").resolve("1_" + index));
    }

    /** A process was killed between the taking in of a snapshot and the drop of the log before it. */
    @Test
    void aLogThatEndsBeforeTheNewestSnapshotIsDroppedAsAWhole() throws IOException {
        Files.write(current.resolve("log_inprogress_10"), new byte[64]);
        snapshotAt(9);
        assertFalse(RaftFiles.dropSuperseded(current), "entry 10 is the next one");
        snapshotAt(50);
        assertTrue(RaftFiles.dropSuperseded(current));
        assertEquals(List.of(), names(current));
        assertFalse(RaftFiles.dropSuperseded(current));
    }

    @Test
    void whatAnEarlierStartLeftBehindIsNotInTheWay() throws IOException {
        var open = Files.write(current.resolve("log_inprogress_0"), ENTRIES);
        Files.write(group.resolve("open-segment.copy"), new byte[100]);
        OpenSegment.secure(current);
        assertArrayEquals(ENTRIES, Files.readAllBytes(open));
        assertEquals(List.of("current"), names(group));
    }

    @Test
    void aLogWithoutAnOpenSegmentIsLeftAsItIs() throws IOException {
        OpenSegment.secure(current);
        assertEquals(List.of(), names(current));
    }

    @Test
    void aCopyThatCannotBeMadeLeavesTheSegmentAsItWas() throws IOException {
        var open = Files.write(current.resolve("log_inprogress_0"), ENTRIES);
        Files.createFile(
                Files.createDirectory(group.resolve("open-segment.copy")).resolve("in-the-way"));
        assertThrows(IOException.class, () -> OpenSegment.secure(current));
        assertArrayEquals(ENTRIES, Files.readAllBytes(open));
    }
}
