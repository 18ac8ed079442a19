package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.proto.internal.v1.CounterPage;
import io.seqsvr.proto.internal.v1.CounterTable;
import org.junit.jupiter.api.Test;

/** Exact counters on the wire: the same table comes out, and a damaged one is refused with its place. */
class TableCodecTest {
    private static SegmentCounters counters() {
        var counters = new SegmentCounters(7, 100, 1_000, 5_000, Long.MAX_VALUE);
        counters.take(0, 3);
        counters.take(1_500, 1);
        counters.lift(4_999, 500);
        counters.take(4_998, 1);
        return counters;
    }

    @Test
    void theSameTableComesOut() {
        var table = counters().table();
        var decoded = TableCodec.decode(TableCodec.encode(table));
        assertEquals(table, decoded);
        assertTrue(decoded.whole());
        var going = SegmentCounters.continuing(8, decoded, 1_000, 5_000, Long.MAX_VALUE);
        assertEquals(103, going.current(0));
        assertEquals(100, going.current(1));
        assertEquals(101, going.current(1_500));
        assertTrue(going.exact(4_998));
        assertEquals(500, going.current(4_999));
        assertEquals(false, going.exact(4_999));
    }

    @Test
    void aTableOfUsersNearEachOtherIsShort() {
        var counters = new SegmentCounters(7, 1L << 50, (1L << 50) + 10_000, 65_536, Long.MAX_VALUE);
        for (int slot = 0; slot < 65_536; slot++) {
            counters.take(slot, 1 + slot % 100);
        }
        int bytes = TableCodec.encode(counters.table()).getSerializedSize();
        assertTrue(bytes < 200_000, bytes + " bytes");
    }

    @Test
    void theLongestTableFitsIntoOneCommand() {
        var counters = new SegmentCounters(Long.MAX_VALUE, 1, Long.MAX_VALUE, 65_536, Long.MAX_VALUE);
        for (int slot = 0; slot < 65_535; slot++) {
            counters.lift(slot, 2);
        }
        counters.lift(65_535, Long.MAX_VALUE);
        int bytes = TableCodec.encode(counters.table()).getSerializedSize();
        assertTrue(bytes < 1 << 20, bytes + " bytes");
    }

    @Test
    void noTableIsLongerThanItTells() {
        for (int apart : new int[] {1, 2, 100, 1_024}) {
            var counters = new SegmentCounters(Long.MAX_VALUE, 1, Long.MAX_VALUE, 1_000 * apart, Long.MAX_VALUE);
            for (int user = 0; user < 999; user++) {
                counters.lift(user * apart, 2);
            }
            counters.lift(999 * apart, Long.MAX_VALUE);
            var table = counters.table();
            int bytes = TableCodec.encode(table).getSerializedSize();
            assertTrue(bytes <= table.mostBytes(), bytes + " bytes, not " + table.mostBytes());
        }
    }

    @Test
    void aDamagedTableIsRefused() {
        var page = CounterPage.newBuilder().setIndex(3).addPlaces(5).addBelowHigh(0);
        assertRefused(page.clone().addPlaces(6));
        assertRefused(page.clone().addPlaces(5).addBelowHigh(0));
        assertRefused(page.clone().addPlaces(1_024).addBelowHigh(0));
        assertRefused(page.clone().addPlaces(7).addBelowHigh(50));
        assertRefused(page.clone().addBounds(6));
        assertRefused(page.clone().setIndex(-1));
    }

    private static void assertRefused(CounterPage.Builder page) {
        var table =
                CounterTable.newBuilder().setEpoch(1).setHigh(50).addPages(page).build();
        assertThrows(IllegalArgumentException.class, () -> TableCodec.decode(table));
    }
}
