package io.seqsvr.chaos.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** One run as a part of a page: where it ran, what it saw over time, its rounds and its witnesses. */
final class RunSection {
    private RunSection() {}

    static Element of(RunFile run) {
        var section = new Element("section")
                .with("class", "run")
                .with("id", anchor(run))
                .add(new Element("h3")
                        .add(Verdicts.badge(run.verdict()))
                        .add(Element.of("span", "Seed " + run.seed() + ", " + Units.time(run.begun()))))
                .add(Element.of("p", facts(run)).with("class", "facts"))
                .add(new Element("p")
                        .with("class", "facts")
                        .text("Repeat with ")
                        .add(Element.of("code", run.command())));
        var reasons = Reasons.of(run);
        if (!reasons.isEmpty()) {
            section.add(new Element("ul")
                    .with("class", "reasons " + Fields.word(run.verdict()))
                    .addAll(reasons.stream()
                            .map(words -> Words.in(new Element("li"), words))
                            .toList()));
        }
        section.addAll(run.witnesses().stream()
                .map(witness -> WitnessSection.of(run, witness))
                .toList());
        section.add(new Element("div")
                .with("class", "wide")
                .with("tabindex", "0")
                .with("role", "region")
                .with("aria-label", "Run " + run.name() + " over time")
                .add(TimelineChart.of(run)));
        var noPass = run.rounds().stream()
                .filter(round -> round.verdict() != RoundVerdict.PASS)
                .toList();
        if (!noPass.isEmpty()) {
            section.add(table("Rounds of seed " + run.seed() + " that are no pass", noPass));
        }
        return section.add(new Element("details")
                .add(Element.of("summary", summary(run)))
                .add(table("All rounds of seed " + run.seed(), run.rounds())));
    }

    /** Where it stands in the page. */
    static String anchor(RunFile run) {
        return "run-" + run.name();
    }

    private static String facts(RunFile run) {
        var cluster = run.cluster();
        var machine = run.machine();
        return String.join(
                " \u00b7 ",
                Units.span(run.seconds()),
                nodes(cluster),
                Units.count(cluster.users()) + " users",
                "network: " + Fields.word(run.network()),
                machine.cpus() + " processors, " + Units.count(machine.memoryMb()) + " MiB",
                machine.kernel(),
                machine.java());
    }

    private static String nodes(Cluster cluster) {
        if (cluster.isLiving()) {
            return "a cluster that was there already";
        }
        var nodes = cluster.stores() + " StoreSvr, " + cluster.allocators() + " AllocSvr, " + cluster.routers()
                + " routers \u00b7 ttl " + Units.millis(cluster.ttlMillis());
        return cluster.step() == 0
                ? nodes
                : nodes + " \u00b7 " + Units.count(cluster.segments()) + " segments, step "
                        + Units.count(cluster.step());
    }

    private static Element table(String caption, List<Round> rounds) {
        var table = new Table(
                caption,
                List.of(
                        "#round",
                        "at work",
                        "verdict",
                        "wait against its bound",
                        "#waits",
                        "#from",
                        "#lasted",
                        "why it is no pass"));
        rounds.forEach(round -> table.row(row(round)));
        return table.drawn();
    }

    private static String summary(RunFile run) {
        return Units.count(run.rounds().size()) + " rounds: "
                + Arrays.stream(RoundVerdict.values())
                        .map(verdict -> Units.count(run.rounds().stream()
                                        .filter(round -> round.verdict() == verdict)
                                        .count())
                                + " " + Fields.word(verdict))
                        .collect(Collectors.joining(", "));
    }

    private static List<Element> row(Round round) {
        return List.of(
                Table.number(Integer.toString(round.number())),
                Table.rowHead()
                        .addAll(CellSection.parts(round.cell()))
                        .add(Element.of("small", String.join(", ", round.faults()))),
                new Element("td").add(Verdicts.badge(round.verdict())),
                WaitBar.cell(round),
                Table.number(Units.count(round.waits())),
                Table.number(Units.sinceBegin(round.begunMillis())),
                Table.number(Units.millis(Math.max(0, round.endedMillis() - round.begunMillis()))),
                Words.in(new Element("td"), String.join("; ", round.words())).with("class", "words"));
    }
}
