package io.seqsvr.chaos.report;

import java.util.List;

/** A run over time: what was done, how many calls were answered and how many were not, and how long answers took. */
final class TimelineChart {
    static final int MOST_COLUMNS = 600;

    private static final double WIDTH = 1_000;
    private static final double LEFT = 190;
    private static final double RIGHT = 970;
    private static final double BETWEEN = 30;
    private static final double ANSWERED = 88;
    private static final double UNANSWERED = 40;
    private static final double LATENCY = 120;

    private final RunFile run;
    private final List<TimeColumn> columns;
    private final Scale time;

    private TimelineChart(RunFile run) {
        this.run = run;
        this.columns = TimeColumn.of(run.timeline(), MOST_COLUMNS);
        this.time = Scale.linear(length(run), LEFT, RIGHT);
    }

    /** As a drawing. */
    static Element of(RunFile run) {
        return new TimelineChart(run).drawn();
    }

    private static double length(RunFile run) {
        double watched = run.timeline().stream().mapToInt(Second::second).max().orElse(0) + 1.0;
        double broken =
                run.rounds().stream().mapToLong(Round::endedMillis).max().orElse(0) / 1e3;
        return Math.max(run.seconds(), Math.max(watched, broken));
    }

    private Element drawn() {
        var lanes = new FaultLanes(run.rounds(), time, 4);
        double answeredTop = lanes.bottom() + BETWEEN;
        double unansweredTop = answeredTop + ANSWERED + BETWEEN;
        double latencyTop = unansweredTop + UNANSWERED + BETWEEN;
        double bottom = latencyTop + LATENCY;
        return Svg.drawing(
                        "timeline",
                        WIDTH,
                        bottom + 22,
                        "Run " + run.name() + " over time",
                        "From above: what was done to the cluster, until all was well again, answers per second"
                                + " without those for the crowd, calls refused or without an"
                                + " answer per second, and latencies on a logarithmic scale, all over the same "
                                + Units.span(run.seconds()) + ".")
                .addAll(lanes.bands(bottom))
                .addAll(lanes.drawn())
                .addAll(answered(answeredTop))
                .addAll(unanswered(unansweredTop))
                .addAll(latency(latencyTop))
                .addAll(axis(bottom));
    }

    private List<Element> answered(double top) {
        double most = Scale.roundUp(
                columns.stream().mapToDouble(TimeColumn::answered).max().orElse(1));
        var scale = Scale.linear(most, top + ANSWERED, top);
        var curve = new Curve(time, scale);
        var heading = heading(top, "answers per second, without the crowd");
        // A line through every column of a long run would be a wall.
        var drawn = isDrawnTogether()
                ? curve.area("answered-least", columns, column -> 0, TimeColumn::leastAnswered)
                : curve.line("answered-line", columns, TimeColumn::answered);
        return List.of(
                isDrawnTogether()
                        ? legend(
                                heading,
                                "answered",
                                "mean of " + width() + " s",
                                "answered-least",
                                "second with the fewest")
                        : heading,
                level(scale, 0, "0"),
                level(scale, most / 2, Units.count(Math.round(most / 2))),
                level(scale, most, Units.count(Math.round(most))),
                curve.area("answered", columns, column -> 0, TimeColumn::answered),
                drawn);
    }

    private List<Element> unanswered(double top) {
        double most = Scale.roundUp(columns.stream()
                .mapToDouble(column -> (double) column.mostRefused() + column.mostUnknown())
                .max()
                .orElse(1));
        var scale = Scale.linear(most, top + UNANSWERED, top);
        var curve = new Curve(time, scale);
        return List.of(
                legend(
                        heading(top, "calls per second that were"),
                        "refused",
                        "refused",
                        "unknown",
                        "without an answer"),
                level(scale, 0, "0"),
                level(scale, most, Units.count(Math.round(most))),
                curve.area("refused", columns, column -> 0, TimeColumn::mostRefused),
                curve.area(
                        "unknown",
                        columns,
                        TimeColumn::mostRefused,
                        column -> (double) column.mostRefused() + column.mostUnknown()));
    }

    private List<Element> latency(double top) {
        var scale = Scale.powersOfTen(
                columns.stream()
                        .mapToDouble(TimeColumn::p50Micros)
                        .filter(micros -> micros > 0)
                        .min()
                        .orElse(100),
                columns.stream().mapToDouble(TimeColumn::maxMicros).max().orElse(1_000),
                top + LATENCY,
                top);
        var curve = new Curve(time, scale);
        var levels = new Element("g");
        scale.powers().forEach(power -> levels.add(level(scale, power, Units.powerOfTenMicros(power))));
        return List.of(
                legend(
                        heading(top, "latency of answers, on a logarithmic scale:"),
                        "p50",
                        "p50",
                        "p99",
                        "p99",
                        "slowest",
                        "slowest"),
                levels,
                curve.line("slowest", columns, column -> drawnMicros(column.maxMicros())),
                curve.line("p99", columns, column -> drawnMicros(column.p99Micros())),
                curve.line("p50", columns, column -> drawnMicros(column.p50Micros())));
    }

    /** Where nobody was answered nothing took any time. */
    private static double drawnMicros(long micros) {
        return micros == 0 ? -1 : micros;
    }

    private List<Element> axis(double bottom) {
        return time.times().stream()
                .map(seconds -> new Element("g")
                        .add(Svg.line("grid", time.at(seconds), bottom, time.at(seconds), bottom + 4))
                        .add(Svg.words("tick", time.at(seconds), bottom + 16, "middle", clock(seconds))))
                .toList();
    }

    private static String clock(double seconds) {
        return Units.sinceBegin(Math.round(seconds * 1_000));
    }

    private boolean isDrawnTogether() {
        return width() > 1;
    }

    private int width() {
        return columns.isEmpty() ? 1 : columns.get(0).seconds();
    }

    private static Element heading(double top, String text) {
        return Svg.words("heading", LEFT, top - 8, "start", text);
    }

    /** Appends what is drawn how: each time a style, and words. In one line of text, as fonts differ in width. */
    private static Element legend(Element heading, String... stylesAndWords) {
        for (int i = 0; i < stylesAndWords.length; i += 2) {
            heading.text("\u2003")
                    .add(Element.of("tspan", "\u25a0").with("class", "key " + stylesAndWords[i]))
                    .text("\u00a0" + stylesAndWords[i + 1]);
        }
        return heading;
    }

    private static Element level(Scale scale, double value, String text) {
        return new Element("g")
                .add(Svg.line("grid", LEFT, scale.at(value), RIGHT, scale.at(value)))
                .add(Svg.words("tick", LEFT - 8, scale.at(value) + 4, "end", text));
    }
}
