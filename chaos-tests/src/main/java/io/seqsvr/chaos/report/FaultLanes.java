package io.seqsvr.chaos.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** The rounds of a run as bars over time: a lane for each thing that was done, a mark above each that is no pass. */
final class FaultLanes {
    private static final double HEIGHT = 15;
    private static final double MARKS = 15;
    /** Thinner bars would not be seen. */
    private static final double LEAST_WIDTH = 2.5;

    private final List<Round> rounds;
    private final List<String> names;
    private final Scale time;
    private final double top;

    /**
     * Lanes.
     *
     * @param time where the seconds of the run stand
     * @param top where they begin
     */
    FaultLanes(List<Round> rounds, Scale time, double top) {
        this.rounds = rounds;
        this.names = List.copyOf(rounds.stream()
                .flatMap(round -> parts(round).stream())
                .collect(TreeSet::new, TreeSet::add, TreeSet::addAll));
        this.time = time;
        this.top = top;
    }

    private static List<String> parts(Round round) {
        return Arrays.stream(round.cell().split("\\+", -1))
                .map(String::strip)
                .distinct()
                .toList();
    }

    /** Where they end. */
    double bottom() {
        return top + MARKS + names.size() * HEIGHT;
    }

    /** A faint band for each round, through all that is drawn below. */
    List<Element> bands(double bottom) {
        return rounds.stream()
                .map(round -> Svg.box("band", from(round), top + MARKS, width(round), bottom - top - MARKS))
                .toList();
    }

    List<Element> drawn() {
        var drawn = new ArrayList<Element>();
        for (int i = 0; i < names.size(); i++) {
            double y = top + MARKS + i * HEIGHT;
            drawn.add(Svg.line("grid", time.low(), y + HEIGHT, time.high(), y + HEIGHT));
            drawn.add(Svg.words("label", time.low() - 8, y + HEIGHT - 4, "end", names.get(i)));
        }
        for (var round : rounds) {
            for (var part : parts(round)) {
                double y = top + MARKS + names.indexOf(part) * HEIGHT;
                drawn.add(Svg.box("fault " + Fields.word(round.verdict()), from(round), y + 3, width(round), HEIGHT - 6)
                        .with("rx", 1.5)
                        .add(Element.of("title", words(round))));
            }
            if (round.verdict() != RoundVerdict.PASS) {
                drawn.add(Svg.words(
                                "mark " + Fields.word(round.verdict()),
                                from(round) + width(round) / 2,
                                top + MARKS - 4,
                                "middle",
                                Verdicts.sign(round.verdict()))
                        .add(Element.of("title", words(round))));
            }
        }
        return drawn;
    }

    private static String words(Round round) {
        return "round " + round.number() + ", " + Fields.word(round.verdict()) + ": "
                + String.join(", ", round.faults()) + "; " + Units.millis(round.waitedMillis()) + " of "
                + Units.millis(round.boundMillis()) + " waited";
    }

    private double from(Round round) {
        return time.at(round.begunMillis() / 1e3);
    }

    private double width(Round round) {
        return Math.max(LEAST_WIDTH, time.at(round.endedMillis() / 1e3) - from(round));
    }
}
