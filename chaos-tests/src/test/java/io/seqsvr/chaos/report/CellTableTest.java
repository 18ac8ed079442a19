package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What many runs tell together of the things that were tried. */
final class CellTableTest {
    private final List<RunFile> runs = new ArrayList<>();

    private static Round round(int number, String cell, RoundVerdict verdict, long waited, long bound) {
        var words = verdict == RoundVerdict.PASS ? List.<String>of() : List.of("because of " + number);
        return new Round(
                number,
                cell,
                List.of(cell + "-1"),
                number * 10_000L,
                number * 10_000L + 4_000,
                bound,
                waited,
                1,
                new Bystanders(1_000, number - 1L, 1),
                verdict,
                words);
    }

    private static RunFile run(SampleRun of, Round... rounds) {
        var file = of.file();
        return new RunFile(
                file.commit(),
                file.begun(),
                file.seconds(),
                file.command(),
                file.machine(),
                file.network(),
                file.seed(),
                file.cluster(),
                file.verdict(),
                file.result(),
                List.of(rounds),
                file.skipped(),
                file.timeline(),
                file.witnesses());
    }

    private Cell cell(String name) {
        return CellTable.of(runs).cells().stream()
                .filter(cell -> cell.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void roundsOfManyRunsAreOneCell() {
        runs.add(run(
                new SampleRun(5, 60, 1),
                round(1, "kill-allocator", RoundVerdict.PASS, 4_000, 5_301),
                round(2, "kill-router", RoundVerdict.PASS, 300, 2_000),
                round(3, "kill-allocator", RoundVerdict.PASS, 100, 5_301)));
        runs.add(run(new SampleRun(6, 60, 1), round(1, "kill-allocator", RoundVerdict.PASS, 3_000, 3_100)));
        var cell = cell("kill-allocator");
        assertEquals(3, cell.count(RoundVerdict.PASS));
        assertEquals(List.of("5", "6"), cell.seeds());
        assertEquals(12, cell.seconds());
        assertEquals(3_000, cell.worst().orElseThrow().waitedMillis(), "nearer to its bound than the 4,000 were");
        assertEquals(CellVerdict.PASS, cell.verdict());
        assertEquals(List.of(), cell.words());
    }

    @Test
    void theWorstRoundDecides() {
        runs.add(run(
                new SampleRun(5, 60, 1),
                round(1, "a", RoundVerdict.PASS, 1, 2),
                round(2, "b", RoundVerdict.PASS, 1, 2),
                round(3, "b", RoundVerdict.VOID, 1, 2),
                round(4, "c", RoundVerdict.VOID, 1, 2),
                round(5, "c", RoundVerdict.MISSED, 3, 2),
                round(6, "d", RoundVerdict.MISSED, 3, 2),
                round(7, "d", RoundVerdict.VIOLATED, 1, 2)));
        assertEquals(CellVerdict.PASS, cell("a").verdict());
        assertEquals(CellVerdict.VOID, cell("b").verdict());
        assertEquals(CellVerdict.FAILED, cell("c").verdict());
        assertEquals(CellVerdict.VIOLATED, cell("d").verdict());
        assertEquals(
                List.of("d", "c", "b", "a"),
                CellTable.of(runs).cells().stream().map(Cell::name).toList());
        assertEquals(
                List.of("seed 5, round 4 (c-1) void: because of 4", "seed 5, round 5 (c-1) missed: because of 5"),
                cell("c").words());
    }

    @Test
    void aRoundThatProvesNothingHasNoWait() {
        runs.add(run(new SampleRun(5, 60, 1), round(1, "a", RoundVerdict.VOID, 9, 2)));
        assertTrue(cell("a").worst().isEmpty());
    }

    @Test
    void whatOneRunSkippedAndAnotherTriedWasTried() {
        runs.add(run(new SampleRun(5, 60, 1).skips("a", "no loop devices").skips("b", "no root")));
        runs.add(run(
                new SampleRun(6, 60, 1).skips("b", "no gcc").skips("b", "no root"),
                round(1, "a", RoundVerdict.PASS, 1, 2)));
        assertEquals(CellVerdict.PASS, cell("a").verdict());
        assertEquals(List.of(), cell("a").skippedBecause());
        assertEquals(CellVerdict.SKIPPED, cell("b").verdict());
        assertEquals(List.of("no root", "no gcc"), cell("b").skippedBecause());
    }

    @Test
    void singleFaultsStandBeforeSeveral() {
        runs.add(run(
                new SampleRun(5, 60, 1).skips("0", "no root"),
                round(1, "a + b", RoundVerdict.PASS, 1, 2),
                round(2, "c", RoundVerdict.PASS, 1, 2)));
        assertEquals(
                List.of("c", "a + b", "0"),
                CellTable.of(runs).cells().stream().map(Cell::name).toList());
    }
}
