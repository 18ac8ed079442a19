package io.seqsvr.storesvr.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.Rows;
import io.seqsvr.storesvr.rocks.BackupRowsCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of a backup: read back whole, or refused. */
class BackupFormatTest {
    private static final String CLUSTER = "c57b4f0e-3d0f-4c7d-9be4-0c4f6d8b6f01";
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 20, 20_000);
    private static final Instant TAKEN_AT = Instant.parse("2026-03-01T10:00:00.250Z");
    private static final BackupFacts FACTS =
            new BackupFacts(CLUSTER, 2, "n1", 4, 77, false, 5, TAKEN_AT, 30, Duration.ofMinutes(10));
    private static final StoreChange FIRST_ROW =
            new StoreChange.PutCluster(new Cluster(CLUSTER, LEASE, new NamespaceDefaults(50, 60), 2, 40, 11, 12, 13));
    private static final List<StoreChange> MORE_ROWS = List.of(
            new StoreChange.PutNamespace(MESSAGES),
            new StoreChange.PutSession(new Session(50, SessionKind.ROUTER, -3, "r", "r:1", LEASE, 60, 0, false, true)),
            segment(0, ReleaseMark.NONE),
            segment(1, new ReleaseMark.WithHigh(70)),
            segment(9, ReleaseMark.WITHOUT_HIGH));

    @TempDir
    private Path root = Path.of("");

    private static StoreChange segment(int index, ReleaseMark release) {
        return new StoreChange.PutSegment(
                new SegmentRecord(new SegmentId(1, index), 3, 50, 60, 0, 120 + index, 55, release));
    }

    private Path directory() {
        return root.resolve("backup");
    }

    private Backup write() throws BackupException {
        try (var writer = BackupWriter.begin(directory())) {
            writer.page(BackupRowsCodec.encode(List.of(FIRST_ROW)));
            writer.page(BackupRowsCodec.encode(MORE_ROWS));
            assertEquals(6, writer.rows());
            return writer.complete(FACTS);
        }
    }

    private String refusal() {
        return String.valueOf(assertThrows(BackupException.class, () -> BackupReader.read(directory()))
                .getMessage());
    }

    @Test
    void whatWasWrittenIsReadBack() throws BackupException, IOException {
        var written = write();
        var read = BackupReader.read(directory());
        assertEquals(FACTS, read.facts());
        assertEquals(written.digest(), read.digest());
        var expected = new StoreState();
        expected.apply(FIRST_ROW);
        MORE_ROWS.forEach(expected::apply);
        assertEquals(Rows.of(expected), Rows.of(read.state()));
        try (var beside = Files.list(root)) {
            assertEquals(List.of(directory()), beside.toList());
        }
    }

    /** Each byte of each file, so that no field is left out of the digest. */
    @Test
    void everyDamagedByteIsSeen() throws BackupException, IOException {
        write();
        for (var file : List.of("rows-00000", "rows-00001", "backup.json", "SHA256SUMS")) {
            var path = directory().resolve(file);
            var whole = Files.readAllBytes(path);
            for (int at = 0; at < whole.length; at++) {
                var damaged = whole.clone();
                damaged[at] ^= 1;
                Files.write(path, damaged);
                assertTrue(refusal().contains("backup"), file + " at " + at);
            }
            Files.write(path, whole);
        }
        BackupReader.read(directory());
    }

    @Test
    void aTruncatedFileAndAMissingOneAreSeen() throws BackupException, IOException {
        write();
        for (var file : List.of("rows-00000", "rows-00001", "backup.json", "SHA256SUMS")) {
            var path = directory().resolve(file);
            var whole = Files.readAllBytes(path);
            Files.write(path, Arrays.copyOf(whole, whole.length - 1));
            assertTrue(refusal().contains("damaged"), file);
            Files.delete(path);
            var missing = refusal();
            assertTrue(missing.contains(file), missing);
            Files.write(path, whole);
        }
        BackupReader.read(directory());
    }

    /** Digests that are right do not make pages of one backup and a manifest of another a backup. */
    @Test
    void aPageLessIsSeenWhateverTheDigestsSay() throws BackupException, IOException {
        write();
        var manifest = directory().resolve("backup.json");
        Files.writeString(manifest, Files.readString(manifest).replace("\"pages\": 2", "\"pages\": 1"));
        var sums = new LinkedHashMap<String, String>();
        for (var file : List.of("rows-00000", "backup.json")) {
            sums.put(file, BackupFiles.sha256(Files.readAllBytes(directory().resolve(file))));
        }
        Files.write(directory().resolve("SHA256SUMS"), BackupFiles.sums(sums));
        assertTrue(refusal().contains("other rows than backup.json says"), refusal());
    }

    @Test
    void anotherFormatIsNamed() throws BackupException, IOException {
        write();
        var manifest = directory().resolve("backup.json");
        Files.writeString(
                manifest,
                Files.readString(manifest).replace("\"format\": 1", "\"format\": 2,\n  \"something_new\": true"));
        assertTrue(refusal().contains("has format 2; this version reads format 1: restore it with"), refusal());
    }

    @Test
    void whatIsNoBackupIsNamed() throws IOException {
        assertTrue(refusal().contains("is no directory"), refusal());
        Files.createDirectory(directory());
        assertTrue(refusal().contains("holds no backup.json"), refusal());
        Files.writeString(directory().resolve("backup.json"), "a letter to Ada");
        assertTrue(refusal().contains("backup.json cannot be read"), refusal());
    }

    @Test
    void onlyAnEmptyOrAbsentDirectoryIsWrittenTo() throws BackupException, IOException {
        Files.createDirectory(directory());
        write();
        var refused = assertThrows(BackupException.class, this::write);
        assertTrue(String.valueOf(refused.getMessage()).contains("is not empty"), refused::toString);
        BackupReader.read(directory());
    }

    @Test
    void halfABackupHasNoName() throws BackupException, IOException {
        try (var writer = BackupWriter.begin(directory())) {
            writer.page(BackupRowsCodec.encode(List.of(FIRST_ROW)));
            assertFalse(Files.exists(directory()));
            assertThrows(BackupException.class, () -> writer.page(new byte[] {1, 2, 3}));
        }
        try (var left = Files.list(root)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void twiceTheGrowthIsOfferedAndTwoStepsAtLeast() throws BackupException {
        var backup = write();
        assertEquals(2 * (30 * 86_400 + 1_441 * 100), backup.offer(TAKEN_AT.plus(Duration.ofDays(1)), 30));
        assertEquals(2 * 100 * 100, backup.offer(TAKEN_AT, 30));
        var early = assertThrows(BackupException.class, () -> backup.offer(TAKEN_AT.minusMillis(1), 30));
        assertTrue(String.valueOf(early.getMessage()).contains("still to come"), early::toString);
    }
}
