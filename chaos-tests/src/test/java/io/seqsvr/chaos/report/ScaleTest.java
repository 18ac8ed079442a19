package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where values stand in a chart, and which are named beside it. */
final class ScaleTest {
    @Test
    void equalDifferencesAreEquallyFarApart() {
        var scale = Scale.linear(200, 100, 0);
        assertEquals(100, scale.at(0));
        assertEquals(50, scale.at(100));
        assertEquals(0, scale.at(200));
        assertEquals(0, scale.at(999), "what is beyond stands at the end");
    }

    @Test
    void equalFactorsAreEquallyFarApart() {
        var scale = Scale.powersOfTen(900, 4_000_000, 100, 0);
        assertEquals(List.of(100.0, 1e3, 1e4, 1e5, 1e6, 1e7), scale.powers());
        assertEquals(80, scale.at(1_000), 1e-9);
        assertEquals(60, scale.at(10_000), 1e-9);
        assertEquals(100, scale.at(0));
    }

    @Test
    void timesAreThoseThatPeopleChoose() {
        assertEquals(
                List.of(0.0, 120.0, 240.0, 360.0, 480.0, 600.0),
                Scale.linear(600, 0, 1).times());
        assertEquals(900, Scale.linear(7_200, 0, 1).times().get(1));
        for (double length : new double[] {1, 59, 61, 3_599, 86_400, 1e6, 1e7}) {
            int count = Scale.linear(length, 0, 1).times().size();
            assertTrue(count >= 2 && count <= 10, length + " s: " + count);
        }
    }

    @Test
    void levelsAreRoundNumbers() {
        assertEquals(1, Scale.roundUp(0));
        assertEquals(2, Scale.roundUp(1.5));
        assertEquals(500, Scale.roundUp(430));
        assertEquals(500, Scale.roundUp(500));
        assertEquals(10_000, Scale.roundUp(5_001));
    }
}
