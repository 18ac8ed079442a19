package io.seqsvr.chaos.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All runs of one commit, which may be told together: what ran was the same.
 *
 * @param commit as {@link RunFile#commit()} says it
 * @param runs at least one, in the order in which they began
 */
public record CommitRuns(String commit, List<RunFile> runs) {
    /** Keeps a copy. */
    public CommitRuns {
        runs = List.copyOf(runs);
    }

    /** Runs by commit: first the commit whose last run began last. */
    public static List<CommitRuns> of(List<RunFile> runs) {
        Map<String, List<RunFile>> byCommit = new LinkedHashMap<>();
        runs.stream()
                .sorted(Comparator.comparing(RunFile::begun))
                .forEach(run -> byCommit.computeIfAbsent(run.commit(), absent -> new ArrayList<>())
                        .add(run));
        return byCommit.entrySet().stream()
                .map(each -> new CommitRuns(each.getKey(), each.getValue()))
                .sorted(Comparator.comparing(CommitRuns::lastBegun).reversed())
                .toList();
    }

    private Instant lastBegun() {
        return runs.get(runs.size() - 1).begun();
    }

    /** What was tried, and what came of it. */
    public CellTable cells() {
        return CellTable.of(runs);
    }

    /** What they amount to. */
    public Totals totals() {
        return Totals.of(runs);
    }

    /** The worst that one of the runs or one of the cells comes to; never a pass without a round that passed. */
    public RunVerdict verdict() {
        var worst = runs.stream().map(RunFile::verdict).min(Comparator.naturalOrder());
        var cells = cells();
        var ofCells = RunVerdict.INCONCLUSIVE;
        if (cells.count(CellVerdict.VIOLATED) > 0) {
            ofCells = RunVerdict.VIOLATED;
        } else if (cells.count(CellVerdict.FAILED) > 0) {
            ofCells = RunVerdict.MISSED;
        } else if (cells.count(CellVerdict.VOID) == 0 && cells.count(CellVerdict.PASS) > 0) {
            ofCells = RunVerdict.PASS;
        }
        var least = ofCells;
        return worst.map(of -> of.compareTo(least) < 0 ? of : least).orElse(RunVerdict.INCONCLUSIVE);
    }
}
