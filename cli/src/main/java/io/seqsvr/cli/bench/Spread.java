package io.seqsvr.cli.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Times that were measured one after the other, in milliseconds. */
final class Spread {
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Double> millis = new ArrayList<>();

    void addNanos(long nanos) {
        millis.add(millis(nanos));
    }

    static double millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    double median() {
        var sorted = millis.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    double last() {
        return millis.get(millis.size() - 1);
    }

    double most() {
        return Collections.max(millis);
    }

    /** Median, maximum, and each of them. */
    void putInto(Figures figures, String key, String words) {
        figures.put(key + "_median_ms", words + ", median ms", median());
        figures.put(key + "_max_ms", words + ", longest ms", most());
        figures.put(key + "_ms", words + ", each ms", millis);
    }
}
