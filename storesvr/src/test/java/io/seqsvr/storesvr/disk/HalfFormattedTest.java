package io.seqsvr.storesvr.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.PeerMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Taking away what a formatting left that was cut short: that, and never anything else. */
class HalfFormattedTest {
    private static final PeerMark MARK = PeerMark.newBuilder()
            .setFormat(DataDirectory.FORMAT)
            .setClusterId("cluster-1")
            .setPeerId("peer-1")
            .build();

    @TempDir
    private Path root = Path.of("");

    @Test
    void whatAFormattingLeftIsTakenAwayAndTheDirectoryIsFormattedAnew() throws IOException, StartupException {
        var path = root.resolve("data");
        try (var cutShort = DataDirectory.format(path, MARK)) {
            Files.createDirectories(cutShort.raft().resolve("group/current"));
            Files.writeString(cutShort.raft().resolve("group/current/raft-meta"), "term=0");
        }
        assertEquals(DataDirectory.Content.HALF_FORMATTED, DataDirectory.inspect(path));
        DataDirectory.discardHalfFormatted(path);
        assertEquals(DataDirectory.Content.NOTHING, DataDirectory.inspect(path));
        try (var again = DataDirectory.format(path, MARK)) {
            again.completeFormat();
        }
        assertEquals(DataDirectory.Content.FORMATTED, DataDirectory.inspect(path));
    }

    @Test
    void aPeersDataIsNeverTakenAway() throws StartupException {
        var path = root.resolve("data");
        try (var directory = DataDirectory.format(path, MARK)) {
            directory.completeFormat();
        }
        var refused = assertThrows(StartupException.class, () -> DataDirectory.discardHalfFormatted(path));
        assertTrue(String.valueOf(refused.getMessage()).contains("nothing was removed"));
        assertEquals(DataDirectory.Content.FORMATTED, DataDirectory.inspect(path));
    }

    @Test
    void aFormattingThatIsUnderWayIsLeftAlone() throws StartupException {
        var path = root.resolve("data");
        try (var underWay = DataDirectory.format(path, MARK)) {
            assertThrows(StartupException.class, () -> DataDirectory.discardHalfFormatted(path));
            underWay.completeFormat();
        }
        assertEquals(DataDirectory.Content.FORMATTED, DataDirectory.inspect(path));
    }
}
