package io.seqsvr.core.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CounterPrefetchTest {
    private static final int USERS = 5_000;

    private final CounterPrefetch prefetch = new CounterPrefetch();
    private final SegmentCounters counters = new SegmentCounters(1, 100, 10_000, USERS, Long.MAX_VALUE);

    @Test
    void turnsFollowEachOtherWithoutEnd() {
        for (int turn = 0; turn < 3; turn++) {
            for (int i = 0; i < CounterPrefetch.MOST; i++) {
                counters.take(i * 39, 1);
                prefetch.add(counters, i * 39);
            }
            prefetch.fetch();
        }
        assertEquals(103, counters.current(0));
    }

    @Test
    void aUserNeverServedIsLeftAlone() {
        for (int slot = 0; slot < USERS; slot++) {
            prefetch.add(counters, slot);
        }
        prefetch.fetch();
        assertEquals(0, counters.table().served());
    }

    @Test
    void theLastUserOfAShortPageIsFetched() {
        counters.take(USERS - 1, 1);
        prefetch.add(counters, USERS - 1);
        prefetch.fetch();
        assertEquals(101, counters.current(USERS - 1));
    }
}
