package io.seqsvr.chaos.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A figure over time, as a path of steps; where nothing was watched it has a hole. */
final class Curve {
    private final Scale time;
    private final Scale values;

    Curve(Scale time, Scale values) {
        this.time = time;
        this.values = values;
    }

    /**
     * A line.
     *
     * @param figure what is drawn; below 0 is a hole
     */
    Element line(String styled, List<TimeColumn> columns, ToDoubleFunction<TimeColumn> figure) {
        var path = new StringBuilder();
        double reached = -1;
        for (var column : columns) {
            double value = figure.applyAsDouble(column);
            if (value >= 0) {
                double from = time.at(column.fromSecond());
                boolean goesOn = Math.abs(from - reached) < 0.05;
                reached = time.at(column.fromSecond() + (double) column.seconds());
                path.append(goesOn ? "V" : "M" + Element.number(from) + " ")
                        .append(Element.number(values.at(value)))
                        .append('H')
                        .append(Element.number(reached));
            }
        }
        return path(styled, path);
    }

    /** The area between the axis and a line; or between two lines, as one on the other. */
    Element area(
            String styled,
            List<TimeColumn> columns,
            ToDoubleFunction<TimeColumn> lower,
            ToDoubleFunction<TimeColumn> upper) {
        var path = new StringBuilder();
        for (var column : columns) {
            double bottom = values.at(lower.applyAsDouble(column));
            double top = values.at(upper.applyAsDouble(column));
            if (bottom != top) {
                double from = time.at(column.fromSecond());
                double to = time.at(column.fromSecond() + (double) column.seconds());
                path.append('M')
                        .append(Element.number(from))
                        .append(' ')
                        .append(Element.number(bottom))
                        .append('V')
                        .append(Element.number(top))
                        .append('H')
                        .append(Element.number(to))
                        .append('V')
                        .append(Element.number(bottom))
                        .append('Z');
            }
        }
        return path(styled, path);
    }

    private static Element path(String styled, StringBuilder path) {
        return new Element("path").with("class", styled).with("d", path.toString());
    }
}
