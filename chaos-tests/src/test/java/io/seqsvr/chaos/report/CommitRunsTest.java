package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of different programs are not mixed. */
final class CommitRunsTest {
    private static RunVerdict verdict(SampleRun... runs) {
        return new CommitRuns(
                        "abc1234", List.of(runs).stream().map(SampleRun::file).toList())
                .verdict();
    }

    private static SampleRun run(long seed) {
        return new SampleRun(seed, 60, 4);
    }

    @Test
    void theNewestCommitStandsFirst() {
        var commits = CommitRuns.of(List.of(
                run(1).of("new").begunAt("2026-11-22T13:00:00Z").file(),
                run(2).of("old").begunAt("2026-11-22T10:00:00Z").file(),
                run(3).of("new").begunAt("2026-11-22T09:00:00Z").file(),
                run(4).of("new+changes").begunAt("2026-11-22T11:00:00Z").file()));
        assertEquals(
                List.of("new", "new+changes", "old"),
                commits.stream().map(CommitRuns::commit).toList());
        assertEquals(
                List.of("3", "1"),
                commits.get(0).runs().stream().map(RunFile::seed).toList());
    }

    @Test
    void theWorstRunIsTheVerdict() {
        assertEquals(RunVerdict.PASS, verdict(run(1), run(2)));
        assertEquals(RunVerdict.INCONCLUSIVE, verdict(run(1), run(2).comesTo(1, RoundVerdict.VOID, "no effect")));
        assertEquals(
                RunVerdict.MISSED,
                verdict(
                        run(1).comesTo(1, RoundVerdict.MISSED, "too long"),
                        run(2).comesTo(1, RoundVerdict.VOID, "no effect")));
        assertEquals(
                RunVerdict.VIOLATED,
                verdict(
                        run(1).comesTo(1, RoundVerdict.MISSED, "too long"),
                        run(2).comesTo(1, RoundVerdict.VIOLATED, "twice")));
    }

    @Test
    void totalsAreSums() {
        var totals = Totals.of(List.of(
                run(1).file(), run(2).comesTo(2, RoundVerdict.VIOLATED, "twice").file()));
        assertEquals(2, totals.runs());
        assertEquals(120, totals.seconds());
        assertEquals(8, totals.rounds());
        assertEquals(64, totals.straddlingPairs());
        assertEquals(1, totals.violations());
    }
}
