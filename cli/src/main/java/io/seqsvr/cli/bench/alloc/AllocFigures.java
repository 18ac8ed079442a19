package io.seqsvr.cli.bench.alloc;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;

/**
 * What was measured, for people and for scripts.
 *
 * @param plan by which
 * @param windows at least one
 * @param percentiles latencies of the sequences of all windows
 * @param failures calls of the windows that got no sequence, by reason
 * @param backward numbers that were not above what had been received before their call was sent
 * @param duplicates numbers that had been received before
 */
public record AllocFigures(
        AllocPlan plan,
        List<Window> windows,
        List<Percentile> percentiles,
        Map<String, Long> failures,
        long backward,
        long duplicates) {
    private static final String HEAD = String.format(
            Locale.ROOT,
            "%-8s %15s %13s %9s %9s %9s %9s",
            "window",
            "sequences/s",
            "calls/s",
            "p50 us",
            "p99 us",
            "p99.9 us",
            "max us");

    /** Keeps copies. */
    public AllocFigures {
        windows = List.copyOf(windows);
        percentiles = List.copyOf(percentiles);
        failures = Map.copyOf(failures);
    }

    /** Calls of the windows that got no sequence. */
    public long errors() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether a number was wrong. */
    public boolean isSafetyViolated() {
        return backward > 0 || duplicates > 0;
    }

    /** Each figure's median; of an even number of windows the mean of the two in the middle. */
    Window median() {
        return new Window(
                median(Window::sequencesPerSecond),
                median(Window::callsPerSecond),
                median(Window::p50Micros),
                median(Window::p99Micros),
                median(Window::p999Micros),
                median(Window::maxMicros));
    }

    private double median(ToDoubleFunction<Window> figure) {
        var sorted = windows.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** A table with a line for each window, another of all latencies, and what went wrong. */
    public String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(HEAD);
        for (int i = 0; i < windows.size(); i++) {
            lines.add(line(Integer.toString(i + 1), windows.get(i)));
        }
        if (windows.size() > 1) {
            lines.add(line("median", median()));
        }
        lines.add(String.format(Locale.ROOT, "%-8s %15s %13s", "percent", "us at most", "took longer"));
        percentiles.forEach(each -> lines.add(
                String.format(Locale.ROOT, "%-8s %,15d %,13d", each.percent(), each.micros(), each.slower())));
        lines.add(
                String.format(Locale.ROOT, "errors %,d, backward %,d, duplicates %,d", errors(), backward, duplicates));
        failures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each ->
                        lines.add(String.format(Locale.ROOT, "ERRORS: %,d times %s", each.getValue(), each.getKey())));
        if (isSafetyViolated()) {
            lines.add("BROKEN: a user received a number that was not above all before it, or one number twice");
        }
        return lines.toString();
    }

    private static String line(String name, Window window) {
        return String.format(
                Locale.ROOT,
                "%-8s %,15.0f %,13.0f %,9.0f %,9.0f %,9.0f %,9.0f",
                name,
                window.sequencesPerSecond(),
                window.callsPerSecond(),
                window.p50Micros(),
                window.p99Micros(),
                window.p999Micros(),
                window.maxMicros());
    }

    /** The plan, the medians, each window, the latencies of all, and what went wrong. */
    public JsonObject json() {
        var json = new JsonObject()
                .put("mode", plan.mode().toString())
                .put("namespace", plan.namespace())
                .put("users", plan.users())
                .put("skew", plan.skew().toString())
                .put("concurrency", plan.concurrency())
                .put("connections", plan.connections())
                .put("batch", plan.batch())
                .put("rate", plan.rate())
                .put("via_router", plan.viaRouter())
                .put("warm_up_seconds", plan.warmUpSeconds())
                .put("seconds", plan.seconds());
        put(median(), json);
        var each = new JsonArray();
        windows.forEach(window -> each.add(put(window, new JsonObject())));
        var reasons = new JsonObject();
        failures.forEach(reasons::put);
        var latencies = new JsonObject();
        percentiles.forEach(percentile -> latencies.put(percentile.percent(), percentile.micros()));
        return json.put("windows", each)
                .put("percentiles_us", latencies)
                .put("errors", errors())
                .put("errors_by_reason", reasons)
                .put("backward", backward)
                .put("duplicates", duplicates);
    }

    private static JsonObject put(Window window, JsonObject json) {
        return json.put("sequences_per_s", Math.round(window.sequencesPerSecond()))
                .put("calls_per_s", Math.round(window.callsPerSecond()))
                .put("p50_us", Math.round(window.p50Micros()))
                .put("p99_us", Math.round(window.p99Micros()))
                .put("p999_us", Math.round(window.p999Micros()))
                .put("max_us", Math.round(window.maxMicros()));
    }
}
