package io.seqsvr.chaos.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was tried in many runs, and what came of it.
 *
 * @param cells the worst first, those that were skipped last; among equals single faults before several at once, by
 *     name
 */
public record CellTable(List<Cell> cells) {
    private static final Comparator<Cell> ORDER = Comparator.comparing(Cell::verdict)
            .thenComparing(cell -> cell.name().contains("+"))
            .thenComparing(Cell::name);

    /** Keeps a copy. */
    public CellTable {
        cells = List.copyOf(cells);
    }

    /** Of these runs. A cell that one of them skipped and another one tried counts as tried. */
    public static CellTable of(List<RunFile> runs) {
        Map<String, List<Cell.Trial>> trials = new LinkedHashMap<>();
        Map<String, Set<String>> skipped = new LinkedHashMap<>();
        for (var run : runs) {
            for (var round : run.rounds()) {
                trials.computeIfAbsent(round.cell(), absent -> new ArrayList<>())
                        .add(new Cell.Trial(run, round));
            }
            for (var skip : run.skipped()) {
                skipped.computeIfAbsent(skip.cell(), absent -> new LinkedHashSet<>())
                        .add(skip.why());
            }
        }
        skipped.keySet().removeAll(trials.keySet());
        var cells = new ArrayList<Cell>();
        trials.forEach((name, of) -> cells.add(new Cell(name, of, List.of())));
        skipped.forEach((name, why) -> cells.add(new Cell(name, List.of(), List.copyOf(why))));
        cells.sort(ORDER);
        return new CellTable(cells);
    }

    /** How many cells came to this. */
    public long count(CellVerdict verdict) {
        return cells.stream().filter(cell -> cell.verdict() == verdict).count();
    }
}
