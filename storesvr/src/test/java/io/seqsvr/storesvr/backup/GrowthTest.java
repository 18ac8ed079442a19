package io.seqsvr.storesvr.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a peer knows of how fast max_seq moves. */
class GrowthTest {
    private final Growth growth = new Growth();

    private static SegmentRecord segment(int index, long maxSeq) {
        return new SegmentRecord(new SegmentId(1, index), 1, 7, 0, 0, maxSeq, 9, ReleaseMark.NONE);
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void beforeTheFirstLookNothingIsKnown() {
        assertEquals(new Growth.Seen(0, Duration.ZERO), growth.seen(seconds(9), List.of(segment(0, 500))));
    }

    @Test
    void theBusiestSegmentCountsAndAStartedSecondIsAWholeOne() {
        growth.look(seconds(10), List.of(segment(0, 100), segment(1, 1_000_000)), 0);
        assertEquals(
                new Growth.Seen(34, Duration.ofSeconds(3)),
                growth.seen(seconds(13), List.of(segment(0, 200), segment(1, 1_000_001))));
    }

    @Test
    void aSingleRaiseRightAfterALookIsNoFlood() {
        growth.look(0, List.of(segment(0, 0)), 0);
        assertEquals(100, growth.seen(1, List.of(segment(0, 100))).perSecond());
    }

    @Test
    void aSegmentWithoutARecordGrewFromTheFloor() {
        growth.look(0, List.of(), 5_000);
        assertEquals(10, growth.seen(seconds(10), List.of(segment(3, 5_100))).perSecond());
    }

    @Test
    void theFastestOfTheLastHourCountsAndWhatIsOlderDoesNot() {
        growth.look(0, List.of(segment(0, 0)), 0);
        for (int minute = 1; minute <= 60; minute++) {
            growth.look(seconds(60L * minute), List.of(segment(0, 60_000 + 60L * minute)), 0);
        }
        var now = List.of(segment(0, 60_000 + 60L * 60));
        assertEquals(new Growth.Seen(1_001, Duration.ofHours(1)), growth.seen(seconds(3_600), now));
        growth.look(seconds(3_660), now, 0);
        assertEquals(new Growth.Seen(1, Duration.ofHours(1)), growth.seen(seconds(3_660), now));
    }
}
