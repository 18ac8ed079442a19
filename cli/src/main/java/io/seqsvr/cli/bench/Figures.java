package io.seqsvr.cli.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured, for people and for scripts, in the order in which it was put down. */
public final class Figures {
    private record Figure(
            String key, String words, @Nullable Object value) {}

    private final List<Figure> figures = new ArrayList<>();
    private long errors;
    private String firstError = "";
    private String inconclusive = "";

    /** Puts down a count. */
    public void put(String key, String words, long value) {
        figures.add(new Figure(key, words, value));
    }

    /** Puts down an amount, to a tenth. */
    public void put(String key, String words, double value) {
        figures.add(new Figure(key, words, tenths(value)));
    }

    /** Puts down a word. */
    public void put(String key, String words, String value) {
        figures.add(new Figure(key, words, value));
    }

    /** Puts down one amount of each round or peer. */
    public void put(String key, String words, Collection<Double> values) {
        figures.add(new Figure(key, words, values.stream().map(Figures::tenths).toList()));
    }

    /** Puts down that something cannot be known here. */
    public void putUnknown(String key, String words) {
        figures.add(new Figure(key, words, null));
    }

    /** Adds errors: replies that were not as they must be, or none where there must be one. */
    public void addErrors(long more, String first) {
        if (errors == 0 && more > 0) {
            firstError = first;
        }
        errors += more;
    }

    /** Says that the figures do not show what was asked for. */
    public void inconclusive(String why) {
        inconclusive = why;
    }

    /** Errors so far. */
    public long errors() {
        return errors;
    }

    /** Whether the figures show what was asked for. */
    public boolean conclusive() {
        return inconclusive.isEmpty();
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    /** A line for each. */
    public String text() {
        var lines = new StringJoiner(System.lineSeparator());
        for (var figure : figures) {
            lines.add(line(figure.words(), words(figure.value())));
        }
        lines.add(line("errors", words(errors)));
        if (errors > 0) {
            lines.add("ERRORS: the first was: " + firstError);
        }
        if (!conclusive()) {
            lines.add("INCONCLUSIVE: " + inconclusive);
        }
        return lines.toString();
    }

    private static String line(String words, String value) {
        return String.format(Locale.ROOT, "%-44s %14s", words, value);
    }

    private static String words(@Nullable Object value) {
        if (value == null) {
            return "n/a";
        }
        if (value instanceof Long count) {
            return String.format(Locale.ROOT, "%,d", count);
        }
        if (value instanceof Double amount) {
            return String.format(Locale.ROOT, "%,.1f", amount);
        }
        if (value instanceof List<?> several) {
            return several.stream().map(Figures::words).collect(Collectors.joining(" "));
        }
        return value.toString();
    }

    /** All in one object. */
    public JsonObject json() {
        var json = new JsonObject();
        for (var figure : figures) {
            json.put(
                    figure.key(),
                    figure.value() instanceof List<?> several ? new JsonArray(List.copyOf(several)) : figure.value());
        }
        json.put("errors", errors);
        if (errors > 0) {
            json.put("first_error", firstError);
        }
        return json.put("conclusive", conclusive());
    }
}
