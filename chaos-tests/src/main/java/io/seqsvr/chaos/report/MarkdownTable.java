package io.seqsvr.chaos.report;

import java.util.List;
import java.util.StringJoiner;

/** Cells as a table of Markdown, for a document. */
public final class MarkdownTable {
    private MarkdownTable() {}

    /** A line that says what was run, the table, and what was skipped. */
    public static String of(CommitRuns runs) {
        var totals = runs.totals();
        var cells = runs.cells().cells();
        var lines = new StringJoiner("\n", "", "\n");
        lines.add("Commit " + text(runs.commit()) + ", " + Units.count(totals.runs()) + " runs, "
                + Units.span(totals.seconds()) + ", " + Units.count(totals.rounds()) + " rounds, "
                + Units.count(totals.faults()) + " faults, " + Units.count(totals.checked()) + " answers checked, "
                + Units.count(totals.straddlingPairs()) + " straddling pairs, " + Units.count(totals.violations())
                + " violations: " + runs.verdict() + ".");
        lines.add("");
        lines.add("| at work | verdict | rounds | pass | missed | violated | void | longest wait | bound |"
                + " others failed | seeds |");
        lines.add("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
        cells.stream()
                .filter(cell -> !cell.trials().isEmpty())
                .map(MarkdownTable::row)
                .forEach(lines::add);
        var skipped = cells.stream().filter(cell -> cell.trials().isEmpty()).toList();
        if (!skipped.isEmpty()) {
            lines.add("");
            lines.add("| not tried | because |");
            lines.add("|---|---|");
            skipped.forEach(cell -> lines.add(row(List.of(cell.name(), String.join("; ", cell.skippedBecause())))));
        }
        return lines.toString();
    }

    private static String row(Cell cell) {
        return row(List.of(
                cell.name(),
                cell.verdict().name(),
                Units.count(cell.trials().size()),
                Units.count(cell.count(RoundVerdict.PASS)),
                Units.count(cell.count(RoundVerdict.MISSED)),
                Units.count(cell.count(RoundVerdict.VIOLATED)),
                Units.count(cell.count(RoundVerdict.VOID)),
                cell.worst().map(round -> Units.millis(round.waitedMillis())).orElse("-"),
                cell.worst().map(round -> Units.millis(round.boundMillis())).orElse("-"),
                cell.bystanders().share(),
                String.join(", ", cell.seeds())));
    }

    private static String row(List<String> cells) {
        var row = new StringJoiner(" | ", "| ", " |");
        cells.forEach(cell -> row.add(text(cell)));
        return row.toString();
    }

    /** Text that stays in its cell and is read as it stands. */
    private static String text(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").replaceAll("([\\\\|`*_<>\\[\\]])", "\\\\$1");
    }
}
