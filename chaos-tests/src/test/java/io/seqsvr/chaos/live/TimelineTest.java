package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.report.Second;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Each second tells what happened in it, those in which nothing did too. */
final class TimelineTest {
    private static final long BEGUN = 5;

    private final Timeline timeline = new Timeline(BEGUN);

    private static long at(double seconds) {
        return BEGUN + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void aSecondTellsWhatHappenedInIt() {
        timeline.answered(at(0.1), TimeUnit.MICROSECONDS.toNanos(10));
        timeline.answered(at(0.2), TimeUnit.MICROSECONDS.toNanos(12));
        timeline.answered(at(0.9), TimeUnit.MICROSECONDS.toNanos(100));
        timeline.refused(at(0.95));
        timeline.unknown(at(3.5));
        assertEquals(
                List.of(
                        new Second(0, 3, 1, 0, 12, 100, 100),
                        new Second(1, 0, 0, 0, 0, 0, 0),
                        new Second(2, 0, 0, 0, 0, 0, 0),
                        new Second(3, 0, 0, 1, 0, 0, 0)),
                timeline.seconds());
    }

    @Test
    void itIsQuickOnceThreeSecondsWere() {
        for (int second = 0; second < 5; second++) {
            assertFalse(timeline.isQuick());
            timeline.answered(at(second + 0.5), TimeUnit.MILLISECONDS.toNanos(second == 1 ? 40 : 10));
        }
        timeline.answered(at(5.5), TimeUnit.MILLISECONDS.toNanos(40));
        assertTrue(timeline.isQuick());
        timeline.answered(at(6.5), TimeUnit.MILLISECONDS.toNanos(10));
        assertFalse(timeline.isQuick());
    }

    @Test
    void whereNobodyIsAnsweredItIsNotQuick() {
        timeline.refused(at(9));
        assertFalse(timeline.isQuick());
    }

    @Test
    void whatIsToldLateCountsWhereTheOthersAre() {
        timeline.refused(at(2.1));
        timeline.refused(at(1.9));
        assertEquals(2, timeline.seconds().get(2).refused());
    }
}
