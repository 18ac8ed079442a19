package io.seqsvr.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Finding owners in the map of segments, and the maps that cannot be. */
class RouteTableTest {
    private static RouteRange range(int namespaceId, int first, int last, long owner) {
        return new RouteRange(namespaceId, first, last, owner, 1);
    }

    @Test
    void theEmptyTableCoversNothing() {
        assertEquals(Optional.empty(), RouteTable.EMPTY.find(1, 0));
        assertEquals(0, RouteTable.EMPTY.version());
    }

    @Test
    void findsTheRangeOfEachSegmentAndNothingInTheGaps() {
        var low = range(1, 0, 4, 10);
        var high = range(1, 8, 8, 11);
        var other = range(3, 2, 5, 12);
        var table = new RouteTable(5, List.of(low, high, other));
        assertEquals(Optional.of(low), table.find(1, 0));
        assertEquals(Optional.of(low), table.find(1, 4));
        assertEquals(Optional.empty(), table.find(1, 5));
        assertEquals(Optional.empty(), table.find(1, 7));
        assertEquals(Optional.of(high), table.find(1, 8));
        assertEquals(Optional.empty(), table.find(1, 9));
        assertEquals(Optional.empty(), table.find(2, 3));
        assertEquals(Optional.empty(), table.find(3, 1));
        assertEquals(Optional.of(other), table.find(3, 2));
        assertEquals(Optional.of(other), table.find(3, 5));
        assertEquals(Optional.empty(), table.find(3, 6));
        assertEquals(Optional.empty(), table.find(4, 0));
    }

    @Test
    void neighboursWithOneOwnerAndEpochMerge() {
        var builder = new RouteTable.Builder();
        builder.add(range(1, 0, 0, 10));
        builder.add(range(1, 1, 1, 10));
        builder.add(range(1, 2, 5, 10));
        assertEquals(List.of(range(1, 0, 5, 10)), builder.build(3).ranges());
    }

    @Test
    void anotherOwnerEpochNamespaceOrAGapEndsARange() {
        var ranges = List.of(
                new RouteRange(1, 0, 0, 10, 1),
                new RouteRange(1, 1, 1, 11, 1),
                new RouteRange(1, 2, 2, 11, 2),
                new RouteRange(1, 4, 4, 11, 2),
                new RouteRange(2, 5, 5, 11, 2));
        var builder = new RouteTable.Builder();
        ranges.forEach(builder::add);
        assertEquals(ranges, builder.build(3).ranges());
    }

    @Test
    void rangesThatOverlapOrGoBackAreRefused() {
        assertRefused(range(1, 0, 5, 10), range(1, 5, 9, 11));
        assertRefused(range(1, 0, 5, 10), range(1, 2, 3, 11));
        assertRefused(range(1, 5, 9, 10), range(1, 0, 4, 11));
        assertRefused(range(2, 0, 1, 10), range(1, 2, 3, 11));
        assertRefused(range(1, 0, 5, 10), range(1, 0, 5, 10));
    }

    private static void assertRefused(RouteRange... ranges) {
        var failure = assertThrows(IllegalArgumentException.class, () -> new RouteTable(9, List.of(ranges)));
        assertTrue(failure.toString().contains("route table 9: "), failure.toString());
    }

    @Test
    void aTableKeepsItsRangesWhateverBecomesOfTheList() {
        var ranges = new ArrayList<>(List.of(range(1, 0, 5, 10)));
        var table = new RouteTable(1, ranges);
        ranges.clear();
        assertEquals(6, table.find(1, 3).orElseThrow().size());
        assertThrows(UnsupportedOperationException.class, () -> table.ranges().clear());
    }

    @Test
    void findAgreesWithAPlainMap() {
        Seed.announcedFor(RouteTableTest.class).run(random -> {
            for (int round = 0; round < 300; round++) {
                var builder = new RouteTable.Builder();
                var owners = new HashMap<Integer, Long>();
                int next = 0;
                while (next < 60) {
                    int first = next + random.nextInt(4);
                    int last = first + random.nextInt(6);
                    long owner = random.nextInt(3);
                    builder.add(range(2, first, last, owner));
                    for (int segment = first; segment <= last; segment++) {
                        owners.put(segment, owner);
                    }
                    next = last + 1;
                }
                var table = builder.build(round);
                for (int segment = 0; segment < 70; segment++) {
                    assertEquals(
                            Optional.ofNullable(owners.get(segment)),
                            table.find(2, segment).map(RouteRange::owner));
                    assertEquals(Optional.empty(), table.find(1, segment));
                    assertEquals(Optional.empty(), table.find(3, segment));
                }
            }
        });
    }
}
