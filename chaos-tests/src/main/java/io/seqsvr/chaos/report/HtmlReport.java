package io.seqsvr.chaos.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs as one page of HTML, which is well-formed XML too. It needs no other file, no network and no script, and follows
 * the reader's choice of light or dark.
 */
public final class HtmlReport {
    private static final String STYLE = "report.css";

    private HtmlReport() {}

    /** The page of these runs. */
    public static String of(CommitRuns runs) {
        var main = new Element("main")
                .add(header(runs))
                .add(tiles(runs.totals()))
                .addAll(reasons(runs))
                .add(CellSection.of(runs.cells()))
                .add(index(runs))
                .add(Element.of("h2", "Run by run"))
                .addAll(newestFirst(runs).stream().map(RunSection::of).toList())
                .add(Element.of("p", "Made by ./seqsvr chaos report.").with("class", "foot"));
        var page = new Element("html")
                .with("xmlns", "http://www.w3.org/1999/xhtml")
                .with("lang", "en")
                .add(new Element("head")
                        .add(new Element("meta").with("charset", "utf-8"))
                        .add(new Element("meta")
                                .with("name", "viewport")
                                .with("content", "width=device-width, initial-scale=1"))
                        .add(Element.of("title", runs.verdict() + ": chaos runs of " + runs.commit()))
                        .add(new Element("style").verbatim(style())))
                .add(new Element("body").add(main));
        return "<!DOCTYPE html>\n" + page + "\n";
    }

    private static Element header(CommitRuns runs) {
        var verdict = runs.verdict();
        var from = runs.runs().get(0).begun();
        var to = runs.runs().get(runs.runs().size() - 1).begun();
        return new Element("header")
                .with("class", Fields.word(verdict))
                .add(Element.of("p", "seqsvr chaos runs").with("class", "kicker"))
                .add(new Element("h1")
                        .add(Element.of("span", Verdicts.sign(verdict))
                                .with("class", "sign")
                                .with("aria-hidden", "true"))
                        .add(Element.of("span", verdict.name())))
                .add(Element.of("p", Verdicts.meaning(verdict)).with("class", "meaning"))
                .add(new Element("p")
                        .with("class", "facts")
                        .text("Commit ")
                        .add(Element.of("code", runs.commit()))
                        .text(" \u00b7 " + Units.count(runs.runs().size())
                                + (runs.runs().size() == 1 ? " run" : " runs")
                                + " begun " + Units.time(from)
                                + (from.equals(to) ? "" : " to " + Units.time(to))))
                .add(Element.of("p", tried(runs.cells())).with("class", "facts"));
    }

    private static String tried(CellTable cells) {
        return Arrays.stream(CellVerdict.values())
                .filter(verdict -> cells.count(verdict) > 0)
                .map(verdict -> Units.count(cells.count(verdict)) + " " + Fields.word(verdict))
                .collect(Collectors.joining(
                        ", ", "Of " + Units.count(cells.cells().size()) + " things to try: ", ""));
    }

    private static Element tiles(Totals totals) {
        return new Element("dl")
                .with("class", "tiles")
                .add(tile("violations", totals.violations()))
                .add(tile("operations checked", totals.checked()))
                .add(tile("straddling pairs", totals.straddlingPairs()))
                .add(tile("changes of owner", totals.ownerChanges()))
                .add(tile("faults", totals.faults()))
                .add(tile("rounds", totals.rounds()))
                .add(tile("asked a former owner", totals.askedFormerOwner()))
                .add(tile("longest wait", Units.millis(totals.longestMillis())))
                .add(tile("unexplained gaps", totals.unexplainedGaps()))
                .add(tile("ran for", Units.span(totals.seconds())));
    }

    private static Element tile(String name, long count) {
        return tile(name, Units.count(count));
    }

    private static Element tile(String name, String figure) {
        return new Element("div").add(Element.of("dt", name)).add(Element.of("dd", figure));
    }

    /** Why the verdict is what it is, where it is no pass; what it is about stands further below. */
    private static List<Element> reasons(CommitRuns runs) {
        var items = new ArrayList<Element>();
        for (var run : newestFirst(runs)) {
            for (var words : Reasons.of(run)) {
                items.add(Words.in(new Element("li").add(link(run)).text(": "), words));
            }
        }
        if (items.isEmpty()) {
            return List.of();
        }
        return List.of(new Element("section")
                .add(Element.of("h2", "Why it is no pass"))
                .add(new Element("ul")
                        .with("class", "reasons " + Fields.word(runs.verdict()))
                        .addAll(items)));
    }

    private static Element index(CommitRuns runs) {
        var table = new Table(
                "All runs, the newest first",
                List.of(
                        "run",
                        "verdict",
                        "begun",
                        "#length",
                        "#rounds",
                        "#operations",
                        "#straddling pairs",
                        "#violations",
                        "#longest wait",
                        "network"));
        for (var run : newestFirst(runs)) {
            var totals = Totals.of(List.of(run));
            table.row(List.of(
                    Table.rowHead().add(link(run)),
                    new Element("td").add(Verdicts.badge(run.verdict())),
                    Table.cell(Units.time(run.begun())).with("class", "time"),
                    Table.number(Units.span(run.seconds())),
                    Table.number(Units.count(totals.rounds())),
                    Table.number(Units.count(totals.checked())),
                    Table.number(Units.count(totals.straddlingPairs())),
                    Table.number(Units.count(totals.violations())),
                    Table.number(Units.millis(totals.longestMillis())),
                    Table.cell(Fields.word(run.network()))));
        }
        return new Element("section").add(Element.of("h2", "Runs")).add(table.drawn());
    }

    private static Element link(RunFile run) {
        return Element.of("a", "seed " + run.seed()).with("href", "#" + RunSection.anchor(run));
    }

    private static List<RunFile> newestFirst(CommitRuns runs) {
        var reversed = new ArrayList<>(runs.runs());
        Collections.reverse(reversed);
        return reversed;
    }

    private static String style() {
        try (var style = HtmlReport.class.getResourceAsStream(STYLE)) {
            if (style == null) {
                throw new IllegalStateException(STYLE + " is not on the class path; build the module anew");
            }
            return "\n" + new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(STYLE + " cannot be read from the class path", unreadable);
        }
    }
}
