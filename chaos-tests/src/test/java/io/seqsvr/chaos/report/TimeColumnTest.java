package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two hours in a chart of a hand's width: what went wrong is still to be seen. */
final class TimeColumnTest {
    private static Second good(int second) {
        return new Second(second, 400, 0, 0, 1_000, 5_000, 9_000);
    }

    @Test
    void aShortRunIsDrawnSecondBySecond() {
        var columns = TimeColumn.of(
                IntStream.range(0, 600).mapToObj(TimeColumnTest::good).toList(), 600);
        assertEquals(600, columns.size());
        assertEquals(new TimeColumn(599, 1, 400, 400, 0, 0, 1_000, 5_000, 9_000), columns.get(599));
    }

    @Test
    void thereAreNeverMoreThanThat() {
        for (int seconds : new int[] {1, 599, 601, 1_199, 1_200, 1_201, 7_200, 86_400}) {
            var columns = TimeColumn.of(
                    IntStream.range(0, seconds).mapToObj(TimeColumnTest::good).toList(), 600);
            assertTrue(columns.size() <= 600, seconds + " s: " + columns.size());
            assertTrue(columns.size() >= Math.min(seconds, 300), seconds + " s: " + columns.size());
        }
    }

    @Test
    void theWorstSecondOfAColumnIsKept() {
        var timeline = IntStream.range(0, 7_200)
                .mapToObj(second -> second == 4_321 ? new Second(second, 0, 90, 7, 0, 0, 0) : good(second))
                .map(second -> second.second() == 4_322 ? new Second(4_322, 4, 0, 0, 70_000, 880_000, 990_000) : second)
                .toList();
        var worst = TimeColumn.of(timeline, 600).stream()
                .filter(column -> column.fromSecond() <= 4_321 && 4_321 < column.fromSecond() + column.seconds())
                .findFirst()
                .orElseThrow();
        assertEquals(0, worst.leastAnswered());
        assertEquals(90, worst.mostRefused());
        assertEquals(7, worst.mostUnknown());
        assertEquals(880_000, worst.p99Micros());
        assertEquals(990_000, worst.maxMicros());
        assertTrue(worst.answered() > 300 && worst.answered() < 400, "the mean: " + worst.answered());
    }

    @Test
    void secondsThatNobodyWatchedAreAHole() {
        var columns = TimeColumn.of(List.of(good(0), good(1), good(5)), 600);
        assertEquals(
                List.of(0, 1, 5), columns.stream().map(TimeColumn::fromSecond).toList());
        assertEquals(List.of(), TimeColumn.of(List.of(), 600));
    }
}
