package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What people and scripts are told of a measurement. */
class AllocFiguresTest {
    private static final AllocPlan PLAN =
            new AllocPlan(Mode.FRAMES, "default", 10, Skew.UNIFORM, 8, 2, 1_000, 0, 20, 8, 2, false);

    /** 1,000 calls that took 1 to 1,000 microseconds. */
    private static AllocFigures figures(Map<String, Long> failures, long duplicates) {
        var micros = new Histogram(3);
        for (int taken = 1; taken <= 1_000; taken++) {
            micros.recordValue(taken);
        }
        var one = Window.of(micros, 1_000, 10, 1_000_000_000);
        var other = Window.of(micros, 1_000, 20, 2_000_000_000);
        return new AllocFigures(PLAN, List.of(one, other), Percentile.of(micros), failures, 0, duplicates);
    }

    @Test
    void theLatenciesOfAllWindowsAreTold() {
        var figures = figures(Map.of(), 0);
        var lines =
                figures.text().lines().map(line -> line.replaceAll(" +", " ")).toList();
        assertTrue(lines.contains("percent us at most took longer"), lines::toString);
        assertTrue(lines.contains("50 500 500"), lines::toString);
        assertTrue(lines.contains("99.9 999 1"), lines::toString);
        assertTrue(lines.contains("100 1,000 0"), lines::toString);
        var percentiles = figures.json().getJsonObject("percentiles_us");
        assertEquals(500, percentiles.getLong("50"));
        assertEquals(990, percentiles.getLong("99"));
        assertEquals(1_000, percentiles.getLong("100"));
    }

    @Test
    void theMedianOfTwoWindowsIsBetweenThem() {
        assertEquals(750, figures(Map.of(), 0).median().sequencesPerSecond());
    }

    @Test
    void whatWentWrongIsToldAndCounted() {
        var figures = figures(Map.of("no answer", 2L, "BUSY", 1L), 1);
        assertEquals(3, figures.errors());
        assertTrue(figures.isSafetyViolated());
        assertTrue(figures.text().contains("ERRORS: 2 times no answer"), figures::text);
        assertTrue(figures.text().contains("BROKEN: "), figures::text);
    }
}
