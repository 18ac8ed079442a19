package io.seqsvr.cli.bench.alloc;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * How long a share of all calls took at most.
 *
 * @param percent the share, as it is shown
 * @param micros so long, in microseconds
 * @param slower how many calls took longer
 */
record Percentile(String percent, long micros, long slower) {
    private static final List<String> SHOWN = List.of("50", "75", "90", "95", "99", "99.9", "99.99", "99.999", "100");

    /** Those that are shown, from the median to the longest. */
    static List<Percentile> of(Histogram micros) {
        return SHOWN.stream().map(percent -> of(micros, percent)).toList();
    }

    private static Percentile of(Histogram micros, String percent) {
        long value = micros.getValueAtPercentile(Double.parseDouble(percent));
        return new Percentile(percent, value, micros.getTotalCount() - micros.getCountBetweenValues(0, value));
    }
}
