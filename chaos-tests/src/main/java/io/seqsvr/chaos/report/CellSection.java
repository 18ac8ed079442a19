package io.seqsvr.chaos.report;

import java.util.Arrays;
import java.util.List;

/** What was tried, and what came of it, as a part of a page. */
final class CellSection {
    private CellSection() {}

    static Element of(CellTable cells) {
        var table = new Table(
                "What was done, in how many rounds, and how long users waited because of it",
                List.of(
                        "at work",
                        "verdict",
                        "worst wait against its bound",
                        "#others failed",
                        "#rounds",
                        "#pass",
                        "#missed",
                        "#violated",
                        "#void",
                        "seeds"));
        cells.cells().stream().filter(cell -> !cell.trials().isEmpty()).forEach(cell -> table.row(row(cell)));
        var section =
                new Element("section").add(Element.of("h2", "What was tried")).add(table.drawn());
        var skipped =
                cells.cells().stream().filter(cell -> cell.trials().isEmpty()).toList();
        if (!skipped.isEmpty()) {
            var why = new Table("What no run could try, and why", List.of("not tried", "verdict", "because"));
            skipped.forEach(cell -> why.row(List.of(
                    Table.rowHead().text(cell.name()),
                    new Element("td").add(Verdicts.badge(CellVerdict.SKIPPED)),
                    Table.cell(String.join("; ", cell.skippedBecause())))));
            section.add(why.drawn());
        }
        return section;
    }

    private static List<Element> row(Cell cell) {
        return List.of(
                Table.rowHead().addAll(parts(cell.name())),
                new Element("td").add(Verdicts.badge(cell.verdict())),
                cell.worst().map(WaitBar::cell).orElseGet(() -> Table.cell("\u2013")),
                Table.number(cell.bystanders().share()),
                Table.number(Units.count(cell.trials().size())),
                count(cell, RoundVerdict.PASS),
                count(cell, RoundVerdict.MISSED),
                count(cell, RoundVerdict.VIOLATED),
                count(cell, RoundVerdict.VOID),
                Table.cell(String.join(", ", cell.seeds())).with("class", "seeds"));
    }

    /** Of several things each on a line where there is no room, and never a line within one. */
    static List<Element> parts(String cell) {
        return Arrays.stream(cell.split(" (?=\\+)", -1))
                .map(part -> Element.of("span", part).with("class", "part"))
                .toList();
    }

    /** None is faint, so that the others are seen. */
    private static Element count(Cell cell, RoundVerdict verdict) {
        long count = cell.count(verdict);
        var shown = Table.number(Units.count(count));
        return count == 0 ? shown.with("class", "number none") : shown;
    }
}
