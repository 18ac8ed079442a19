package io.seqsvr.storesvr.rocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoredTable;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.Rows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.util.FileUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What the database keeps, and what a checkpoint of it holds. */
class StoreDatabaseTest {
    private static final int WRITES_MEANWHILE = 20;
    private static final Cluster CLUSTER = new Cluster(
            "cluster-1", new LeaseTerms(700_000_000L, 333), new NamespaceDefaults(7, 8), 3, 77, 5_119, 5_120, 5_121);
    private static final Namespace MESSAGES =
            new Namespace(3, "messages", 1_000, 10, Keying.HASHED, Order.QUORUM, 100, 20, 500, (1L << 53) - 1);
    private static final Session SESSION = new Session(
            1L << 60,
            SessionKind.ROUTER,
            -7,
            "alloc-ä",
            "[::1]:7721",
            new LeaseTerms(800_000_000L, 334),
            (1L << 60) + 3,
            5_120,
            true,
            true);
    private static final SegmentRecord SEGMENT = new SegmentRecord(
            new SegmentId(3, 99),
            Long.MAX_VALUE,
            1L << 60,
            9,
            1L << 59,
            Long.MAX_VALUE,
            5_120,
            new ReleaseMark.WithHigh(Long.MAX_VALUE - 1));

    private static final StoredTable TABLE = new StoredTable(SEGMENT.id(), table());

    private static CounterTable table() {
        var counters = new SegmentCounters(Long.MAX_VALUE, 9, Long.MAX_VALUE, 3_000, Long.MAX_VALUE);
        counters.take(0, 3);
        counters.lift(2_500, Long.MAX_VALUE - 1);
        return counters.table();
    }

    /** One of each kind, every field another value. */
    private static final List<StoreChange> PUTS = List.of(
            new StoreChange.PutCluster(CLUSTER),
            new StoreChange.PutNamespace(MESSAGES),
            new StoreChange.PutSession(SESSION),
            new StoreChange.PutSegment(SEGMENT),
            new StoreChange.PutTable(TABLE));

    @TempDir
    private Path root = Path.of("");

    @BeforeAll
    static void loadLibrary() throws IOException {
        NativeLibrary.load();
    }

    private StoreDatabase open() throws IOException {
        return StoreDatabase.open(root.resolve("db"));
    }

    private Rows.At checkpointed(StoreDatabase database, String name) throws IOException {
        database.checkpoint(root.resolve(name));
        return Rows.inCheckpoint(root.resolve(name));
    }

    private static Rows rows(List<StoreChange> changes) {
        var state = new StoreState();
        changes.forEach(state::apply);
        return Rows.of(state);
    }

    private static SegmentRecord segment(SegmentId id, long maxSeq) {
        return new SegmentRecord(id, 1, 1, 0, 0, maxSeq, 1, ReleaseMark.NONE);
    }

    @Test
    void aNewDatabaseIsEmptyAndBeforeTheFirstEntry() throws IOException {
        try (var database = open()) {
            assertEquals(new Rows.At(Rows.NONE, Applied.NOTHING), checkpointed(database, "copy"));
        }
    }

    @Test
    void everyRowComesBackAsItWasWritten() throws IOException {
        try (var database = open()) {
            database.write(PUTS, new Applied(2, 7));
            var expected = new Rows(
                    rows(PUTS).cluster(), List.of(MESSAGES), List.of(SESSION), List.of(SEGMENT), List.of(TABLE));
            assertEquals(new Rows.At(expected, new Applied(2, 7)), checkpointed(database, "copy"));
        }
    }

    @Test
    void everyKindOfChangeHasItsRow() throws IOException {
        var all = new ArrayList<>(PUTS);
        all.add(new StoreChange.RemoveSession(SESSION.id()));
        all.add(new StoreChange.RemoveTable(SEGMENT.id()));
        assertEquals(
                List.of(StoreChange.class.getPermittedSubclasses()).stream().collect(Collectors.toSet()),
                all.stream().map(Object::getClass).collect(Collectors.toSet()));
        try (var database = open()) {
            database.write(all, new Applied(2, 7));
            assertEquals(rows(all), checkpointed(database, "copy").rows());
        }
    }

    @Test
    void aLaterRowReplacesTheEarlierOneAndARemovalStays() throws IOException {
        var raised = segment(SEGMENT.id(), 10);
        try (var database = open()) {
            database.write(PUTS, new Applied(1, 1));
            database.write(
                    List.of(new StoreChange.PutSegment(raised), new StoreChange.RemoveSession(SESSION.id())),
                    new Applied(1, 2));
            var held = checkpointed(database, "copy");
            assertEquals(List.of(raised), held.rows().segments());
            assertEquals(List.of(), held.rows().sessions());
            assertEquals(new Applied(1, 2), held.applied());
        }
    }

    @Test
    void rowsComeBackInTheOrderOfTheirNumbers() throws IOException {
        try (var database = open()) {
            for (int index : new int[] {256, 1, 255, 65_536, 0}) {
                var id = new SegmentId(index % 2 + 1, index);
                database.write(List.of(new StoreChange.PutSegment(segment(id, 1))), new Applied(1, index));
            }
            assertEquals(
                    List.of("1/0", "1/256", "1/65536", "2/1", "2/255"),
                    checkpointed(database, "copy").rows().segments().stream()
                            .map(segment -> segment.id().toString())
                            .toList());
        }
    }

    @Test
    void aCheckpointHoldsWhatWasWrittenBeforeItAndNothingLater() throws IOException {
        try (var database = open()) {
            database.write(PUTS, new Applied(1, 1));
            database.checkpoint(root.resolve("first"));
            database.write(List.of(new StoreChange.RemoveSession(SESSION.id())), new Applied(1, 2));
            database.checkpoint(root.resolve("second"));
            database.write(List.of(new StoreChange.PutSession(SESSION)), new Applied(1, 3));
        }
        var first = Rows.inCheckpoint(root.resolve("first"));
        assertEquals(new Rows.At(rows(PUTS), new Applied(1, 1)), first);
        var second = Rows.inCheckpoint(root.resolve("second"));
        assertEquals(List.of(), second.rows().sessions());
        assertEquals(new Applied(1, 2), second.applied());
    }

    @Test
    void anEmptyEntryMovesOnlyTheAppliedIndex() throws IOException {
        try (var database = open()) {
            database.write(PUTS, new Applied(1, 1));
            database.write(List.of(), new Applied(2, 9));
            assertEquals(new Rows.At(rows(PUTS), new Applied(2, 9)), checkpointed(database, "copy"));
        }
    }

    @Test
    void whateverMomentACheckpointCatchesRowsAndAppliedIndexAreOfOneEntry() throws Exception {
        try (var database = open()) {
            var done = new CompletableFuture<Void>();
            var writing = new CountDownLatch(WRITES_MEANWHILE);
            // A thread of its own: the common pool may be busy with other tests until this one is over.
            var writer = CompletableFuture.supplyAsync(
                    () -> writeUntil(done, writing, database), task -> new Thread(task, "writer").start());
            try {
                for (int i = 0; i < 10 || !writing.await(0, TimeUnit.SECONDS); i++) {
                    var held = checkpointed(database, "copy-" + i);
                    long maxSeq = held.rows().segments().stream()
                            .mapToLong(SegmentRecord::maxSeq)
                            .findFirst()
                            .orElse(-1);
                    assertEquals(held.applied().index(), maxSeq);
                }
            } finally {
                // A closed database under a writer ends the whole JVM.
                done.complete(null);
                writer.get(10, TimeUnit.SECONDS);
            }
        }
    }

    /** Entry n raises the segment to n. */
    private static long writeUntil(CompletableFuture<Void> done, CountDownLatch writing, StoreDatabase database) {
        long index = 0;
        try {
            while (!done.isDone()) {
                index++;
                var segment = segment(new SegmentId(1, 0), index);
                database.write(List.of(new StoreChange.PutSegment(segment)), new Applied(1, index));
                writing.countDown();
            }
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        return index;
    }

    @Test
    void nothingGoesToALogOfItsOwn() throws IOException {
        try (var database = open()) {
            database.write(PUTS, new Applied(1, 1));
            try (var files = Files.list(root.resolve("db"))) {
                long bytes = files.filter(file -> file.toString().endsWith(".log"))
                        .mapToLong(file -> file.toFile().length())
                        .sum();
                assertEquals(0, bytes);
            }
        }
    }

    @Test
    void anotherFormatIsRefusedByItsNumberAndLeftClosed() throws RocksDBException {
        try (var newer = RocksDB.open(root.resolve("db").toString())) {
            newer.put(KeyLayout.FORMAT_KEY, ByteBuffer.allocate(4).putInt(2).array());
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            var refused = assertThrows(OtherFormatException.class, this::open);
            assertEquals(
                    "the database has format 2; this version reads format 1: start the version that wrote it, or a"
                            + " later one",
                    refused.getMessage());
        }
    }

    @Test
    void whatIsNoDatabaseIsRefused() throws IOException {
        open().close();
        Files.writeString(root.resolve("db/CURRENT"), "MANIFEST-no-such-file\n");
        var refused = assertThrows(IOException.class, this::open);
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("RocksDB cannot open " + root.resolve("db") + ": "),
                refused.getMessage());
    }

    @Test
    void aCheckpointNeverReplacesAnother() throws IOException {
        try (var database = open()) {
            database.checkpoint(root.resolve("copy"));
            var refused = assertThrows(IOException.class, () -> database.checkpoint(root.resolve("copy")));
            assertTrue(String.valueOf(refused.getMessage())
                    .contains(root.resolve("copy").toString()));
        }
    }

    @Test
    void aTableFileWithOneChangedByteIsRefusedOrHoldsTheSameRows() throws IOException {
        var segments = new ArrayList<StoreChange>(PUTS);
        for (int index = 0; index < 500; index++) {
            segments.add(new StoreChange.PutSegment(segment(new SegmentId(3, index + 100), index)));
        }
        try (var database = open()) {
            database.write(segments, new Applied(1, 5));
            database.checkpoint(root.resolve("copy"));
        }
        var expected = rows(segments);
        int refused = 0;
        for (var table : tables(root.resolve("copy"))) {
            var whole = Files.readAllBytes(table);
            // Some 40 places of each file; the rest of a file would only take longer.
            for (int at = 0; at < whole.length; at += 1 + whole.length / 40) {
                var damaged = whole.clone();
                damaged[at] ^= 0x10;
                Files.write(table, damaged);
                if (isRefused(expected)) {
                    refused++;
                }
            }
            Files.write(table, whole);
        }
        assertTrue(refused > 20, "refused " + refused);
        assertEquals(new Rows.At(expected, new Applied(1, 5)), Rows.inCheckpoint(root.resolve("copy")));
    }

    /** So who asks whether the machine lacks something need not know its database. */
    @Test
    void whatTheSystemRefusesHasTheClassThatJavaGivesIt() throws IOException {
        Files.createDirectories(root.resolve("db/LOCK"));
        assertEquals(
                FileSystemException.class,
                assertThrows(IOException.class, this::open).getClass());
        Files.createDirectories(root.resolve("damaged"));
        Files.writeString(root.resolve("damaged/CURRENT"), "nothing");
        assertEquals(
                IOException.class,
                assertThrows(IOException.class, () -> StoreDatabase.open(root.resolve("damaged")))
                        .getClass());
    }

    /** Nothing else than a refusal or the rows as they were written. */
    private boolean isRefused(Rows expected) throws IOException {
        var opened = root.resolve("opened");
        FileUtils.deleteFully(opened);
        Files.createDirectory(opened);
        try (var files = Files.newDirectoryStream(root.resolve("copy"))) {
            for (var file : files) {
                Files.copy(file, opened.resolve(file.getFileName()));
            }
        }
        try {
            assertEquals(new Rows.At(expected, new Applied(1, 5)), Rows.inCheckpoint(opened));
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    private static List<Path> tables(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        }
    }
}
