package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is replaced as a whole, now and then by one that was not written to its end. */
final class KeptFileTest {
    private static final byte[] END = {'.'};

    @TempDir
    private Path directory = Path.of("");

    private Path file = Path.of("");
    private KeptFile kept = new KeptFile(file, bytes -> true);

    @BeforeEach
    void prepare() {
        file = directory.resolve("file");
        kept = new KeptFile(file, bytes -> bytes.length > 0 && bytes[bytes.length - 1] == END[0]);
    }

    /** As Ratis does: beside it, and then in its place. */
    private void replace(String text) throws IOException {
        var beside = directory.resolve("beside");
        Files.writeString(beside, text);
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void keep() throws IOException {
        assertTrue(kept.keep().isPresent());
    }

    private String text() throws IOException {
        return Files.readString(file);
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aVersionThatWasKeptComesBackWhereALaterOneWasNotFinished() throws IOException {
        replace("one.");
        keep();
        replace("two.");
        keep();
        replace("");
        assertTrue(kept.isUnfinished());
        assertTrue(kept.putBack());
        assertEquals("two.", text());
        assertFalse(kept.putBack(), "it is whole again");

        replace("thr");
        assertTrue(kept.putBack(), "what was put back is still kept");
        assertEquals("two.", text());
    }

    @Test
    void aWholeVersionStaysAlthoughAnEarlierOneWasKept() throws IOException {
        replace("one.");
        keep();
        replace("two.");
        assertFalse(kept.putBack());
        assertEquals("two.", text());
    }

    @Test
    void whatIsNotFinishedIsNeverKeptAndLeavesTheKeptOneAlone() throws IOException {
        replace("one.");
        keep();
        replace("");
        assertEquals(Optional.empty(), kept.keep());
        assertEquals(List.of("file", "file.kept"), names(), "nothing else is left behind");
        assertTrue(kept.putBack());
        assertEquals("one.", text());
    }

    @Test
    void aVersionThatTheCallerKnowsIsKeptWhateverIsInTheFile() throws IOException {
        replace("one.");
        kept.keep("two.".getBytes(StandardCharsets.UTF_8));
        assertEquals("one.", text());
        replace("");
        assertTrue(kept.putBack());
        assertEquals("two.", text());
        assertEquals(List.of("file", "file.kept"), names());
    }

    @Test
    void aDiskThatTakesMoreIsNoReason() throws IOException {
        replace("");
        kept.probe();
        assertEquals(List.of("file"), names());
        Files.createDirectory(directory.resolve("file.probe"));
        assertThrows(IOException.class, kept::probe);
    }

    @Test
    void toKeepAVersionTwiceChangesNothing() throws IOException {
        replace("one.");
        keep();
        keep();
        assertEquals(List.of("file", "file.kept"), names());
        assertTrue(Files.isSameFile(file, directory.resolve("file.kept")));
    }

    /** Both names stand for the same bytes: no older version takes the place of one that somebody relied on. */
    @Test
    void damageOfAKeptVersionIsNotUndone() throws IOException {
        replace("one.");
        keep();
        replace("two.");
        keep();
        Files.writeString(file, "t!o!");
        assertTrue(kept.isUnfinished());
        assertFalse(kept.putBack());
        assertEquals("t!o!", text());
    }

    @Test
    void aFileThatIsGoneStaysSo() throws IOException {
        replace("one.");
        keep();
        Files.delete(file);
        assertFalse(kept.isUnfinished());
        assertFalse(kept.putBack());
        assertThrows(NoSuchFileException.class, kept::keep);
    }

    @Test
    void aProcessThatWasKilledWhileItKeptIsNoHindrance() throws IOException {
        replace("one.");
        Files.createLink(directory.resolve("file.kept-next"), file);
        keep();
        Files.createLink(directory.resolve("file.kept-next"), directory.resolve("file.kept"));
        replace("");
        assertTrue(kept.putBack());
        assertEquals("one.", text());
        assertEquals(List.of("file", "file.kept"), names());
    }
}
