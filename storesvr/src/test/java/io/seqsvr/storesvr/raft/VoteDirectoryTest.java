package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.storesvr.disk.DiskFailure;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A vote that cannot be kept ends the process, with a line that says what to do. */
final class VoteDirectoryTest {
    @TempDir
    private Path parent;

    private final List<Throwable> fatal = new ArrayList<>();

    private Path directory() {
        return parent.resolve("current");
    }

    @Test
    void whatIsKeptEndsNothing() throws Exception {
        Files.createDirectory(directory());
        new VoteDirectory(directory(), fatal::add).keep();
        assertEquals(List.of(), fatal);
    }

    @Test
    void whatCannotBeKeptEndsTheProcessAndIsNotTriedAgain() throws Exception {
        var votes = new VoteDirectory(directory(), fatal::add);
        assertThrows(UncheckedIOException.class, votes::keep);
        var first =
                String.valueOf(assertInstanceOf(DiskFailure.class, fatal.get(0)).getMessage());
        assertTrue(first.startsWith("the vote in " + directory() + " cannot be made durable: "), first);
        assertTrue(first.endsWith("start it again once it can be written to"), first);

        Files.createDirectory(directory());
        assertThrows(UncheckedIOException.class, votes::keep, "the sync that failed may have lost it");
        var second = String.valueOf(fatal.get(1).getMessage());
        assertTrue(second.contains("an earlier sync of " + directory() + " failed"), second);
    }
}
