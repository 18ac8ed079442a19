package io.seqsvr.storesvr.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a backup takes of a replica between two of its entries. */
class PictureTest {
    /** All segments of the largest namespace that ops/ shows: 2^32 users. */
    private static final int SEGMENTS = 42_950;

    private static final Applied APPLIED = new Applied(3, 77);

    @TempDir
    private Path root = Path.of("");

    @BeforeAll
    static void loadLibrary() throws IOException {
        NativeLibrary.load();
    }

    private static StoreChange segment(int index) {
        return new StoreChange.PutSegment(
                new SegmentRecord(new SegmentId(1, index), 1, 7, 0, 0, 10_000, 9, ReleaseMark.NONE));
    }

    @Test
    void itHoldsUpTheLogForLessThanATenthOfASecond() throws IOException {
        try (var database = StoreDatabase.open(root)) {
            database.write(
                    IntStream.range(0, SEGMENTS).mapToObj(PictureTest::segment).toList(), APPLIED);
            // Without a write-ahead log only what was flushed is there for the next one.
            database.checkpoint(root.resolve("checkpoint"));
        }
        var replica = new Replica();
        replica.open(root.resolve("checkpoint"));
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        var picture = replica.picture();
        long nanos = threads.getCurrentThreadCpuTime() - before;
        assertTrue(nanos < TimeUnit.MILLISECONDS.toNanos(100), () -> "it took " + nanos + " ns of CPU");
        assertEquals(APPLIED, picture.applied());
        assertEquals(SEGMENTS, picture.state().segments().size());
        replica.apply(new Applied(3, 78), List.of());
        assertEquals(APPLIED, picture.applied());
        replica.close();
    }
}
