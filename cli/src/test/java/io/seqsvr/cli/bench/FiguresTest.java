package io.seqsvr.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What was measured, as people and as scripts read it. */
final class FiguresTest {
    private static Figures measured() {
        var figures = new Figures();
        figures.put("scenario", "--scenario", "raises");
        figures.put("commands", "commands", 1_234_567);
        figures.put("commands_per_s", "commands per second", 12_345.678);
        figures.put("rss_mib", "each peer", List.of(1.25, 2_000.0));
        figures.putUnknown("rss_max_mib", "largest peer");
        return figures;
    }

    @Test
    void peopleReadALineForEach() {
        assertEquals(
                List.of(
                        "--scenario raises",
                        "commands 1,234,567",
                        "commands per second 12,345.7",
                        "each peer 1.3 2,000.0",
                        "largest peer n/a",
                        "errors 0"),
                measured()
                        .text()
                        .lines()
                        .map(line -> line.replaceAll(" +", " "))
                        .toList());
    }

    @Test
    void scriptsReadNumbersUnderTheirKeys() {
        assertEquals(new JsonObject("""
                        {"scenario": "raises", "commands": 1234567, "commands_per_s": 12345.7,
                         "rss_mib": [1.3, 2000.0], "rss_max_mib": null, "errors": 0, "conclusive": true}
                        """), new JsonObject(measured().json().encode()));
    }

    @Test
    void errorsAreCountedAndTheFirstIsTold() {
        var figures = measured();
        figures.addErrors(0, "nothing");
        figures.addErrors(2, "a raise was refused");
        figures.addErrors(3, "no answer");
        assertEquals(5, figures.errors());
        assertTrue(figures.text().endsWith("ERRORS: the first was: a raise was refused"), figures.text());
        assertEquals(5, figures.json().getInteger("errors"));
        assertEquals("a raise was refused", figures.json().getString("first_error"));
    }

    @Test
    void figuresThatDoNotShowWhatWasAskedForSaySo() {
        var figures = measured();
        assertTrue(figures.conclusive());
        figures.inconclusive("no snapshot was taken");
        assertFalse(figures.json().getBoolean("conclusive"));
        assertTrue(figures.text().endsWith("INCONCLUSIVE: no snapshot was taken"), figures.text());
    }

    @Test
    void theMedianOfTimesIsTheMiddleOneOrLiesBetweenTheTwo() {
        var three = new Spread();
        List.of(30_000_000L, 10_000_000L, 20_000_000L).forEach(three::addNanos);
        assertEquals(20, three.median());
        assertEquals(30, three.most());
        assertEquals(20, three.last());
        three.addNanos(90_000_000);
        assertEquals(25, three.median());
    }

    @Test
    void aStallCountsToTheSnapshotBesideIt() {
        var near = Snapshots.near(List.of(2, 60), 100);
        assertTrue(near[0] && near[7] && near[40] && near[65]);
        assertFalse(near[8] || near[39] || near[66]);
        var slices = LongStream.range(0, 100)
                .map(at -> at == 41 ? 70_000_000 : at == 20 ? 5_000_000 : 1_000_000)
                .boxed()
                .toList();
        assertEquals(70, Snapshots.longest(slices, near, true));
        assertEquals(5, Snapshots.longest(slices, near, false));
    }
}
