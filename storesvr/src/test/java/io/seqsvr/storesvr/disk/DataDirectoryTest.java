package io.seqsvr.storesvr.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.PeerMark;
import io.seqsvr.storesvr.disk.DataDirectory.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what a peer starts, and from what it refuses to. */
class DataDirectoryTest {
    private static final PeerMark MARK = PeerMark.newBuilder()
            .setFormat(DataDirectory.FORMAT)
            .setClusterId("cluster-1")
            .setPeerId("peer-1")
            .setFirstCommand(CreateCluster.newBuilder().setClusterId("cluster-1"))
            .build();

    @TempDir
    private Path root = Path.of("");

    private Path data = Path.of("");

    @BeforeEach
    void chooseDirectory() {
        data = root.resolve("data");
    }

    private void formatCompletely() throws StartupException {
        try (var directory = DataDirectory.format(data, MARK)) {
            directory.completeFormat();
        }
    }

    private Path markFile() {
        return data.resolve("seqsvr-peer.json");
    }

    /** Neither formats nor opens; tells why it does not open. */
    private String assertRefused(Content content) throws StartupException {
        assertEquals(content, DataDirectory.inspect(data));
        if (content != Content.NOTHING) {
            var format = assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
            assertTrue(message(format).startsWith("data directory " + data + " is not empty"), message(format));
        }
        return openFailure();
    }

    private String openFailure() {
        return message(assertThrows(StartupException.class, () -> DataDirectory.open(data)));
    }

    private static String message(StartupException failure) {
        return String.valueOf(failure.getMessage());
    }

    private static void assertSays(String part, String message) {
        assertTrue(message.contains(part), () -> "'" + message + "' does not say '" + part + "'");
    }

    @Test
    void anAbsentDirectoryHoldsNothing() throws StartupException {
        assertSays("is empty; format it with 'seqsvr store bootstrap'", assertRefused(Content.NOTHING));
        assertFalse(Files.exists(data), "looking made the directory");
    }

    @Test
    void anEmptyDirectoryHoldsNothing() throws IOException, StartupException {
        Files.createDirectories(data);
        assertSays("is empty", assertRefused(Content.NOTHING));
    }

    @Test
    void aDirectoryWithFilesOfOthersIsLeftAlone() throws IOException, StartupException {
        Files.createDirectories(data.resolve("lost+found"));
        assertSays("holds files that are not seqsvr's", assertRefused(Content.FOREIGN));
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsLeftAlone() throws IOException, StartupException {
        Files.writeString(data, "precious");
        assertSays("not seqsvr's", assertRefused(Content.FOREIGN));
        assertEquals("precious", Files.readString(data));
    }

    @Test
    void formattedCompletelyItOpensAndTellsWhoseItIs() throws StartupException {
        formatCompletely();
        assertEquals(Content.FORMATTED, DataDirectory.inspect(data));
        try (var directory = DataDirectory.open(data)) {
            assertEquals(MARK.toBuilder().setComplete(true).build(), directory.mark());
        }
        var again = assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
        assertSays("it holds a peer's data", message(again));
    }

    @Test
    void aNewDirectoryIsItsOwnersAlone() throws IOException, StartupException {
        data = root.resolve("some/where/data");
        formatCompletely();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data)));
    }

    @Test
    void aCrashBeforeTheMarkLeavesNothingAndFormattingMayBeginAgain() throws IOException, StartupException {
        Files.createDirectories(data);
        Files.createFile(data.resolve("seqsvr-lock"));
        assertSays("is empty", assertRefused(Content.NOTHING));
        formatCompletely();
        assertEquals(Content.FORMATTED, DataDirectory.inspect(data));
    }

    @Test
    void aCrashWhileTheMarkIsWrittenLeavesItHalfFormatted() throws IOException, StartupException {
        Files.createDirectories(data);
        Files.createFile(data.resolve("seqsvr-lock"));
        Files.writeString(data.resolve("seqsvr-peer.json.next"), "{\"format\": 1, \"clus");
        assertSays("was not formatted completely and was never used", assertRefused(Content.HALF_FORMATTED));
    }

    @Test
    void aCrashBetweenTheMarkAndTheRestLeavesItHalfFormatted() throws StartupException {
        DataDirectory.format(data, MARK).close();
        assertSays("was not formatted completely", assertRefused(Content.HALF_FORMATTED));
    }

    @Test
    void aCrashBeforeTheMarkIsCompleteLeavesItHalfFormatted() throws IOException, StartupException {
        try (var directory = DataDirectory.format(data, MARK)) {
            Files.createDirectories(directory.raft());
            Files.writeString(data.resolve("seqsvr-peer.json.next"), "{\"format\": 1, \"complete\": tr");
        }
        assertSays("was not formatted completely", assertRefused(Content.HALF_FORMATTED));
    }

    @Test
    void whatAFormattingLeftMayBeTakenAway() throws IOException, StartupException {
        try (var directory = DataDirectory.format(data, MARK)) {
            Files.createDirectories(directory.raft().resolve("group/current"));
            Files.writeString(directory.raft().resolve("group/current/raft-meta"), "term=0");
        }
        DataDirectory.discardHalfFormatted(data);
        assertEquals(Content.NOTHING, DataDirectory.inspect(data));
        formatCompletely();
    }

    @Test
    void nothingElseIsEverTakenAway() throws IOException, StartupException {
        Files.createDirectories(data);
        Files.writeString(data.resolve("raft"), "precious");
        assertNotDiscarded("it holds files that are not seqsvr's");
        assertEquals(List.of("raft"), names());
        Files.delete(data.resolve("raft"));
        formatCompletely();
        assertNotDiscarded("it holds a peer's data");
        assertEquals(Content.FORMATTED, DataDirectory.inspect(data));
        data = root.resolve("absent");
        assertNotDiscarded("nothing in it");
        assertFalse(Files.exists(data));
    }

    private void assertNotDiscarded(String reason) {
        var refused = assertThrows(StartupException.class, () -> DataDirectory.discardHalfFormatted(data));
        assertSays(reason, message(refused));
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(data)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void anotherFormatIsRefusedByItsNumber() throws StartupException {
        try (var directory =
                DataDirectory.format(data, MARK.toBuilder().setFormat(2).build())) {
            directory.completeFormat();
        }
        assertSays("has format 2; this version reads format 1", openFailure());
        assertSays("has format 2", openFailure());
    }

    @Test
    void aNewerFormatWithFieldsUnknownHereIsNotTakenForDamage() throws IOException, StartupException {
        formatCompletely();
        var newer = Files.readString(markFile())
                .replaceFirst("\"format\": 1,", "\"format\": 2, \"zone\": \"north\",")
                .replaceFirst(",\\s*\"checksum\": \"[0-9a-f]{8}\"", "");
        Files.writeString(markFile(), newer);
        assertSays("has format 2; this version reads format 1", openFailure());
    }

    @Test
    void aDamagedMarkIsNeverGuessedAt() throws IOException, StartupException {
        formatCompletely();
        var whole = Files.readString(markFile());
        for (var damaged :
                new String[] {"", "\0\0\0\0", whole.substring(0, whole.length() / 2), "[]", "{\"format\": []}"}) {
            Files.writeString(markFile(), damaged);
            assertSays(markFile() + " is damaged: it does not say any more whose directory this is", openFailure());
            assertThrows(StartupException.class, () -> DataDirectory.inspect(data));
        }
        Files.write(markFile(), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertSays(markFile() + " is damaged", openFailure());
        assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
    }

    @Test
    void aPathThroughAFileCannotBeUsed() throws IOException {
        Files.writeString(root.resolve("file"), "precious");
        data = root.resolve("file/data");
        var failure = assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
        assertSays("data directory " + data + " cannot be used", message(failure));
    }

    @Test
    void aPathOnAReadOnlySystemCannotBeUsed() {
        assumeFalse(Files.notExists(Path.of("/proc/self")), "there is no /proc here");
        data = Path.of("/proc/seqsvr-data");
        var failure = assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
        assertSays("data directory " + data + " cannot be used", message(failure));
    }

    @Test
    void aDirectoryWithoutPermissionCannotBeUsed() throws IOException {
        assumeFalse("root".equals(System.getProperty("user.name")), "root may write everywhere");
        Files.createDirectories(data);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-x------"));
        var failure = assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
        assertSays("no permission for " + data.resolve("seqsvr-lock"), message(failure));
    }
}
